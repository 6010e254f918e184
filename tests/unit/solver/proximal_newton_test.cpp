// The proximal Newton method: W without full rank, all kinds of rows, bounds on its steps.
#include "solver/proximal_newton.hpp"

#include <gtest/gtest.h>

#include "local_dynamics/natural_map.hpp"
#include "support/hard_problems.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::proximal_newton_test {
namespace {

using testing::flat;
using testing::LocalProblem;

ProximalNewton::Outcome solve(LocalProblem& p, double merit_value, int max_steps = 200) {
  const Communicator communicator;
  Channel channel(communicator);
  ProximalNewton newton;
  return newton.solve(p.dynamics, p.solution, Goal(merit_value, {}, p.dynamics, communicator),
                      channel, communicator, {max_steps});
}

TEST(ProximalNewton, KeepsTheLawInEveryRow) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored})
    for (int seed = 1; seed <= 10; seed++) {
      LocalProblem p = testing::closing_contacts(seed, 8, 12, form);
      testing::Random random(seed);
      for (RowLaw& law : p.dynamics.law) {
        law.restitution = random.integer(0, 1) * random.uniform(0, 1);
        law.cohesion = random.integer(0, 3) == 0 ? random.uniform(0, 5) : 0;
      }
      const ProximalNewton::Outcome outcome = solve(p, 1e-20);
      EXPECT_LE(outcome.figure, 1e-20) << seed;
      EXPECT_EQ(outcome.figure, merit(p.dynamics, p.solution, Communicator()));
      EXPECT_LE(outcome.steps, 40) << seed;
      EXPECT_LT(testing::worst_violation(p, p.solution.R), 1e-8) << seed;
    }
}

TEST(ProximalNewton, RepeatedRowsAndAllFrictions) {
  for (double friction : {0.0, 0.5, 2.0})
    for (int seed = 1; seed <= 6; seed++) {
      LocalProblem p = testing::repeated_rows(seed, friction);
      const ProximalNewton::Outcome outcome = solve(p, 1e-18);
      EXPECT_LE(outcome.figure, 1e-18) << friction << ", " << seed;
      EXPECT_LT(testing::worst_violation(p, p.solution.R), 1e-7) << friction << ", " << seed;
    }
}

// Sweeps come first, as they tell which contacts are closed: from nothing, a step closes one more.
TEST(ProximalNewton, BearsTheWeightsOfATower) {
  for (int contacts : {1, 3}) {
    LocalProblem p = testing::tower(100, contacts, DelassusForm::automatic);
    GaussSeidelSettings sweeps = testing::tight_gauss_seidel();
    sweeps.max_iterations = 20;
    GaussSeidel(sweeps).solve(p.dynamics, p.solution, Communicator());
    EXPECT_LE(solve(p, 1e-20).steps, 40);
    EXPECT_LT(testing::error_of_weights(p.solution.R, 100, contacts), 1e-6);
  }
}

// A coarse goal is met while weights are still wrong; what is left is at the goal, and in balance.
TEST(ProximalNewton, GoesOnUntilReactionsAreInBalance) {
  for (int contacts : {1, 3}) {
    constexpr double kCoarse = 1e-2;
    LocalProblem p = testing::tower(40, contacts, DelassusForm::automatic);
    const Communicator communicator;
    Channel channel(communicator);
    const Goal goal(kCoarse, {}, p.dynamics, communicator);
    ProximalNewton newton;
    newton.solve(p.dynamics, p.solution, goal, channel, communicator, {200});
    EXPECT_GT(testing::error_of_weights(p.solution.R, 40, contacts), 1e-2);
    const ProximalNewton::Outcome outcome =
        newton.balance(p.dynamics, p.solution, goal, channel, communicator, 200);
    EXPECT_GT(outcome.steps, 0);
    EXPECT_LE(outcome.figure, kCoarse);
    EXPECT_EQ(outcome.figure, merit(p.dynamics, p.solution, communicator));
    EXPECT_LT(testing::error_of_weights(p.solution.R, 40, contacts), 1e-6);
  }
}

