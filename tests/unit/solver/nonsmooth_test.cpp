// The solvers of the comparison of 2018 as solvers of steps.
#include "solver/nonsmooth.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/error.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::nonsmooth_test {
namespace {

NonsmoothSettings settings_of(std::string_view method) {
  NonsmoothSettings settings;
  settings.method = nonsmooth_method(method);
  settings.merit_value = 1e-18;
  settings.max_iterations = 200000;
  if (method == "FP-DS") settings.rho = 5;  // W of these problems is about 0.1
  return settings;
}

TEST(Nonsmooth, TableHasEachMethodOnce) {
  std::set<std::string_view> names;
  int place = 0;
  for (const NonsmoothEntry& entry : nonsmooth_methods()) {
    EXPECT_EQ(nonsmooth_method(entry.name), place++);
    EXPECT_TRUE(names.insert(entry.name).second);
    for (std::string_view name : entry.parameters())
      EXPECT_TRUE(std::ranges::any_of(nonsmooth_parameters(),
                                      [&](const auto& p) { return p.name == name; }));
  }
  // Each parameter is one of some method.
  for (const NonsmoothParameter& parameter : nonsmooth_parameters())
    EXPECT_TRUE(std::ranges::any_of(nonsmooth_methods(), [&](const NonsmoothEntry& entry) {
      return std::ranges::count(entry.parameters(), parameter.name) == 1;
    }));
}

// One fixed point, so that F = W R + B without bounds, from R = 0. With rho = 1 and F = B the first
// trial is -B: F changes by W B, r is |W B| / |B| or B.W B / |B|^2.
TEST(Nonsmooth, NamesMeanTheirStepsAndRules) {
  const Vec3 w(0.25, 0.5, 1), B(1, -2, 1);
  const LocalDynamics p = testing::one_row(w.asDiagonal(), B, LawKind::fixed_point);
  const auto first = [&](std::string_view method, double L) {
    NonsmoothSettings settings;
    settings.method = nonsmooth_method(method);
    settings.L = L;
    settings.L_min = 0.1;
    settings.max_iterations = 1;
    LocalSolution s(p);
    Nonsmooth(settings).solve(p, s, Communicator());
    return s.R[0];
  };
  const Vec3 WB = w.cwiseProduct(B);
  const double khobotov = WB.norm() / B.norm(), solodov = B.dot(WB) / B.squaredNorm();
  // One rule takes the first trial, the other one after a trial that was too long.
  const double L = 0.5 * (solodov + khobotov), rho_upk = 2.0 / 3;
  ASSERT_LT(solodov + 0.02, L);
  ASSERT_GT(khobotov, L + 0.02);
  EXPECT_TRUE(first("FP-DS", L).isApprox(-B, 1e-14));
  EXPECT_TRUE(first("FP-VI-UPTS", L).isApprox(-B, 1e-14));
  EXPECT_TRUE(first("FP-VI-UPK", L).isApprox(-rho_upk * B, 1e-14));
  const auto velocity = [&](const Vec3& R) -> Vec3 { return w.cwiseProduct(R) + B; };
  const Vec3 upk = -rho_upk * B;
  EXPECT_TRUE(first("FP2-VI-UPK", L).isApprox(upk - rho_upk * velocity(upk), 1e-14));
  EXPECT_TRUE(first("EG-VI-UPK", L).isApprox(-rho_upk * velocity(upk), 1e-14));
  EXPECT_TRUE(first("EG-VI-UPTS", L).isApprox(-velocity(Vec3(-B)), 1e-14));
}

// Contacts beside joints: velocities are unique.
TEST(Nonsmooth, FindsWhatGaussSeidelFinds) {
  for (const NonsmoothEntry& entry : nonsmooth_methods())
    for (int seed = 0; seed < 5; seed++) {
      SCOPED_TRACE(entry.name);
      testing::LocalProblem p = testing::closing_contacts(seed, 8, 10);
      for (int row : {2, 7}) p.dynamics.law[row].kind = LawKind::fixed_point;
      p.dynamics.law[5].kind = LawKind::fixed_direction;
      LocalSolution reference(p.dynamics);
      GaussSeidel gauss_seidel(testing::tight_gauss_seidel());
      ASSERT_EQ(gauss_seidel.solve(p.dynamics, reference, Communicator()).status, SolveStatus::ok);
      Nonsmooth solver(settings_of(entry.name));
      const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
      ASSERT_EQ(result.status, SolveStatus::ok);
      EXPECT_LE(result.merit, 1e-18);
      EXPECT_EQ(result.iterations, solver.iterations);
      EXPECT_LT((testing::flat(p.solution.U) - testing::flat(reference.U)).norm(), 1e-6);
      EXPECT_DOUBLE_EQ(merit(p.dynamics, p.solution, Communicator()), result.merit);
    }
}

TEST(Nonsmooth, LeavesTheBestWhereItIsStopped) {
  for (const NonsmoothEntry& entry : nonsmooth_methods()) {
    testing::LocalProblem p = testing::closing_contacts(3, 8, 10);
    NonsmoothSettings settings = settings_of(entry.name);
    update_velocities(p.dynamics, p.solution);
    double last = merit(p.dynamics, p.solution, Communicator());
    for (int iterations : {1, 3, 10}) {
      settings.max_iterations = iterations;
      p.solution = LocalSolution(p.dynamics);
      Nonsmooth solver(settings);
      const SolveResult result = solver.solve(p.dynamics, p.solution, Communicator());
      EXPECT_LE(result.merit, last) << entry.name;
      if (result.status == SolveStatus::ok) break;  // Newton's methods, in less than ten
      EXPECT_EQ(result.status, SolveStatus::diverged);
      EXPECT_EQ(result.iterations, iterations);
      last = result.merit;
      for (int row = 0; row < p.dynamics.rows(); row++)
        EXPECT_TRUE(in_friction_cone(p.solution.R[row], p.dynamics.law[row].friction));
    }
  }
}

TEST(Nonsmooth, RefusesSprings) {
  testing::LocalProblem p = testing::closing_contacts(1, 4, 3);
  p.dynamics.law[1].kind = LawKind::spring_dashpot;
  EXPECT_THROW(Nonsmooth(NonsmoothSettings{}).solve(p.dynamics, p.solution, Communicator()),
               RunError);
}

TEST(Nonsmooth, RecordsIterations) {
  testing::expect_records(Nonsmooth(settings_of("EG-VI-UPK")), SolverKind::nonsmooth,
                          "NONSMOOTH_SOLVER");
}

}  // namespace
}  // namespace solfec::nonsmooth_test
