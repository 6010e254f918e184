// Gauss-Seidel on random problems: the law in plain words in every row, the same velocities as by
// projected gradients, criteria, statuses.
#include "solver/gauss_seidel.hpp"

#include <gtest/gtest.h>

#include "local_dynamics/contact_problem.hpp"
#include "local_dynamics/natural_map.hpp"
#include "support/hard_problems.hpp"
#include "support/local_problem.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::gauss_seidel_test {
namespace {

using testing::closing_contacts;
using testing::LocalProblem;
using testing::Random;
using testing::tight_gauss_seidel;

double worst_violation(const LocalProblem& p) { return testing::worst_violation(p, p.solution.R); }

TEST(GaussSeidel, KeepsTheLawInEveryRow) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored})
    for (int seed = 1; seed <= 10; seed++) {
      LocalProblem p = closing_contacts(seed, 8, 12, form);
      Random random(seed);
      for (RowLaw& law : p.dynamics.law) {
        law.restitution = random.integer(0, 1) * random.uniform(0, 1);
        law.cohesion = random.integer(0, 3) == 0 ? random.uniform(0, 5) : 0;
      }
      GaussSeidel solver(tight_gauss_seidel());
      const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
      EXPECT_EQ(result.status, SolveStatus::ok);
      EXPECT_LE(result.merit, 1e-20);
      EXPECT_LT(worst_violation(p), 1e-8) << seed;
      EXPECT_NEAR((testing::flat(p.solution.U) - testing::flat(p.dynamics.B) -
                   p.W * testing::flat(p.solution.R))
                      .norm(),
                  0, 1e-12);
      for (int row = 0; row < p.dynamics.rows(); row++)
        EXPECT_TRUE(in_friction_cone(shifted_reaction(p.dynamics.law[row], p.solution.R[row]),
                                     p.dynamics.law[row].friction, 1e-12));
    }
}

// R <- proj_K(R - rho (U_T, U_N + mu |U_T|)), a step small enough to converge for sure.
std::vector<Vec3> by_projected_gradients(const LocalProblem& p) {
  const LocalDynamics& d = p.dynamics;
  const double rho =
      0.3 / Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(p.W).eigenvalues().maxCoeff();
  std::vector<Vec3> R(d.rows(), Vec3::Zero());
  for (int iteration = 0; iteration < 400000; iteration++) {
    const Eigen::VectorXd U = testing::flat(d.B) + p.W * testing::flat(R);
    double change = 0, size = 0;
    for (int row = 0; row < d.rows(); row++) {
      const Vec3 u = U.segment<3>(3 * row);
      const double mu = d.law[row].friction;
      const Vec3 next = project_on_friction_cone(
          R[row] - rho * Vec3(u.x(), u.y(), u.z() + mu * u.head<2>().norm()), mu);
      change += (next - R[row]).squaredNorm();
      size += next.squaredNorm();
      R[row] = next;
    }
    if (change <= 1e-26 * size) return R;
  }
  ADD_FAILURE() << "projected gradients do not settle";
  return R;
}

TEST(GaussSeidel, AgreesWithProjectedGradients) {
  for (int seed = 1; seed <= 5; seed++) {
    LocalProblem p = closing_contacts(seed, 10, 8);
    GaussSeidel solver(tight_gauss_seidel());
    ASSERT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
    const std::vector<Vec3> R = by_projected_gradients(p);
    const Eigen::VectorXd difference = testing::flat(R) - testing::flat(p.solution.R);
    EXPECT_NEAR(difference.norm(), 0, 1e-6 * testing::flat(R).norm()) << seed;
  }
}

TEST(GaussSeidel, RedundantContactsHaveUniqueVelocities) {
  // Many contacts on few bodies: W is singular, without friction U is unique all the same.
  LocalProblem p = closing_contacts(3, 4, 30);
  for (RowLaw& law : p.dynamics.law) law.friction = 0;
  // Consistent velocities: B from velocities of the groups.
  Random random(5);
  Eigen::VectorXd u(p.G.cols());
  for (int k = 0; k < u.size(); k++) u[k] = random.uniform(-1, 1);
  const Eigen::VectorXd B = p.G * u;
  for (int row = 0; row < 30; row++) p.dynamics.B[row] = B.segment<3>(3 * row);
  std::vector<Vec3> forward;
  for (bool reverse : {false, true}) {
    std::ranges::fill(p.solution.R, Vec3(Vec3::Zero()));
    GaussSeidelSettings settings = tight_gauss_seidel();
    settings.epsilon = 1e-10;
    settings.reverse = reverse;
    GaussSeidel solver(settings);
    ASSERT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
    EXPECT_LT(worst_violation(p), 1e-6);
    if (!reverse)
      forward = p.solution.U;
    else
      EXPECT_NEAR((testing::flat(forward) - testing::flat(p.solution.U)).norm(), 0, 1e-6);
  }
}

