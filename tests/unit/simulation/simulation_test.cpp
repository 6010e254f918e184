#include "simulation/simulation.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::simulation_test {
namespace {

using testing::make_scene;
using testing::ScratchDirectory;
using testing::state_of;

GaussSeidelSettings tight() {
  GaussSeidelSettings settings;
  settings.epsilon = 1e-6;
  settings.merit_value = 1e-9;
  return settings;
}

// Every frame is a checkpoint: from any of them a run goes on to the same end, to the last bit.
TEST(Simulation, GoesOnFromAFrameAsIfNeverStopped) {
  const ScratchDirectory scratch;
  Simulation whole;
  make_scene(whole, scratch / "out");
  GaussSeidel solver(tight());
  run(whole, solver, 0.2, nullptr);
  ASSERT_GT(whole.domain.constraints.count(), 0);

  for (int frame : {0, 1, 57, 199}) {
    Simulation again;
    make_scene(again, scratch / "out");
    again.mode = Mode::read;
    show_frame(again, frame);
    EXPECT_EQ(again.clock.steps, frame);
    again.mode = Mode::write;
    again.results.directory = scratch / "again";
    again.results.frame = -1;
    GaussSeidel other(tight());
    while (again.clock.steps < whole.clock.steps) make_step(again, other);
    EXPECT_EQ(state_of(again), state_of(whole)) << "from frame " << frame;
  }
}

TEST(Simulation, ShowsFigures) {
  const ScratchDirectory scratch;
  Simulation s;
  make_scene(s, scratch / "out");
  GaussSeidel solver(tight());
  run(s, solver, 0.05, nullptr);
  Simulation read;
  make_scene(read, scratch / "out");
  read.mode = Mode::read;
  show_frame(read, 50);
  EXPECT_EQ(read.clock.time, s.clock.time);
  EXPECT_EQ(read.last.h, s.last.h);
  EXPECT_EQ(read.last.solution.iterations, s.last.solution.iterations);
  EXPECT_EQ(read.last.solution.merit, s.last.solution.merit);
  EXPECT_EQ(read.last.timing.seconds(), s.last.timing.seconds());
  EXPECT_EQ(state_of(read), state_of(s));
}

TEST(Simulation, ReadModeWantsTheMaterialsOfTheResults) {
  const ScratchDirectory scratch;
  Simulation s;
  make_scene(s, scratch / "out");
  GaussSeidel solver(tight());
  run(s, solver, 0.001, nullptr);
  Simulation read;  // an empty model
  read.results.directory = scratch / "out";
  read.mode = Mode::read;
  EXPECT_THROW(show_frame(read, 0), RunError);
}

TEST(Simulation, ReadModeCountsIdentifiersAsTheRunsDid) {
  const ScratchDirectory scratch;
  GaussSeidel solver(tight());
  Simulation s;
  make_scene(s, scratch / "out");
  const auto sphere = [](Simulation& to) {
    return testing::add(to, BodyKind::rigid, {Sphere{{9, 9, 9}, 1}}, "").value;
  };
  run(s, solver, 0.001, nullptr);
  sphere(s);
  s.settings.callback = Callback{1e-300, [&] {
                                   sphere(s);
                                   delete_body(s, BodyId{sphere(s)});  // no frame holds this one
                                   return true;
                                 }};
  run(s, solver, 0.001, nullptr);
  s.settings.callback.reset();
  run(s, solver, 0.001, nullptr);
  const std::uint32_t last = sphere(s);

  Simulation read;
  make_scene(read, scratch / "out");
  read.mode = Mode::read;
  show_frame(read, 0);
  pass_run(read, solver, 0.001);
  EXPECT_EQ(sphere(read), 3u);
  EXPECT_EQ(read.domain.bodies.total(), 3);  // the frames hold it, not the model
  pass_run(read, solver, 0.001);
  pass_run(read, solver, 0.001);
  EXPECT_EQ(sphere(read), last);
}

TEST(Simulation, HasNoResultsBeforeARun) {
  Simulation s;
  const ScratchDirectory scratch;
  make_scene(s, scratch / "out");
  EXPECT_THROW(open_results(s), RunError);
}

}  // namespace
}  // namespace solfec::simulation_test
