// The solver without parameters: sweeps where they are quick, Newton steps where they are not.
#include "solver/automatic.hpp"

#include <gtest/gtest.h>

#include <string>

#include "local_dynamics/natural_map.hpp"
#include "support/hard_problems.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::automatic_test {
namespace {

using testing::flat;
using testing::LocalProblem;

Automatic tight() { return Automatic({1e-20, 1000}); }

TEST(Automatic, KeepsTheLawInEveryRow) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored})
    for (int seed = 1; seed <= 10; seed++) {
      LocalProblem p = testing::closing_contacts(seed, 8, 12, form);
      testing::Random random(seed);
      for (RowLaw& law : p.dynamics.law) law.restitution = random.uniform(0, 1);
      Automatic solver = tight();
      const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
      EXPECT_EQ(result.status, SolveStatus::ok) << seed;
      EXPECT_LE(result.merit, 1e-20);
      EXPECT_EQ(result.iterations, solver.iterations);
      EXPECT_LT(testing::worst_violation(p, p.solution.R), 1e-8) << seed;
    }
}

TEST(Automatic, SweepsWhereTheyAreQuick) {
  LocalProblem p = testing::tower(2, 1, DelassusForm::automatic);
  Automatic solver({1e-8, 1000});
  EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
  EXPECT_EQ(solver.newton_steps, 0);
  LocalProblem same = testing::tower(2, 1, DelassusForm::automatic);
  GaussSeidelSettings settings = testing::tight_gauss_seidel();
  settings.epsilon = 1;
  settings.merit_value = 1e-8;
  settings.memory = 5;
  EXPECT_EQ(GaussSeidel(settings).solve(same.dynamics, same.solution, Communicator()).iterations,
            solver.iterations);
  ASSERT_EQ(solver.path().size(), 1u);
  EXPECT_STREQ(solver.path()[0].method, "GS-AA");
}

TEST(Automatic, TakesNewtonStepsWhereSweepsAreSlow) {
  for (int contacts : {1, 3}) {
    LocalProblem p = testing::tower(150, contacts, DelassusForm::automatic);
    LocalProblem same = testing::tower(150, contacts, DelassusForm::automatic);
    Automatic solver = tight();
    EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
    EXPECT_GT(solver.newton_steps, 0);
    EXPECT_LE(solver.iterations, 470);
    EXPECT_LT(testing::error_of_weights(p.solution.R, 150, contacts), 1e-6);
    GaussSeidelSettings settings = testing::tight_gauss_seidel();
    settings.max_iterations = 10 * solver.iterations;
    GaussSeidel(settings).solve(same.dynamics, same.solution, Communicator());
    EXPECT_GT(testing::error_of_weights(same.solution.R, 150, contacts), 1);
  }
}

// Each stage once, in the order of time; the last one has reached the goal. Sweeps come first: as
// many alone leave what they left.
TEST(Automatic, TellsItsPath) {
  LocalProblem p = testing::tower(150, 3, DelassusForm::automatic);
  LocalProblem same = testing::tower(150, 3, DelassusForm::automatic);
  Automatic solver = tight();
  const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
  ASSERT_EQ(result.status, SolveStatus::ok);
  ASSERT_GE(solver.path().size(), 2u);
  EXPECT_STREQ(solver.path()[0].method, "GS-AA");
  EXPECT_STRNE(solver.path()[1].method, "GS-AA");
  int iterations = 0;
  for (const SolveStage& stage : solver.path()) iterations += stage.iterations;
  EXPECT_EQ(iterations, solver.iterations);
  EXPECT_EQ(solver.path().back().figure, result.merit);
  GaussSeidelSettings settings = testing::tight_gauss_seidel();
  settings.memory = 5;
  settings.max_iterations = solver.path()[0].iterations;
  GaussSeidel(settings).solve(same.dynamics, same.solution, Communicator());
  EXPECT_EQ(solver.path()[0].figure, merit(same.dynamics, same.solution, Communicator()));
}

