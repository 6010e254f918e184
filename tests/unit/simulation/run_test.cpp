#include "simulation/run.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "core/error.hpp"
#include "output/script_copy.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::run_test {
namespace {

using testing::make_scene;
using testing::ScratchDirectory;

class Run : public ::testing::Test {
 protected:
  Run() : solver_({}) { make_scene(s_, scratch_ / "out"); }

  std::vector<double> times() const {
    const ResultsReader reader(s_.results.directory);
    return reader.frame_column("time", 0, reader.frames());
  }

  ScratchDirectory scratch_;
  Simulation s_;
  GaussSeidel solver_;
};

TEST_F(Run, MakesAsManyStepsAsTheDurationAsksFor) {
  for (int part : {3, 1, 7}) {
    const auto before = s_.clock.steps;
    EXPECT_EQ(run(s_, solver_, part * 1e-3, nullptr), RunEnd::complete);
    EXPECT_EQ(s_.clock.steps - before, part);
  }
  EXPECT_EQ(times().size(), 12u);
  EXPECT_EQ(s_.clock.runs, 3);
}

TEST_F(Run, WritesFirstAndLastState) {
  s_.settings.output_interval = 1;
  run(s_, solver_, 0.01, nullptr);
  EXPECT_EQ(times(), (std::vector<double>{0, s_.clock.time}));
}

TEST_F(Run, WritesAtIntervalsWithoutDrift) {
  s_.settings.output_interval = 0.003;
  run(s_, solver_, 0.1, nullptr);
  const auto t = times();
  ASSERT_EQ(t.size(), 35u);  // 0, 0.003, ..., 0.099, and the end
  for (int k = 0; k < 34; k++) EXPECT_NEAR(t[k], 0.003 * k, 1e-9);
}

TEST_F(Run, TinyIntervalsAreEveryStep) {
  s_.settings.output_interval = 1e-300;
  int calls = 0;
  s_.settings.callback = Callback{1e-300, [&] { return ++calls > 0; }};
  run(s_, solver_, 0.01, nullptr);
  EXPECT_EQ(times().size(), 11u);
  EXPECT_EQ(calls, 10);
}

TEST_F(Run, EndsByTheCallback) {
  int calls = 0;
  s_.settings.callback = Callback{0.002, [&] { return ++calls < 3; }};
  EXPECT_EQ(run(s_, solver_, 1, nullptr), RunEnd::callback);
  EXPECT_EQ(s_.clock.steps, 4);  // after steps 1, 2 and 4
}

TEST_F(Run, TheLastStateHoldsWhatTheLastCallbackMade) {
  s_.settings.callback =
      Callback{0.003, [&] {
                 if (s_.clock.steps == 3) {
                   testing::add(s_, BodyKind::rigid, {Sphere{{9, 9, 9}, 1}}, "late");
                   delete_body(s_, BodyId{2});
                 }
                 return true;
               }};
  run(s_, solver_, 0.003, nullptr);
  const ResultsReader reader(s_.results.directory);
  EXPECT_EQ(times().size(), 4u) << "it is one frame, not two of the same time";
  Domain last;
  last.bulk_materials = s_.domain.bulk_materials;
  reader.load(3, last, [](int) { return ForceFunction(); });
  EXPECT_EQ(last.bodies.find(BodyId{2}), -1);
  ASSERT_EQ(last.bodies.find(BodyId{3}), 2);
  EXPECT_EQ(last.bodies[2].label, "late");
  EXPECT_EQ(reader.header(3).new_bodies, 1);
  EXPECT_EQ(reader.header(3).deleted_bodies, 1);
  EXPECT_EQ(reader.header(3).next_body, 4u);
}

TEST_F(Run, ACallbackMayReplaceItselfAndTheOutputInterval) {
  int first = 0, second = 0;
  s_.settings.callback =
      Callback{0.001, [&, keep = std::vector<int>(100, 7)] {
                 s_.settings.callback = Callback{0.001, [&] { return ++second > 0; }};
                 s_.settings.output_interval = 1;
                 s_.clock.next_output = s_.clock.time + 1;
                 first += keep[99];  // still there
                 return true;
               }};
  run(s_, solver_, 0.005, nullptr);
  EXPECT_EQ(first, 7);
  EXPECT_EQ(second, 4);
  EXPECT_EQ(times().size(), 3u) << "the frame that was due when it was called, and the last";
}

TEST_F(Run, AFailedStepLeavesTheLastGoodStateInTheResults) {
  s_.settings.output_interval = 1;
  bool broken = false;
  s_.domain.bodies[1].loads.push_back(
      UserForce{0, [&](auto, auto, double, double, std::span<double> out) {
                  if (broken) std::ranges::fill(out, std::nan(""));
                }});
  Simulation good;
  make_scene(good, scratch_ / "good");
  GaussSeidel same({});
  for (int k = 0; k < 60; k++) make_step(good, same);
  EXPECT_THROW(run(s_, solver_, 1, [&] { broken = s_.clock.steps == 60; }), RunError);

  const ResultsReader reader(s_.results.directory);
  ASSERT_EQ(reader.frames(), 2);
  Simulation last;
  last.clock.time = reader.header(1).time;
  last.clock.steps = reader.header(1).number;
  last.domain.bulk_materials = s_.domain.bulk_materials;
  reader.load(1, last.domain, [](int) { return ForceFunction(); });
  ASSERT_GT(good.domain.constraints.count(), 0);
  EXPECT_EQ(testing::state_of(last), testing::state_of(good));
  EXPECT_EQ(reader.header(1).merit, good.last.solution.merit);
  EXPECT_EQ(reader.header(1).step, good.last.h);
}

TEST_F(Run, EndsByTheFileStop) {
  run(s_, solver_, 0.001, nullptr);
  const std::string stop = scratch_ / "out/STOP";
  std::ofstream(stop) << "";
  EXPECT_EQ(run(s_, solver_, 1000, nullptr), RunEnd::stop_file);
  EXPECT_FALSE(std::filesystem::exists(stop));
}

TEST_F(Run, TakesAFileStopOfItsLastMoment) {
  const std::string stop = scratch_ / "out/STOP";
  const auto ask = [&] {
    if (s_.clock.steps == 3) std::ofstream(stop) << "";
  };
  EXPECT_EQ(run(s_, solver_, 0.003, ask), RunEnd::complete);  // it looks some times a second only
  EXPECT_FALSE(std::filesystem::exists(stop));
}

TEST_F(Run, KeepsTheLastStateOnAnException) {
  s_.settings.output_interval = 1;
  struct Interrupt {};
  int polls = 0;
  EXPECT_THROW(run(s_, solver_, 1,
                   [&] {
                     if (++polls == 5) throw Interrupt();
                   }),
               Interrupt);
  EXPECT_EQ(times(), (std::vector<double>{0, s_.clock.time}));
  EXPECT_FALSE(s_.running);
  EXPECT_EQ(run(s_, solver_, 0.002, nullptr), RunEnd::complete);  // and can go on
  EXPECT_EQ(s_.clock.steps, 7);
}

TEST(RunFailure, ObeysTheFailureAction) {
  for (const FailureAction action :
       {FailureAction::go_on, FailureAction::callback, FailureAction::exit}) {
    const ScratchDirectory scratch;
    Simulation s;
    make_scene(s, scratch / "out");
    s.domain.bodies.center(1).z() = 0.999;  // on the floor: one sweep changes R by all of it
    GaussSeidelSettings hopeless;
    hopeless.epsilon = 1e-15;
    hopeless.merit_value = 1;  // the change alone counts
    hopeless.max_iterations = 1;
    hopeless.failure = action;
    GaussSeidel solver(hopeless);
    int asked = 0;
    solver.on_failure = [&] { return ++asked < 1; };
    if (action == FailureAction::exit) {
      EXPECT_THROW(run(s, solver, 0.001, nullptr), RunError);
    } else {
      const RunEnd expected = action == FailureAction::callback ? RunEnd::solver : RunEnd::complete;
      EXPECT_EQ(run(s, solver, 0.001, nullptr), expected);
    }
    EXPECT_EQ(asked, action == FailureAction::callback ? 1 : 0);
    EXPECT_EQ(s.last.solution.status, SolveStatus::diverged);
    EXPECT_EQ(ResultsReader(s.results.directory).time(1), s.clock.time);  // the last state is there
  }
}

TEST_F(Run, CopiesTheScriptAndReplacesOldResults) {
  s_.results.script_text = "# text\n";
  run(s_, solver_, 0.005, nullptr);
  EXPECT_EQ(read_script_copy(scratch_ / "out"), s_.results.script_text);
  Simulation second;
  make_scene(second, scratch_ / "out");
  EXPECT_THROW(run(second, solver_, 0.002, nullptr), RunError);  // the first one may go on
  EXPECT_EQ(times().size(), 6u);
  s_.results.lock.reset();
  run(second, solver_, 0.002, nullptr);
  EXPECT_EQ(times().size(), 3u);
}

TEST_F(Run, SaysWhenItCannotWrite) {
  std::ofstream(scratch_ / "file") << "x";
  s_.results.directory = scratch_ / "file/out";
  EXPECT_THROW(run(s_, solver_, 0.001, nullptr), RunError);
}

}  // namespace
}  // namespace solfec::run_test
