// The projected quasi-Newton method on random problems: the law in plain words in every row, the
// velocities that Gauss-Seidel finds, all kinds of rows, failures.
#include "solver/newton.hpp"

#include <gtest/gtest.h>

#include "local_dynamics/natural_map.hpp"
#include "support/hard_problems.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::newton_test {
namespace {

using testing::closing_contacts;
using testing::flat;
using testing::LocalProblem;
using testing::Random;
using testing::tight_newton;

SolveResult solve_tightly(LocalProblem& p) {
  return GaussSeidel(testing::tight_gauss_seidel()).solve(p.dynamics, p.solution, Communicator());
}

TEST(Newton, KeepsTheLawInEveryRow) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored})
    for (int seed = 1; seed <= 10; seed++) {
      LocalProblem p = closing_contacts(seed, 8, 12, form);
      Random random(seed);
      for (RowLaw& law : p.dynamics.law) {
        law.restitution = random.integer(0, 1) * random.uniform(0, 1);
        law.cohesion = random.integer(0, 3) == 0 ? random.uniform(0, 5) : 0;
      }
      Newton solver(tight_newton());
      const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
      EXPECT_EQ(result.status, SolveStatus::ok) << seed;
      EXPECT_LE(result.merit, 1e-20);
      EXPECT_LT(testing::worst_violation(p, p.solution.R), 1e-8) << seed;
      EXPECT_NEAR((flat(p.solution.U) - flat(p.dynamics.B) - p.W * flat(p.solution.R)).norm(), 0,
                  1e-12);
      EXPECT_EQ(static_cast<int>(solver.merit_history.size()), result.iterations);
      EXPECT_EQ(solver.merit_history.back(), result.merit);
      ASSERT_EQ(solver.product_history.size(), solver.merit_history.size());
      for (int products : solver.product_history) {
        EXPECT_GE(products, 1);
        EXPECT_LE(products, 11);
      }
    }
}

TEST(Newton, AgreesWithGaussSeidelOnAllKindsOfRows) {
  for (int seed = 1; seed <= 6; seed++) {
    LocalProblem a = testing::all_kinds(seed), b = testing::all_kinds(seed);
    ASSERT_EQ(solve_tightly(a).status, SolveStatus::ok);
    NewtonSettings settings = tight_newton();
    settings.linear_max_iterations = 40;
    settings.epsilon = 1e-3;
    Newton solver(settings);
    ASSERT_EQ(solver.solve(b.dynamics, b.solution, Communicator()).status, SolveStatus::ok) << seed;
    const Eigen::VectorXd U = flat(a.solution.U);
    EXPECT_LT((flat(b.solution.U) - U).norm(), 1e-7 * U.norm()) << seed;
  }
}

TEST(Newton, ConvergesQuadraticallyNearASolution) {
  std::vector<double> orders;
  for (int seed = 1; seed <= 10; seed++) {
    LocalProblem p = testing::full_rank(seed);
    ASSERT_EQ(solve_tightly(p).status, SolveStatus::ok);
    Random random(seed);
    for (Vec3& R : p.solution.R) R += 1e-2 * R.norm() * random.in_box(1);
    NewtonSettings settings = tight_newton();
    settings.merit_value = 1e-26;
    settings.delta = 0;
    settings.epsilon = 1e-14;
    settings.linear_max_iterations = 60;
    Newton solver(settings);
    EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok) << seed;
    EXPECT_LE(solver.iterations, 5) << seed;
    // The merit is a square of errors: g -> c g^2. Kinks may come first, rounding last.
    for (std::size_t k = 1; k < solver.merit_history.size(); k++)
      if (solver.merit_history[k - 1] < 1e-6 && solver.merit_history[k] > 1e-27)
        orders.push_back(std::log(solver.merit_history[k]) / std::log(solver.merit_history[k - 1]));
  }
  ASSERT_GE(orders.size(), 9u);
  for (double order : orders) EXPECT_GT(order, 1.7);
}