// A tower takes thousands of sweeps: none comes back, whatever the bound on iterations.
TEST(Automatic, SweepsThatWouldNotArriveSitOut) {
  for (bool is_cold : {true, false})
    for (int bound : {150, 1000}) {
      LocalProblem p = testing::tower(150, 3, DelassusForm::automatic);
      if (!is_cold) std::ranges::fill(p.solution.R, Vec3(1e-6 * Vec3::UnitZ()));
      Automatic solver({1e-40, bound});
      EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).iterations, bound);
      ASSERT_GE(solver.path().size(), 2u);
      EXPECT_STREQ(solver.path()[0].method, "GS-AA");
      for (std::size_t k = 1; k < solver.path().size(); k++)
        EXPECT_STRNE(solver.path()[k].method, "GS-AA") << k;
    }
}

// From R = 0 they go on only where they would not take more work than interior points.
TEST(Automatic, InteriorPointsRightAfterFewSweeps) {
  LocalProblem p = testing::tower(150, 3, DelassusForm::automatic);
  Automatic solver = tight();
  ASSERT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
  ASSERT_EQ(solver.path().size(), 2u);
  EXPECT_LE(solver.path()[0].iterations, 60);
  EXPECT_STREQ(solver.path()[1].method, "IPM");
}

// Projected gradients are tried from R = 0, where sweeps have led neither near the goal nor far.
TEST(Automatic, GradientsBetweenNearAndFar) {
  int tried = 0;
  for (bool is_cold : {true, false})
    for (int blocks : {10, 20, 40, 80})
      for (double goal : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9}) {
        LocalProblem p = testing::tower(blocks, 3, DelassusForm::automatic);
        if (!is_cold) std::ranges::fill(p.solution.R, Vec3(1e-6 * Vec3::UnitZ()));
        Automatic solver({goal, 1000});
        EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
        const auto path = solver.path();
        if (path.size() < 2) continue;
        const double distance = path[0].figure / goal;
        const bool gradients = std::string(path[1].method) == "BB";
        EXPECT_EQ(gradients, is_cold && distance > 10 && distance < 1000) << blocks << ", " << goal;
        tried += gradients;
      }
  EXPECT_GT(tried, 0);
}

// Two motions of one hinge that differ cannot be had: rounds that gain nothing end the solve.
TEST(Automatic, EndsWhereNothingHelps) {
  LocalProblem p = testing::hinged_loop(3, DelassusForm::automatic);
  p.dynamics.law[7].target.y() = 0.02;
  Automatic solver({1e-8, std::numeric_limits<int>::max()});
  const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
  EXPECT_EQ(result.status, SolveStatus::diverged);
  EXPECT_LT(solver.iterations, 50000);
  EXPECT_LT(flat(p.solution.R).norm(), 100);  // 3 bars of weight 10
}

TEST(Automatic, TighterGoalsAreNotFartherAway) {
  for (int seed = 1; seed <= 4; seed++)
    for (double friction : {0.5, 1.0}) {
      double before = std::numeric_limits<double>::infinity();
      for (double merit_value : {1e-6, 1e-10, 1e-14, 1e-18, 1e-22, 1e-26, 1e-40}) {
        LocalProblem p = testing::repeated_rows(seed, friction);
        const double merit =
            Automatic({merit_value, 1000}).solve(p.dynamics, p.solution, Communicator()).merit;
        EXPECT_LE(merit, std::max(before, merit_value)) << seed << ", " << friction;
        before = std::min(before, std::max(merit, 1e-28));  // rounding
      }
    }
}

TEST(Automatic, AgreesWithGaussSeidelOnAllKindsOfRows) {
  for (int seed = 1; seed <= 6; seed++) {
    LocalProblem a = testing::all_kinds(seed), b = testing::all_kinds(seed);
    GaussSeidel(testing::tight_gauss_seidel()).solve(a.dynamics, a.solution, Communicator());
    EXPECT_EQ(tight().solve(b.dynamics, b.solution, Communicator()).status, SolveStatus::ok)
        << seed;
    const Eigen::VectorXd U = flat(a.solution.U);
    EXPECT_LT((flat(b.solution.U) - U).norm(), 1e-7 * U.norm()) << seed;
  }
}

