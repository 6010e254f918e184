// Splitting by rows: rates that are known exactly, all orders of rows, terms and held parts.
#include "solver/splitting_method.hpp"

#include <gtest/gtest.h>

#include "solver/goal.hpp"
#include "solver/inequality_error.hpp"
#include "support/hard_problems.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::splitting_method_test {
namespace {

using testing::flat;

struct Solve {
  const LocalDynamics& p;
  const Communicator alone = Communicator::alone();
  Channel channel = Channel(alone);

  IterationOutcome operator()(LocalSolution& s, const SplittingSettings& settings,
                              const Criterion& criterion, int sweeps,
                              const ConeInequality& inequality,
                              const ProximalTerm* term = nullptr) {
    return SplittingMethod().solve({p, s, criterion, channel, alone}, inequality, term, settings,
                                   sweeps);
  }
};

// One row: each sweep leaves 1 - omega of what is missing. With a second row on the same group the
// sweep is that of the matrices, (D / omega + L) dR = -U.
TEST(SplittingMethod, RelaxationIsThatOfTheMatrix) {
  for (double omega : {0.5, 1.0, 1.3, 1.8})
    for (int rows : {1, 2}) {
      testing::LocalProblem p = testing::closing_contacts(4, 2, rows);
      for (RowLaw& law : p.dynamics.law) law.kind = LawKind::fixed_point;
      Solve solve{p.dynamics};
      const Goal goal(1e-30, std::nullopt, p.dynamics, solve.alone);
      SplittingSettings settings;
      settings.omega = omega;
      const Eigen::VectorXd B = flat(p.dynamics.B);
      Eigen::MatrixXd M = p.W.triangularView<Eigen::StrictlyLower>();
      for (int row = 0; row < rows; row++) {
        const Mat3 block = p.W.block<3, 3>(3 * row, 3 * row);
        M.block<3, 3>(3 * row, 3 * row) = block / omega;
      }
      Eigen::VectorXd R = Eigen::VectorXd::Zero(3 * rows);
      for (int sweep = 1; sweep <= 4; sweep++) {
        R -= M.partialPivLu().solve(p.W * R + B);
        LocalSolution s(p.dynamics);
        solve(s, settings, goal, sweep, ConeInequality(p.dynamics));
        EXPECT_LT((flat(s.R) - R).norm(), 1e-8 * R.norm()) << omega << ' ' << rows;
      }
    }
}

TEST(SplittingMethod, EveryOrderSolves) {
  for (int seed = 0; seed < 5; seed++) {
    testing::LocalProblem p = testing::closing_contacts(seed, 8, 10);
    Solve solve{p.dynamics};
    const Goal goal(0, ErrorTarget{1e-10, 60}, p.dynamics, solve.alone);
    std::vector<int> sweeps;
    for (RowOrder order : {RowOrder::given, RowOrder::shuffled, RowOrder::shuffled_every_sweep})
      for (bool adaptive : {false, true}) {
        SplittingSettings settings;
        settings.local = {LocalMethod::adaptive_projections};
        settings.adaptive = adaptive;
        settings.order = order;
        LocalSolution s(p.dynamics), again(p.dynamics);
        const IterationOutcome outcome =
            solve(s, settings, goal, 100000, ConeInequality(p.dynamics));
        ASSERT_EQ(outcome.status, SolveStatus::ok) << seed;
        EXPECT_LE(outcome.figure, 1e-10);
        EXPECT_LT(testing::worst_violation(p, s.R), 1e-6);
        sweeps.push_back(outcome.iterations);
        // Shuffling is the same in each solve.
        solve(again, settings, goal, 100000, ConeInequality(p.dynamics));
        EXPECT_EQ(flat(again.R), flat(s.R));
      }
    EXPECT_NE(sweeps[0], sweeps[4]);
  }
}

// The same as of GAUSS_SEIDEL_SOLVER, which solves rows exactly.
TEST(SplittingMethod, SweepsAreThoseOfGaussSeidel) {
  testing::LocalProblem p = testing::closing_contacts(2, 8, 10);
  for (int row : {1, 6}) p.dynamics.law[row].kind = LawKind::fixed_direction;
  for (int row = 0; row < 10; row += 2) {
    p.dynamics.law[row].restitution = 0.4;
    p.dynamics.law[row].cohesion = p.dynamics.law[row].is_contact() ? 0.2 : 0;
  }
  Solve solve{p.dynamics};
  const Goal goal(1e-30, std::nullopt, p.dynamics, solve.alone);
  SplittingSettings settings;
  settings.local = {LocalMethod::exact};
  for (int sweeps : {1, 2, 5}) {
    LocalSolution s(p.dynamics), expected(p.dynamics);
    GaussSeidelSettings gs = testing::tight_gauss_seidel();
    gs.max_iterations = sweeps;
    gs.least_norm = false;
    GaussSeidel(gs).solve(p.dynamics, expected, solve.alone);
    solve(s, settings, goal, sweeps, ConeInequality(p.dynamics));
    EXPECT_LT((flat(s.R) - flat(expected.R)).norm(), 1e-9 * flat(expected.R).norm());
  }
}

// With a term the velocities are those of W + shift.
TEST(SplittingMethod, TermGivesFullRank) {
  testing::LocalProblem p = testing::repeated_rows(1, 0.3);
  Solve solve{p.dynamics};
  const Goal goal(0, ErrorTarget{1e-10, 60}, p.dynamics, solve.alone);
  const ConeInequality inequality(p.dynamics);
  ProximalTerm term{2.5, {}};
  testing::Random random(3);
  for (int row = 0; row < p.dynamics.rows(); row++) term.centre.push_back(random.in_box(1));
  const InequalityError error(inequality, &term, 1e-9, goal, solve.alone);
  SplittingSettings settings;
  settings.local = {LocalMethod::exact};
  const IterationOutcome outcome = solve(p.solution, settings, error, 10000, inequality, &term);
  ASSERT_EQ(outcome.status, SolveStatus::ok);
  const Eigen::VectorXd R = flat(p.solution.R),
                        U = p.W * R + flat(p.dynamics.B) + 2.5 * (R - flat(term.centre));
  for (int row = 0; row < p.dynamics.rows(); row++)
    EXPECT_LT(testing::law_violation(U.segment<3>(3 * row), p.solution.R[row], 0.3, 1, 1), 1e-7);
}

TEST(SplittingMethod, SaysThatItFails) {
  testing::LocalProblem p = testing::closing_contacts(1, 8, 10);
  Solve solve{p.dynamics};
  const ConeInequality inequality(p.dynamics);
  const Goal late(0, ErrorTarget{1e-15, 1e-9}, p.dynamics, solve.alone);
  EXPECT_EQ(solve(p.solution, {}, late, 1000, inequality).status, SolveStatus::out_of_time);
  const Goal goal(1e-30, std::nullopt, p.dynamics, solve.alone);
  LocalSolution s(p.dynamics);
  const IterationOutcome outcome = solve(s, {}, goal, 3, inequality);
  EXPECT_EQ(outcome.status, SolveStatus::diverged);
  EXPECT_EQ(outcome.iterations, 3);
  EXPECT_DOUBLE_EQ(outcome.figure, merit(p.dynamics, s, solve.alone));
}

}  // namespace
}  // namespace solfec::splitting_method_test