TEST(Newton, WithoutBlocksItFindsTheSame) {
  NewtonSettings settings = tight_newton();
  Newton with(settings);
  settings.matrix_free = true;
  Newton without(settings);
  EXPECT_EQ(with.delassus_form(), DelassusForm::automatic);
  EXPECT_EQ(without.delassus_form(), DelassusForm::factored);
  LocalProblem a = closing_contacts(3, 8, 12, DelassusForm::assembled);
  LocalProblem b = closing_contacts(3, 8, 12, without.delassus_form());
  with.solve(a.dynamics, a.solution, Communicator());
  without.solve(b.dynamics, b.solution, Communicator());
  EXPECT_FALSE(b.dynamics.W.assembled());
  EXPECT_LT((flat(a.solution.R) - flat(b.solution.R)).norm(), 1e-8 * flat(a.solution.R).norm());
}

TEST(Newton, BySweepsItFindsTheSameWithFewerProducts) {
  int by_diagonal = 0, by_sweeps = 0;
  for (int seed = 1; seed <= 5; seed++) {
    NewtonSettings settings = tight_newton();
    Newton diagonal(settings);
    settings.swept = true;
    Newton swept(settings);
    LocalProblem a = closing_contacts(seed, 12, 20, DelassusForm::factored);
    LocalProblem b = closing_contacts(seed, 12, 20, DelassusForm::factored);
    diagonal.solve(a.dynamics, a.solution, Communicator());
    swept.solve(b.dynamics, b.solution, Communicator());
    EXPECT_LT((flat(a.solution.U) - flat(b.solution.U)).norm(), 1e-8 * flat(a.solution.U).norm());
    for (const int products : diagonal.product_history) by_diagonal += products;
    for (const int products : swept.product_history) by_sweeps += products;
  }
  EXPECT_LT(by_sweeps, 0.9 * by_diagonal);
}

TEST(Newton, RowsOneByOne) {
  int solved = 0;
  for (int seed = 1; seed <= 10; seed++) {
    LocalProblem p = closing_contacts(seed, 12, 8);
    NewtonSettings settings = tight_newton();
    settings.linear_method = LinearMethod::diagonal;
    settings.merit_value = 1e-12;
    Newton solver(settings);
    if (solver.solve(p.dynamics, p.solution, Communicator()).status != SolveStatus::ok) continue;
    EXPECT_LT(testing::worst_violation(p, p.solution.R), 1e-4);
    EXPECT_EQ(solver.product_history.back(), 0);
    solved++;
  }
  EXPECT_GE(solved, 8);
}

TEST(Newton, UnitsOfDelta) {
  const auto iterations = [](DeltaUnit unit, double delta) {
    LocalProblem p = closing_contacts(5, 8, 12);
    NewtonSettings settings = tight_newton();
    settings.delta_unit = unit;
    settings.delta = delta;
    Newton solver(settings);
    solver.solve(p.dynamics, p.solution, Communicator());
    return solver.merit_history;
  };
  LocalProblem p = closing_contacts(5, 8, 12);
  const Eigen::VectorXd w = p.W.diagonal();
  const auto near = [](const std::vector<double>& a, const std::vector<double>& b) {
    ASSERT_FALSE(a.empty());
    EXPECT_NEAR(a[0], b[0], 1e-9 * a[0]);
  };
  near(iterations(DeltaUnit::average, 0.01), iterations(DeltaUnit::absolute, 0.01 * w.mean()));
  near(iterations(DeltaUnit::smallest, 0.1), iterations(DeltaUnit::absolute, 0.1 * w.minCoeff()));
  near(iterations(DeltaUnit::largest, 0.1), iterations(DeltaUnit::absolute, 0.1 * w.maxCoeff()));
}