// Towers, where information goes one block further with each sweep; joints and friction, too.
TEST(GaussSeidel, AccelerationTakesFewerSweepsToTheSame) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored}) {
    LocalProblem p = testing::tower(30, 2, form);
    GaussSeidelSettings settings = GaussSeidelSettings::by_merit(1e-16, 100000);
    GaussSeidel plain(settings);
    ASSERT_EQ(plain.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
    settings.memory = 5;
    GaussSeidel accelerated(settings);
    p.solution = LocalSolution(p.dynamics);
    ASSERT_EQ(accelerated.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
    EXPECT_LT(5 * accelerated.iterations, plain.iterations);
    EXPECT_LT(testing::error_of_weights(p.solution.R, 30, 2), 1e-5);
  }
  for (int seed = 1; seed <= 10; seed++) {
    LocalProblem p = closing_contacts(seed, 8, 12);
    if (seed % 2 == 0) p.dynamics.law[3].kind = LawKind::fixed_point;
    LocalSolution plain(p.dynamics);
    GaussSeidelSettings settings = GaussSeidelSettings::by_merit(1e-22, 100000);
    GaussSeidel(settings).solve(p.dynamics, plain, Communicator());
    settings.memory = 5;
    GaussSeidel accelerated(settings);
    ASSERT_EQ(accelerated.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
    EXPECT_LT((testing::flat(plain.U) - testing::flat(p.solution.U)).norm(), 1e-9);
    // The last thing was a sweep.
    for (int row = 0; row < p.dynamics.rows(); row++)
      if (p.dynamics.law[row].is_contact()) {
        EXPECT_TRUE(in_friction_cone(p.solution.R[row], p.dynamics.law[row].friction));
      }
  }
}

TEST(GaussSeidel, FormsGiveTheSameIterates) {
  for (int seed = 1; seed <= 5; seed++) {
    LocalProblem a = closing_contacts(seed, 6, 15, DelassusForm::assembled);
    LocalProblem f = closing_contacts(seed, 6, 15, DelassusForm::factored);
    GaussSeidelSettings settings;
    settings.max_iterations = 7;
    settings.epsilon = 0;
    GaussSeidel solver(settings);
    solver.solve(a.dynamics, a.solution, Communicator());
    const auto history = solver.error_history;
    solver.solve(f.dynamics, f.solution, Communicator());
    EXPECT_NEAR((testing::flat(a.solution.R) - testing::flat(f.solution.R)).norm(), 0,
                1e-9 * testing::flat(a.solution.R).norm());
    ASSERT_EQ(history.size(), 7u);
    for (int k = 0; k < 7; k++)
      EXPECT_NEAR(solver.error_history[k], history[k], 1e-6 * history[k] + 1e-12);
  }
}

TEST(GaussSeidel, OneSweepIsTheSweepOfTheDefinition) {
  // Rows in order (or backwards in the second sweep), each with the newest reactions of the others.
  for (bool reverse : {false, true}) {
    LocalProblem p = closing_contacts(2, 5, 10);
    std::vector<Vec3> R(10, Vec3::Zero());
    std::vector<double> errors;
    for (int sweep = 0; sweep < 3; sweep++) {
      double change = 0, size = 0;
      for (int k = 0; k < 10; k++) {
        const int row = reverse && sweep == 1 ? 9 - k : k;
        const Mat3 W = p.W.block<3, 3>(3 * row, 3 * row);
        const Vec3 U = p.dynamics.B[row] + p.W.middleRows<3>(3 * row) * testing::flat(R);
        const Mat3 inverse = W.inverse();
        Vec3 S = R[row];
        solve_diagonal(DiagonalSolver::semismooth_newton,
                       {W, inverse, U - W * R[row], p.dynamics.law[row].friction}, 1e-14, 1000, S);
        change += (S - R[row]).squaredNorm();
        size += S.squaredNorm();
        R[row] = S;
      }
      errors.push_back(std::sqrt(change / size));
    }
    GaussSeidelSettings settings = tight_gauss_seidel();
    settings.reverse = reverse;
    settings.max_iterations = 3;
    GaussSeidel solver(settings);
    solver.solve(p.dynamics, p.solution, Communicator());
    EXPECT_NEAR((testing::flat(R) - testing::flat(p.solution.R)).norm(), 0,
                1e-9 * testing::flat(R).norm());
    ASSERT_EQ(solver.error_history.size(), 3u);
    for (int k = 0; k < 3; k++) EXPECT_NEAR(solver.error_history[k], errors[k], 1e-8);
  }
}

TEST(GaussSeidel, BothCriteriaCount) {
  LocalProblem p = closing_contacts(4, 6, 14);
  const auto iterations = [&](double epsilon, double merit_value) {
    std::ranges::fill(p.solution.R, Vec3(Vec3::Zero()));
    GaussSeidelSettings settings = tight_gauss_seidel();
    settings.epsilon = epsilon;
    settings.merit_value = merit_value;
    GaussSeidel solver(settings);
    const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
    EXPECT_EQ(result.status, SolveStatus::ok);
    EXPECT_EQ(result.iterations, solver.iterations);
    EXPECT_EQ(static_cast<int>(solver.error_history.size()), result.iterations);
    EXPECT_EQ(static_cast<int>(solver.merit_history.size()), result.iterations);
    EXPECT_LE(solver.error_history.back(), epsilon);
    if (merit_value < 1) {
      EXPECT_LE(result.merit, merit_value);
      EXPECT_LE(solver.merit_history.back(), merit_value);
    }
    return result.iterations;
  };
  const int loose = iterations(1e-1, 1);
  EXPECT_GT(iterations(1e-9, 1), loose);
  EXPECT_GT(iterations(1e-1, 1e-16), loose);
  EXPECT_EQ(iterations(1e-1, 2), loose) << "from 1 on the merit does not count";
  // Bounds so close that each is met by a sweep of its own, or nearly.
  for (double exponent = -1; exponent > -15; exponent -= 0.25)
    iterations(1, std::pow(10, exponent));
}

TEST(GaussSeidel, WarmStartFromTheSolution) {
  LocalProblem p = closing_contacts(5, 6, 10);
  GaussSeidelSettings settings = tight_gauss_seidel();
  settings.epsilon = 1e-8;
  settings.merit_value = 1e-14;
  GaussSeidel solver(settings);
  EXPECT_GT(solver.solve(p.dynamics, p.solution, Communicator()).iterations, 3);
  EXPECT_LE(solver.solve(p.dynamics, p.solution, Communicator()).iterations, 2);
}

TEST(GaussSeidel, FailuresAreReported) {
  LocalProblem p = closing_contacts(6, 6, 14);
  GaussSeidelSettings settings = tight_gauss_seidel();
  settings.max_iterations = 2;
  GaussSeidel solver(settings);
  EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::diverged);
  EXPECT_EQ(solver.status, SolveStatus::diverged);
  EXPECT_EQ(solver.iterations, 2);
  // No diagonal solver gets anywhere in no iteration: rows keep their reactions.
  settings.diagonal_max_iterations = 0;
  settings.diagonal_solver = DiagonalSolver::projected_gradient;
  GaussSeidel stuck(settings);
  EXPECT_EQ(stuck.solve(p.dynamics, p.solution, Communicator()).status,
            SolveStatus::diagonal_diverged);
  // The other three stand in for one that fails.
  settings = tight_gauss_seidel();
  settings.diagonal_solver = DiagonalSolver::projected_gradient;
  settings.diagonal_max_iterations = 60;
  settings.merit_value = 1e-16;
  settings.epsilon = 1e-8;
  GaussSeidel helped(settings);
  EXPECT_EQ(helped.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
  EXPECT_LT(worst_violation(p), 1e-6);
  EXPECT_STREQ(name(SolveStatus::ok), "OK");
  EXPECT_STREQ(name(SolveStatus::diverged), "DIVERGED");
  EXPECT_STREQ(name(SolveStatus::diagonal_diverged), "DIAGONAL_DIVERGED");
  EXPECT_STREQ(name(SolveStatus::diagonal_failed), "DIAGONAL_FAILED");
}

TEST(GaussSeidel, EveryDiagonalSolverLeadsToTheSameSolution) {
  LocalProblem p = closing_contacts(7, 8, 10);
  GaussSeidel reference(tight_gauss_seidel());
  reference.solve(p.dynamics, p.solution, Communicator());
  const Eigen::VectorXd expected = testing::flat(p.solution.R);
  for (DiagonalSolver diagonal : {DiagonalSolver::projected_gradient, DiagonalSolver::de_saxce_feng,
                                  DiagonalSolver::projected_newton}) {
    std::ranges::fill(p.solution.R, Vec3(Vec3::Zero()));
    GaussSeidelSettings settings = tight_gauss_seidel();
    settings.epsilon = 1e-10;
    settings.merit_value = 1e-16;
    settings.diagonal_epsilon = 1e-12;
    settings.diagonal_max_iterations = 10000;
    settings.diagonal_solver = diagonal;
    GaussSeidel solver(settings);
    EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
    EXPECT_NEAR((testing::flat(p.solution.R) - expected).norm(), 0, 1e-6 * expected.norm());
  }
}

TEST(GaussSeidel, SpringsTakePart) {
  LocalProblem p = closing_contacts(8, 6, 10);
  for (int row = 0; row < 10; row += 2) {
    RowLaw& law = p.dynamics.law[row];
    law.kind = LawKind::spring_dashpot;
    law.spring = 200;
    law.dashpot = 1;
    law.gap = -0.02;
  }
  GaussSeidelSettings settings = tight_gauss_seidel();
  settings.merit_value = 1e-16;
  GaussSeidel solver(settings);
  ASSERT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
  for (int row = 0; row < 10; row += 2) {
    // The normal force is the spring's at the velocity that came out.
    const RowLaw& law = p.dynamics.law[row];
    const double U = p.solution.U[row].z(), V = p.dynamics.V[row].z();
    const double force =
        -law.spring * (law.gap + 0.25 * 0.01 * (U - V)) - 0.5 * law.dashpot * (U + V);
    EXPECT_NEAR(p.solution.R[row].z(), std::max(0.0, force), 1e-6);
  }
}

TEST(GaussSeidel, GoesOnBeyondTheMerit) {
  const testing::LocalProblem p = testing::closing_contacts(9, 6, 10);
  const auto solve = [&](int beyond, int most) {
    GaussSeidel solver(GaussSeidelSettings::by_merit(1e-6, most));
    solver.settings.beyond = beyond;
    LocalSolution s = p.solution;
    return solver.solve(p.dynamics, s, Communicator());
  };
  const SolveResult usual = solve(0, 1000);
  ASSERT_EQ(usual.status, SolveStatus::ok);
  const SolveResult some = solve(2, 1000), enough = solve(1000, 1000);
  EXPECT_EQ(some.iterations, usual.iterations + 2);
  EXPECT_LT(some.merit, usual.merit);
  EXPECT_GT(enough.iterations, some.iterations);
  EXPECT_LE(enough.merit, 1e-8);
  // The bound on sweeps is none on what has been reached.
  EXPECT_EQ(solve(1000, usual.iterations).status, SolveStatus::ok);
  EXPECT_EQ(solve(1000, usual.iterations + 1).status, SolveStatus::ok);
}

TEST(GaussSeidel, RecordsAndNames) {
  testing::expect_records(GaussSeidel(GaussSeidelSettings{}), SolverKind::gauss_seidel,
                          "GAUSS_SEIDEL_SOLVER");
}

TEST(GaussSeidel, NoContactsAreNoProblem) {
  LocalDynamics empty;
  const int sizes[] = {6, 0, 12};
  empty.clear(0.01, sizes);
  empty.W.finish(DelassusForm::automatic);
  GaussSeidel solver(tight_gauss_seidel());
  LocalSolution nothing(empty);
  const SolveResult result = solver.solve(empty, nothing, Communicator());
  EXPECT_EQ(result.status, SolveStatus::ok);
  EXPECT_EQ(result.merit, 0);
}

// With a target the error of the natural map alone ends a solve.
TEST(GaussSeidel, StopsAtItsTarget) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored})
    for (int seed = 1; seed <= 5; seed++) {
      int last = 0;
      for (double error : {1e-2, 1e-6, 1e-12}) {
        LocalProblem p = closing_contacts(seed, 8, 12, form);
        GaussSeidelSettings settings = tight_gauss_seidel();
        settings.epsilon = settings.merit_value = 1e-30;
        GaussSeidel solver(settings);
        solver.target = {error};
        const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
        EXPECT_EQ(result.status, SolveStatus::ok);
        EXPECT_LE(natural_map_error(p.dynamics, p.solution, Communicator()), 1.001 * error);
        EXPECT_GE(result.iterations, last);
        EXPECT_TRUE(solver.merit_history.empty() && solver.error_history.empty());
        // Not much later than it could have: one sweep in ten, and some.
        if (error == 1e-6) {
          GaussSeidelSettings fewer = settings;
          fewer.max_iterations = std::max(1, result.iterations * 8 / 10 - 10);
          LocalProblem q = closing_contacts(seed, 8, 12, form);
          GaussSeidel sooner(fewer);
          sooner.target = {error};
          EXPECT_EQ(sooner.solve(q.dynamics, q.solution, Communicator()).status,
                    result.iterations > 1 ? SolveStatus::diverged : SolveStatus::ok);
          EXPECT_TRUE(result.iterations == 1 ||
                      natural_map_error(q.dynamics, q.solution, Communicator()) > error);
        }
        last = result.iterations;
      }
    }
}