TEST(ProximalNewton, AgreesWithGaussSeidelOnAllKindsOfRows) {
  for (int seed = 1; seed <= 6; seed++) {
    LocalProblem a = testing::all_kinds(seed), b = testing::all_kinds(seed);
    GaussSeidel(testing::tight_gauss_seidel()).solve(a.dynamics, a.solution, Communicator());
    EXPECT_LE(solve(b, 1e-20).figure, 1e-20) << seed;
    const Eigen::VectorXd U = flat(a.solution.U);
    EXPECT_LT((flat(b.solution.U) - U).norm(), 1e-7 * U.norm()) << seed;
  }
}

TEST(ProximalNewton, LeavesTheBestReactionsWithinItsBound) {
  LocalProblem p = testing::closing_contacts(6, 6, 14);
  update_velocities(p.dynamics, p.solution);
  double last = merit(p.dynamics, p.solution, Communicator());
  for (int steps : {0, 1, 3, 7}) {
    for (Vec3& R : p.solution.R) R.setZero();
    const ProximalNewton::Outcome outcome = solve(p, 1e-25, steps);
    EXPECT_LE(outcome.steps, steps);
    EXPECT_LE(outcome.figure, last);
    EXPECT_EQ(outcome.figure, merit(p.dynamics, p.solution, Communicator()));
    for (int row = 0; row < p.dynamics.rows(); row++)
      EXPECT_EQ(admissible(p.dynamics.law[row], p.solution.R[row]), p.solution.R[row]);
    last = outcome.figure;
  }
}

TEST(ProximalNewton, ContradictionsGiveNumbers) {
  LocalProblem p = testing::repeated_rows(2, 0.3);
  for (RowLaw& law : p.dynamics.law) law.kind = LawKind::fixed_point;
  p.dynamics.law[12].target = {1, 2, 3};
  const ProximalNewton::Outcome outcome = solve(p, 1e-12, 50);
  EXPECT_GT(outcome.figure, 1e-12);
  EXPECT_TRUE(std::isfinite(outcome.figure));
  EXPECT_TRUE(flat(p.solution.R).allFinite());
}

// Rows of W that are zero, as between bodies that do not move: they are asked to stay as they are.
TEST(ProximalNewton, RowsThatMoveNothing) {
  LocalProblem p = testing::start_problem({6, 6, 0}, 4, 0.01);
  testing::Random random(1);
  testing::add_random_row(p, random, 0, 1);
  testing::add_random_row(p, random, 0, -1);
  testing::add_random_row(p, random, 1, 2);
  testing::add_random_row(p, random, 2, -1);
  testing::finish_problem(p, DelassusForm::assembled);
  p.dynamics.B[3] = {0, 0, 1};
  EXPECT_LE(solve(p, 1e-20).figure, 1e-20);
  EXPECT_EQ(p.solution.R[3], Vec3(0, 0, 0));
}

TEST(ProximalNewton, KnowsWhatAStepCosts) {
  const Communicator communicator;
  Channel channel(communicator);
  ProximalNewton newton;
  LocalProblem small = testing::tower(10, 1, DelassusForm::assembled);
  LocalProblem large = testing::tower(100, 1, DelassusForm::assembled);
  const double cost = newton.step_operations(small.dynamics, small.solution, channel, communicator);
  EXPECT_GT(cost, 0);
  EXPECT_GT(newton.step_operations(large.dynamics, large.solution, channel, communicator),
            8 * cost);
}

// Contacts come to press one after the other: steps are dearer than the first.
TEST(ProximalNewton, EndsAfterSoManyOperations) {
  const Communicator communicator;
  Channel channel(communicator);
  LocalProblem p = testing::tower(40, 2, DelassusForm::assembled);
  const Goal goal(1e-20, {}, p.dynamics, communicator);
  ProximalNewton newton;
  const auto outcome_of = [&](const ProximalNewton::Bounds& bounds) {
    for (Vec3& R : p.solution.R) R.setZero();
    return newton.solve(p.dynamics, p.solution, goal, channel, communicator, bounds);
  };
  const ProximalNewton::Outcome four = outcome_of({.steps = 4});
  ASSERT_EQ(four.steps, 4);
  EXPECT_FALSE(four.stalled);
  EXPECT_EQ(outcome_of({1000, four.operations}).steps, 4);
  EXPECT_EQ(outcome_of({1000, 0.999 * four.operations}).steps, 4);
  const ProximalNewton::Outcome more = outcome_of({1000, 1.001 * four.operations});
  EXPECT_EQ(more.steps, 5);
  EXPECT_FALSE(more.stalled);
}

}  // namespace
}  // namespace solfec::proximal_newton_test
