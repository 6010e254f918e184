// What solvers are to reach: both figures, and the time of targets.
#include "solver/goal.hpp"

#include <gtest/gtest.h>

#include "local_dynamics/natural_map.hpp"
#include "support/local_problem.hpp"

namespace solfec::goal_test {
namespace {

TEST(Goal, IsTheMeritOrTheErrorOfTheNaturalMap) {
  const Communicator communicator;
  testing::LocalProblem p = testing::closing_contacts(1, 8, 12);
  const LocalDynamics& d = p.dynamics;
  LocalSolution& s = p.solution;
  testing::Random random(1);
  for (Vec3& R : s.R) R = random.in_box(3);
  Channel channel(communicator);
  const Goal merit_goal(1e-3, {}, d, communicator);
  EXPECT_EQ(merit_goal.value(), 1e-3);
  EXPECT_FALSE(merit_goal.is_late());
  const double measured = merit_goal.measure(d, s, channel);
  EXPECT_LT((testing::flat(s.U) - testing::flat(d.B) - p.W * testing::flat(s.R)).norm(), 1e-12);
  EXPECT_EQ(measured, merit(d, s, communicator));
  const Goal error_goal(1e-3, ErrorTarget{1e-7, 1000}, d, communicator);
  EXPECT_EQ(error_goal.value(), 1e-7);
  EXPECT_DOUBLE_EQ(error_goal.measure(d, s, channel), natural_map_error(d, s, communicator));
  EXPECT_NEAR(error_goal.time_left(), 1000, 10);
  EXPECT_FALSE(error_goal.is_late());
}

TEST(Goal, TimeOfATargetRunsOut) {
  const Communicator communicator;
  testing::LocalProblem p = testing::closing_contacts(2, 8, 12);
  const Goal goal(1, ErrorTarget{1e-7, 1e-9}, p.dynamics, communicator);
  Channel channel(communicator);
  goal.measure(p.dynamics, p.solution, channel);
  EXPECT_TRUE(goal.is_late());
  EXPECT_LT(goal.time_left(), 0);
}

TEST(LastHalved, SeesHalvesOfTheFigureThatItSawLast) {
  LastHalved halved;
  halved.see(8, 1);
  EXPECT_EQ(halved.step, 1);
  halved.see(4, 2);  // not less than half
  halved.see(5, 3);
  EXPECT_EQ(halved.step, 1);
  halved.see(3.9, 4);
  halved.see(2, 5);
  EXPECT_EQ(halved.step, 4);
  EXPECT_EQ(halved.figure, 3.9);
}

}  // namespace
}  // namespace solfec::goal_test
