// The proximal point method: W without full rank, both rules of alpha, both methods inside.
#include "solver/proximal_point.hpp"

#include <gtest/gtest.h>

#include "solver/goal.hpp"
#include "support/hard_problems.hpp"

namespace solfec::proximal_point_test {
namespace {

TEST(ProximalPoint, SolvesWithoutFullRank) {
  constexpr int kBlocks = 12, kContacts = 4;
  const Communicator alone = Communicator::alone();
  for (bool by_sweeps : {false, true})
    for (AlphaRule rule : {AlphaRule::success, AlphaRule::error}) {
      testing::LocalProblem p = testing::tower(kBlocks, kContacts, DelassusForm::assembled);
      Channel channel(alone);
      const Goal goal(0, ErrorTarget{1e-8, 60}, p.dynamics, alone);
      ProximalPointSettings settings;
      settings.by_sweeps = by_sweeps;
      settings.newton.search = LineSearch::goldstein_price;
      settings.splitting.local = {LocalMethod::exact};
      settings.rule = rule;
      const IterationOutcome outcome =
          ProximalPoint().solve({p.dynamics, p.solution, goal, channel, alone}, settings, 1000);
      ASSERT_EQ(outcome.status, SolveStatus::ok) << by_sweeps << static_cast<int>(rule);
      EXPECT_LT(testing::error_of_weights(p.solution.R, kBlocks, kContacts), 1e-3);
      EXPECT_LT(testing::worst_violation(p, p.solution.R), 1e-4);
    }
}

TEST(ProximalPoint, SaysThatItFails) {
  const Communicator alone = Communicator::alone();
  testing::LocalProblem p = testing::repeated_rows(1, 0.3);
  Channel channel(alone);
  const Goal late(0, ErrorTarget{1e-15, 1e-9}, p.dynamics, alone);
  EXPECT_EQ(ProximalPoint().solve({p.dynamics, p.solution, late, channel, alone}, {}, 1000).status,
            SolveStatus::out_of_time);
  const Goal goal(0, ErrorTarget{1e-300, 60}, p.dynamics, alone);
  LocalSolution s(p.dynamics);
  const IterationOutcome outcome =
      ProximalPoint().solve({p.dynamics, s, goal, channel, alone}, {}, 2);
  EXPECT_EQ(outcome.status, SolveStatus::diverged);
  EXPECT_EQ(outcome.iterations, 2);
}

}  // namespace
}  // namespace solfec::proximal_point_test
