// The solver without parameters, and the proximal Newton method in it, on several ranks against
// one.
#include "solver/automatic.hpp"

#include <gtest/gtest.h>

#include "support/hard_problems.hpp"
#include "support/split_cases.hpp"

namespace solfec::automatic_test {
namespace {

using testing::Case;
using testing::expect_same_on_all_ranks;
using testing::flat;
using testing::ProblemPart;

TEST(ParallelAutomatic, RanksFindWhatOneFinds) {
  constexpr std::size_t kMostStages = 30;
  for (DelassusForm form : testing::kForms)
    for (Case& c : testing::all_cases(3, form)) {
      SCOPED_TRACE(c.name);
      Automatic one({1e-20, 1000}), many({1e-20, 1000});
      const SolveResult result = testing::expect_what_one_rank_finds(one, many, c, form, 1e-8);
      std::vector<double> left = {1.0 * many.iterations, 1.0 * many.newton_steps, result.merit};
      ASSERT_LE(many.path().size(), kMostStages);
      for (const SolveStage& stage : many.path()) {
        left.push_back(stage.iterations);
        left.push_back(stage.figure);
      }
      left.resize(3 + 2 * kMostStages);
      expect_same_on_all_ranks(left);
    }
}

// Loops of hinges with redundant joints, bars spread over the ranks: reactions of least norm by
// both solvers, contradictions the same.
TEST(ParallelJointReactions, LeastNormOverManyRanks) {
  constexpr int kBars = 3;
  for (DelassusForm form : testing::kForms) {
    Case c{"loop", testing::hinged_loop(kBars, form), {}};
    const int rows = c.problem.dynamics.rows();
    for (int row = 0; row < rows; row++) c.owner.push_back(row * Communicator().size() / rows);
    const Eigen::VectorXd exact =
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(c.problem.W)
            .setThreshold(1e-10)
            .solve(-flat(c.problem.dynamics.B));
    Automatic automatic({1e-20, 1000});
    GaussSeidelSettings sweeps;
    sweeps.epsilon = 1e-12;
    sweeps.merit_value = 1e-16;
    sweeps.max_iterations = 100000;
    GaussSeidel gauss_seidel(sweeps);
    for (Solver* solver : std::initializer_list<Solver*>{&automatic, &gauss_seidel}) {
      ProblemPart part = testing::my_part(c, form);
      const SolveResult result = solver->solve(part.dynamics, part.solution, Communicator());
      EXPECT_EQ(result.status, SolveStatus::ok) << solver->name();
      const auto R = testing::of_all(part, part.solution.R, rows);
      EXPECT_LT((flat(R) - exact).norm(), 1e-5 * exact.norm()) << solver->name();
      for (std::size_t k = part.dynamics.rows(); k < part.rows.size(); k++)
        EXPECT_EQ(part.solution.R[k], R[part.rows[k]]);
      expect_same_on_all_ranks({result.merit, 1.0 * result.iterations});
    }
    c.problem.dynamics.law.back().target.y() = 0.02;
    std::vector<double> sums;
    for (const bool many : {false, true}) {
      const Communicator communicator = many ? Communicator() : Communicator::alone();
      ProblemPart part = testing::my_part(c, form);
      const LocalDynamics& d = many ? part.dynamics : c.problem.dynamics;
      LocalSolution& s = many ? part.solution : c.problem.solution;
      Channel channel(communicator);
      double sum = 0;
      for (double share : JointReactions().contradictions(d, s, channel, communicator))
        sum += share;
      sums.push_back(communicator.sum(sum));
    }
    EXPECT_GT(sums[0], 1e-4);
    EXPECT_NEAR(sums[1], sums[0], 1e-6 * sums[0]);
  }
}

constexpr int kBlocks = 120, kContacts = 2, kRows = kBlocks * kContacts;

// A tower in slices of a rank each: sweeps are slow.
ProblemPart tower_part(DelassusForm form) {
  Case c{"tower", testing::tower(kBlocks, kContacts, form), {}};
  for (int row = 0; row < kRows; row++) c.owner.push_back(row * Communicator().size() / kRows);
  return testing::my_part(c, form);
}

// Factors of slices precondition well.
TEST(ParallelProximalNewton, RanksSolveStepsTogether) {
  for (DelassusForm form : testing::kForms) {
    const Communicator communicator;
    ProblemPart part = tower_part(form);
    GaussSeidel(GaussSeidelSettings::by_merit(1e-20, 20))
        .solve(part.dynamics, part.solution, communicator);
    Channel channel(communicator);
    ProximalNewton newton;
    const Goal goal(1e-20, {}, part.dynamics, communicator);
    const double cost = newton.step_operations(part.dynamics, part.solution, channel, communicator);
    const ProximalNewton::Outcome outcome =
        newton.solve(part.dynamics, part.solution, goal, channel, communicator, {100});
    EXPECT_LE(outcome.figure, 1e-20);
    const auto R = testing::of_all(part, part.solution.R, kRows);
    EXPECT_LT(testing::error_of_weights(R, kBlocks, kContacts), 1e-6);
    for (std::size_t k = part.dynamics.rows(); k < part.rows.size(); k++)
      EXPECT_EQ(part.solution.R[k], R[part.rows[k]]);
    expect_same_on_all_ranks({cost, 1.0 * outcome.steps, outcome.figure});
  }
}

TEST(ParallelAutomatic, NewtonStepsOverManyRanks) {
  for (DelassusForm form : testing::kForms) {
    ProblemPart part = tower_part(form);
    Automatic solver({1e-20, 1000});
    const SolveResult result = solver.solve(part.dynamics, part.solution, Communicator());
    EXPECT_EQ(result.status, SolveStatus::ok);
    EXPECT_GT(solver.newton_steps, 0);
    EXPECT_LE(solver.iterations, 470);
    EXPECT_LE(solver.newton_steps, 170);
    const auto R = testing::of_all(part, part.solution.R, kRows);
    EXPECT_LT(testing::error_of_weights(R, kBlocks, kContacts), 1e-6);
    expect_same_on_all_ranks({1.0 * solver.iterations, 1.0 * solver.newton_steps, result.merit});
  }
}

TEST(ParallelAutomatic, FailuresAreThoseOfAllRanks) {
  for (Case& c : testing::all_cases(4, DelassusForm::factored)) {
    SCOPED_TRACE(c.name);
    ProblemPart part = testing::my_part(c, DelassusForm::factored);
    Automatic solver({1e-25, 3});
    const SolveResult result = solver.solve(part.dynamics, part.solution, Communicator());
    EXPECT_EQ(result.status, SolveStatus::diverged);
    EXPECT_EQ(result.iterations, 3);
    const auto R = testing::of_all(part, part.solution.R, c.problem.dynamics.rows());
    for (std::size_t k = part.dynamics.rows(); k < part.rows.size(); k++)
      EXPECT_EQ(part.solution.R[k], R[part.rows[k]]);
    expect_same_on_all_ranks({result.merit});
  }
}

}  // namespace
}  // namespace solfec::automatic_test