TEST(Newton, RepeatedRowsAndAllFrictions) {
  for (double friction : {0.0, 0.5, 2.0})
    for (int seed = 1; seed <= 4; seed++) {
      LocalProblem p = testing::repeated_rows(seed, friction);
      NewtonSettings settings = tight_newton();
      settings.merit_value = 1e-10;
      settings.omega = 1e-13;
      settings.falls_back = true;
      Newton solver(settings);
      const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
      EXPECT_TRUE(flat(p.solution.R).allFinite());
      EXPECT_EQ(result.status, SolveStatus::ok) << friction << ", " << seed;
      EXPECT_LE(result.merit, 1e-10);
    }
}

TEST(Newton, FailuresLeaveTheBestReactions) {
  LocalProblem p = closing_contacts(6, 6, 14);
  NewtonSettings settings = tight_newton();
  settings.max_iterations = 3;
  Newton solver(settings);
  SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
  EXPECT_EQ(result.status, SolveStatus::diverged);
  EXPECT_EQ(solver.iterations, 3);
  EXPECT_EQ(solver.fallback_sweeps, 0);
  EXPECT_EQ(result.merit, std::min(1.0, *std::ranges::min_element(solver.merit_history)));
  // Products are bounded too.
  settings.max_iterations = 1000;
  settings.max_products = 7;
  Newton bounded(settings);
  std::ranges::fill(p.solution.R, Vec3(Vec3::Zero()));
  EXPECT_EQ(bounded.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::diverged);
  EXPECT_LE(bounded.iterations, 7);
  // Gauss-Seidel goes on from there.
  settings.falls_back = true;
  settings.merit_value = 1e-12;
  Newton helped(settings);
  std::ranges::fill(p.solution.R, Vec3(Vec3::Zero()));
  result = helped.solve(p.dynamics, p.solution, Communicator());
  EXPECT_EQ(result.status, SolveStatus::ok);
  EXPECT_LE(result.merit, 1e-12);
  EXPECT_GT(helped.fallback_sweeps, 0);
}

TEST(Newton, ContradictionsGiveNumbers) {
  // Two fixed points on one end want different velocities.
  LocalProblem p = testing::repeated_rows(2, 0.3);
  for (RowLaw& law : p.dynamics.law) law.kind = LawKind::fixed_point;
  p.dynamics.law[12].target = {1, 2, 3};
  for (bool falls_back : {false, true}) {
    std::ranges::fill(p.solution.R, Vec3(Vec3::Zero()));
    NewtonSettings settings = tight_newton();
    settings.delta = 0;
    settings.max_iterations = 50;
    settings.falls_back = falls_back;
    Newton solver(settings);
    const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
    EXPECT_NE(result.status, SolveStatus::ok);
    EXPECT_TRUE(flat(p.solution.R).allFinite());
    EXPECT_TRUE(std::isfinite(result.merit));
  }
}

TEST(Newton, JointsAlone) {
  LocalProblem p = testing::full_rank(3);
  for (RowLaw& law : p.dynamics.law) law.kind = LawKind::fixed_point;
  NewtonSettings settings = tight_newton();
  settings.delta = 0;
  settings.linear_max_iterations = 60;
  settings.epsilon = 1e-12;
  Newton solver(settings);
  EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
  EXPECT_LE(solver.iterations, 3);  // it is linear, and solved to 1E-12
  const Eigen::VectorXd R = -p.W.ldlt().solve(flat(p.dynamics.B));
  EXPECT_LT((flat(p.solution.R) - R).norm(), 1e-8 * R.norm());
}

TEST(Newton, SmoothingSweepsComeBeforeAndAfter) {
  LocalProblem p = closing_contacts(7, 8, 12);
  NewtonSettings settings = tight_newton();
  settings.merit_value = 1e-4;
  settings.omega = 1e-7;
  Newton plain(settings);
  const double before = plain.solve(p.dynamics, p.solution, Communicator()).merit;
  std::ranges::fill(p.solution.R, Vec3(Vec3::Zero()));
  settings.smoothing = 20;
  Newton smoothed(settings);
  const SolveResult result = smoothed.solve(p.dynamics, p.solution, Communicator());
  EXPECT_LT(result.merit, 0.1 * before);
  EXPECT_LT(smoothed.iterations, plain.iterations);
}