TEST(Automatic, RepeatedRowsAndAllFrictions) {
  for (double friction : {0.0, 0.5, 2.0})
    for (int seed = 1; seed <= 4; seed++) {
      LocalProblem p = testing::repeated_rows(seed, friction);
      EXPECT_EQ(tight().solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok)
          << friction << ", " << seed;
      EXPECT_LT(testing::worst_violation(p, p.solution.R), 1e-7);
    }
}

TEST(Automatic, FailuresLeaveTheBestReactions) {
  LocalProblem p = testing::repeated_rows(2, 0.3);
  for (RowLaw& law : p.dynamics.law) law.kind = LawKind::fixed_point;
  p.dynamics.law[12].target = {1, 2, 3};  // and row 0, at the same place, wants to rest
  const double start = merit(p.dynamics, p.solution, Communicator());
  Automatic solver({1e-12, 300});
  const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
  EXPECT_NE(result.status, SolveStatus::ok);
  EXPECT_GE(result.iterations, 290);
  EXPECT_LE(result.iterations, 300);
  EXPECT_TRUE(flat(p.solution.R).allFinite());
  EXPECT_LE(result.merit, start);
  EXPECT_EQ(result.merit, merit(p.dynamics, p.solution, Communicator()));
  // No stage has missed by much less, but with larger reactions.
  double least = result.merit;
  for (const SolveStage& stage : solver.path()) least = std::min(least, stage.figure);
  EXPECT_LE(result.merit, 1.5 * least);
  EXPECT_LT(testing::flat(p.solution.R).norm(),
            testing::flat(p.dynamics.B).norm() / p.dynamics.W.diagonal(0)(0, 0));
}

TEST(Automatic, LeavesNothingWorseThanTheStartOrNoReactions) {
  for (int seed = 1; seed <= 4; seed++)
    for (int bound : {1, 2, 10, 40}) {
      LocalProblem p = testing::repeated_rows(seed, 2);
      const double none = merit(p.dynamics, p.solution, Communicator());
      testing::Random random(seed);
      for (Vec3& R : p.solution.R) R = 1e6 * random.direction();
      Automatic solver({1e-40, bound});
      EXPECT_LE(solver.solve(p.dynamics, p.solution, Communicator()).merit, none) << seed;
      tight().solve(p.dynamics, p.solution, Communicator());
      const double start = merit(p.dynamics, p.solution, Communicator());
      EXPECT_LE(solver.solve(p.dynamics, p.solution, Communicator()).merit, start) << seed;
    }
}

TEST(Automatic, EndsByTheErrorOfTheNaturalMap) {
  for (double error : {1e-3, 1e-9}) {
    LocalProblem p = testing::tower(60, 2, DelassusForm::automatic);
    Automatic solver({1, 100000});
    solver.target = {error};
    EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
    EXPECT_LE(natural_map_error(p.dynamics, p.solution, Communicator()), error);
    std::ranges::fill(p.solution.R, Vec3(Vec3::Zero()));
    solver.target = {1e-30, 1e-9};
    EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status,
              SolveStatus::out_of_time);
    EXPECT_EQ(solver.iterations, 1);
  }
}

TEST(Automatic, RecordsAndNames) {
  testing::expect_records(Automatic(AutomaticSettings{}), SolverKind::automatic, "AUTO_SOLVER");
}

TEST(Automatic, NoContactsAreNoProblem) {
  LocalDynamics empty;
  const int sizes[] = {6, 0, 12};
  empty.clear(0.01, sizes);
  empty.W.finish(DelassusForm::automatic);
  LocalSolution nothing(empty);
  const SolveResult result = tight().solve(empty, nothing, Communicator());
  EXPECT_EQ(result.status, SolveStatus::ok);
  EXPECT_EQ(result.merit, 0);
}

}  // namespace
}  // namespace solfec::automatic_test