TEST(GaussSeidel, EndsWhenTheTimeOfItsTargetIsOver) {
  LocalProblem p = closing_contacts(1, 4, 60);  // far more rows than degrees of freedom
  GaussSeidelSettings settings = tight_gauss_seidel();
  settings.max_iterations = std::numeric_limits<int>::max();
  GaussSeidel solver(settings);
  solver.target = {1e-300, 0.05};
  const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
  // Or it has come to rest, short of that.
  EXPECT_TRUE(result.status == SolveStatus::out_of_time || result.status == SolveStatus::diverged);
  solver.target = {1e-300, 1e-9};
  p.solution.R.assign(60, Vec3::Zero());
  EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::out_of_time);
  EXPECT_EQ(solver.iterations, 1);
  EXPECT_STREQ(name(SolveStatus::out_of_time), "TIME");
}

TEST(GaussSeidel, GivesUpWhenAskedTo) {
  for (bool by_error : {false, true}) {
    LocalProblem p = closing_contacts(4, 8, 12);
    GaussSeidel solver(testing::tight_gauss_seidel());
    if (by_error) solver.target = {1e-14};
    std::vector<double> met;
    solver.gives_up = [&](double measure) {
      met.push_back(measure);
      return met.size() == 7;
    };
    EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::diverged);
    EXPECT_EQ(solver.iterations, 7);
    ASSERT_EQ(met.size(), 7u);
    EXPECT_LT(met.back(), met.front());
    // What a sweep met is about what the one before left.
    const double left = by_error ? natural_map_error(p.dynamics, p.solution, Communicator())
                                 : merit(p.dynamics, p.solution, Communicator());
    EXPECT_LT(left, 2 * met.back());
    EXPECT_GT(left, 1e-3 * met.back());
  }
}

TEST(GaussSeidel, EndsWhereNothingChangesAnyMore) {
  // W = 0 in the normal direction: no reaction helps, every row keeps what it has.
  const LocalDynamics p =
      local_dynamics_of({{{0, 1}, {0}, {Mat3::Zero()}}, {{0, 0, -1}}, {0.5}, "", "", ""});
  LocalSolution s(p);
  GaussSeidel solver(tight_gauss_seidel());
  solver.target = {1e-6};
  EXPECT_NE(solver.solve(p, s, Communicator()).status, SolveStatus::ok);
  EXPECT_EQ(solver.iterations, 1);
}

// Two bonds hold a block; by the target of the plain problem they come to the same.
TEST(GaussSeidel, HasATargetWithCohesionToo) {
  LocalProblem p = closing_contacts(3, 8, 12);
  for (int row = 0; row < 12; row += 2) p.dynamics.law[row].cohesion = 3;
  for (RowLaw& law : p.dynamics.law) law.restitution = 0.5;
  GaussSeidel solver(tight_gauss_seidel());
  solver.target = {1e-12};
  EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
  EXPECT_LT(worst_violation(p), 1e-8);
}

}  // namespace
}  // namespace solfec::gauss_seidel_test
