// Methods that hold a part of the law: they solve the whole one, and need one problem where the
// part that they hold is nothing.
#include "solver/held_law_method.hpp"

#include <gtest/gtest.h>

#include "solver/goal.hpp"
#include "support/local_problem.hpp"

namespace solfec::held_law_method_test {
namespace {

constexpr HeldLaw kLaws[] = {HeldLaw::panagiotopoulos, HeldLaw::tresca, HeldLaw::aclm};

std::vector<HeldLawSettings> all_settings() {
  std::vector<HeldLawSettings> result;
  for (HeldLaw law : kLaws)
    for (bool by_sweeps : {false, true})
      for (StepRule rule : {StepRule::khobotov, StepRule::armijo})
        result.push_back({law, by_sweeps, rule == StepRule::khobotov, {Correction::none, rule}});
  return result;
}

IterationOutcome solve(testing::LocalProblem& p, const HeldLawSettings& settings, double error,
                       int iterations) {
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  const Goal goal(0, ErrorTarget{error, 60}, p.dynamics, alone);
  return HeldLawMethod().solve({p.dynamics, p.solution, goal, channel, alone}, settings,
                               iterations);
}

TEST(HeldLawMethod, SolvesContacts) {
  for (const HeldLawSettings& settings : all_settings())
    for (int seed = 0; seed < 4; seed++) {
      testing::LocalProblem p = testing::closing_contacts(seed, 8, 10);
      const IterationOutcome outcome = solve(p, settings, 1e-9, 1000);
      ASSERT_EQ(outcome.status, SolveStatus::ok) << static_cast<int>(settings.law) << ' ' << seed;
      EXPECT_LE(outcome.figure, 1e-9);
      EXPECT_GT(outcome.iterations, 1);
      EXPECT_LT(testing::worst_violation(p, p.solution.R), 1e-5);
    }
}

// Without friction nothing is held: each problem is the whole, solved ten times better.
TEST(HeldLawMethod, WithoutFrictionEachProblemIsTheWhole) {
  for (const HeldLawSettings& settings : all_settings()) {
    testing::LocalProblem p = testing::closing_contacts(2, 8, 10);
    for (RowLaw& law : p.dynamics.law) law.friction = 0;
    const IterationOutcome outcome = solve(p, settings, 1e-8, 1000);
    ASSERT_EQ(outcome.status, SolveStatus::ok);
    EXPECT_LE(outcome.iterations, 10);
  }
}

TEST(HeldLawMethod, SaysThatItFails) {
  for (HeldLaw law : kLaws) {
    testing::LocalProblem p = testing::closing_contacts(2, 8, 10);
    HeldLawSettings settings;
    settings.law = law;
    const IterationOutcome outcome = solve(p, settings, 1e-300, 2);
    EXPECT_EQ(outcome.status, SolveStatus::diverged);
    EXPECT_EQ(outcome.iterations, 2);
  }
}

}  // namespace
}  // namespace solfec::held_law_method_test
