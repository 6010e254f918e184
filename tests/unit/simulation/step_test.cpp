#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "simulation/simulation.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::step_test {
namespace {

using testing::make_scene;
using testing::state_of;

TEST(Step, IsCountedAndTimed) {
  Simulation s;
  make_scene(s, "unused");
  GaussSeidel solver({});
  make_step(s, solver);
  EXPECT_EQ(s.clock.steps, 1);
  EXPECT_EQ(s.clock.time, 1e-3);
  EXPECT_EQ(s.last.h, 1e-3);
  EXPECT_EQ(s.last.solver, SolverKind::gauss_seidel);
  EXPECT_GT(s.last.timing[Phase::integration], 0);
  EXPECT_GT(s.last.timing[Phase::detection], 0);
}

TEST(Step, IsCutByExplicitBodiesAndGrowsBack) {
  Simulation s;
  make_scene(s, "unused", 1.0);
  s.domain.bodies[2].scheme = Scheme::def_exp;
  GaussSeidel solver({});
  make_step(s, solver);
  EXPECT_LT(s.last.h, 0.1);
  delete_body(s, BodyId{2});
  make_step(s, solver);
  EXPECT_EQ(s.last.h, 1.0);
}

TEST(Step, FailsWithEverythingAsItWas) {
  Simulation s;
  make_scene(s, "unused");
  GaussSeidel solver({});
  for (int k = 0; k < 60; k++) make_step(s, solver);
  const auto before = state_of(s);
  ASSERT_GT(s.domain.constraints.count(), 0);
  const StepReport report = s.last;
  s.domain.bodies[1].loads.push_back(
      UserForce{0, [](auto, auto, double, double, std::span<double> out) {
                  std::ranges::fill(out, std::nan(""));
                }});
  try {
    make_step(s, solver);
    FAIL() << "the step has gone through";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("body 1 'ball' has a state that is not finite"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(state_of(s), before);
  EXPECT_EQ(s.last.h, report.h);
  EXPECT_EQ(s.last.solution.iterations, report.solution.iterations);
  EXPECT_EQ(s.last.solution.merit, report.solution.merit);
  EXPECT_EQ(s.last.timing.seconds(), report.timing.seconds());
}

TEST(Step, ThatFailsBeforeItFindsContactsLeavesThemToo) {
  Simulation s;
  make_scene(s, "unused");
  GaussSeidel solver({});
  for (int k = 0; k < 60; k++) make_step(s, solver);
  const auto before = state_of(s);
  struct RankFailure {};
  s.domain.bodies[1].loads.push_back(
      UserForce{0, [](auto, auto, double, double, std::span<double>) { throw RankFailure(); }});
  EXPECT_THROW(make_step(s, solver), RankFailure);
  EXPECT_THROW(make_step(s, solver), RankFailure);
  EXPECT_EQ(state_of(s), before);
}

TEST(Step, RefusesNewAndDeletedBodiesInItsMiddle) {
  for (const bool make : {true, false}) {
    Simulation s;
    make_scene(s, "unused");
    s.domain.bodies[1].loads.push_back(
        UserForce{0, [&](auto, auto, double, double, std::span<double>) {
                    if (make)
                      testing::add(s, BodyKind::rigid, {Sphere{{9, 9, 9}, 1}}, "");
                    else
                      delete_body(s, BodyId{2});
                  }});
    GaussSeidel solver({});
    EXPECT_THROW(make_step(s, solver), RunError);
    EXPECT_EQ(s.domain.bodies.total(), 3);
    EXPECT_TRUE(delete_body(s, BodyId{2})) << "after the step it can be deleted";
  }
}

TEST(Step, DeletesWhatLeavesTheExtents) {
  Simulation s;
  make_scene(s, "unused");
  s.domain.extents = Box{{-9, -9, -9}, {9, 9, 9}};
  s.domain.bodies.u(1)[3] = 1e5;
  GaussSeidel solver({});
  make_step(s, solver);
  EXPECT_EQ(s.domain.bodies.total(), 2);
  EXPECT_EQ(s.deleted_bodies, 1);
}

}  // namespace
}  // namespace solfec::step_test