TEST(Newton, EndsByTheErrorOfTheNaturalMap) {
  for (double error : {1e-3, 1e-9}) {
    LocalProblem p = closing_contacts(4, 8, 12);
    NewtonSettings settings = tight_newton();
    settings.omega = 1e-3 * error;
    Newton solver(settings);
    solver.target = {error};
    EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
    const double reached = natural_map_error(p.dynamics, p.solution, Communicator());
    EXPECT_LE(reached, error);
    EXPECT_NEAR(solver.merit_history.back(), reached, 1e-9 * error);
    EXPECT_GT(*std::prev(solver.merit_history.end(), 2), error);
    solver.target = {1e-20, 1e-9};
    std::ranges::fill(p.solution.R, Vec3(Vec3::Zero()));
    EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status,
              SolveStatus::out_of_time);
    EXPECT_EQ(solver.iterations, 1);
  }
}

// A problem in other units of reactions: W has other numbers, and the path stays the same (the
// merit along it does not).
TEST(Newton, ScaledItDoesNotKnowUnits) {
  std::vector<std::vector<Vec3>> paths;
  for (double unit : {1.0, 1e5}) {
    LocalProblem p = closing_contacts(4, 8, 12);
    LocalDynamics d = p.dynamics;
    BlockRows blocks;
    blocks.begin.push_back(0);
    for (int row = 0; row < 12; row++) {
      for (int column = 0; column < 12; column++) {
        blocks.column.push_back(column);
        blocks.value.push_back(unit * p.W.block<3, 3>(3 * row, 3 * column));
      }
      blocks.begin.push_back(blocks.column.size());
    }
    d.W.set_blocks(0.01, blocks);
    NewtonSettings settings = tight_newton();
    settings.reaction_scale = 1;
    std::vector<Vec3> path;
    for (int steps = 1; steps <= 4; steps++) {
      settings.max_iterations = steps;
      Newton solver(settings);
      LocalSolution s(d);
      solver.gives_up = [&](double) {
        if (solver.iterations == steps)
          for (const Vec3& R : s.R) path.push_back(unit * R);
        return false;
      };
      solver.solve(d, s, Communicator());
    }
    paths.push_back(path);
  }
  ASSERT_EQ(paths[0].size(), 4u * 12u);
  EXPECT_LT((flat(paths[0]) - flat(paths[1])).norm(), 1e-6 * flat(paths[0]).norm());
}

TEST(Newton, GivesUpWhenAskedTo) {
  LocalProblem p = closing_contacts(4, 8, 12);
  Newton solver(tight_newton());
  std::vector<double> asked;
  solver.gives_up = [&](double measure) {
    asked.push_back(measure);
    return asked.size() == 3;
  };
  EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::diverged);
  EXPECT_EQ(solver.merit_history, asked);
  EXPECT_EQ(solver.iterations, 3);
}

TEST(Newton, RecordsAndNames) {
  testing::expect_records(Newton(NewtonSettings{}), SolverKind::newton, "NEWTON_SOLVER");
}

TEST(Newton, NoContactsAreNoProblem) {
  LocalDynamics empty;
  const int sizes[] = {6, 0, 12};
  empty.clear(0.01, sizes);
  empty.W.finish(DelassusForm::automatic);
  for (DeltaUnit unit : {DeltaUnit::absolute, DeltaUnit::average, DeltaUnit::smallest}) {
    NewtonSettings settings = tight_newton();
    settings.delta_unit = unit;
    Newton solver(settings);
    LocalSolution nothing(empty);
    const SolveResult result = solver.solve(empty, nothing, Communicator());
    EXPECT_EQ(result.status, SolveStatus::ok);
    EXPECT_EQ(result.merit, 0);
  }
}

}  // namespace
}  // namespace solfec::newton_test
