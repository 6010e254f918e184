// The convex problem of a step: one contact in closed form, minima found otherwise, the law in
// plain words, polyhedral cones in the limit, energy.
#include "solver/convex.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "solver/graded_solve.hpp"
#include "solver/nonsmooth.hpp"
#include "support/convex_law.hpp"
#include "support/hard_problems.hpp"
#include "support/polyhedral_lcp.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::convex_test {
namespace {

using testing::flat;

ConvexSettings tight(ConvexMethod method) {
  ConvexSettings settings;
  settings.method = method;
  settings.merit_value = 1e-22;
  settings.max_iterations = 200000;
  // Below 2/3 sweeps descend whatever the blocks of W.
  if (entry_of(method).omega > 0) settings.omega = 0.6 * entry_of(method).omega;
  return settings;
}

std::vector<ConvexMethod> methods() {
  std::vector<ConvexMethod> all;
  for (const ConvexEntry& entry : convex_methods()) all.push_back(entry.method);
  return all;
}

LocalDynamics one_contact(const Mat3& W, const Vec3& q, double mu) {
  LocalDynamics p = testing::one_row(W, q, LawKind::convex_coulomb);
  p.law[0].friction = mu;
  return p;
}

TEST(Convex, TableHasEachMethodInItsPlace) {
  std::set<std::string_view> names, short_names;
  int place = 0;
  for (const ConvexEntry& entry : convex_methods()) {
    EXPECT_EQ(static_cast<int>(entry.method), place++);
    EXPECT_TRUE(names.insert(entry.name).second);
    EXPECT_TRUE(short_names.insert(entry.short_name).second);
  }
}

// W = diag (w_T, w_T, w_N):
//   q_N >= mu |q_T|                R = 0, and so for closing contacts that slide away no more
//   w_T^-1 |q_T| <= -mu q_N / w_N  U = 0
//   between                        R = r (-mu t, 1),  r = (mu |q_T| - q_N) / (w_N + mu^2 w_T),  t =
//   q_T / |q_T|
//                                  U_N = mu |U_T|
TEST(Convex, OneContactIsThatOfTheClosedForm) {
  testing::Random random(1);
  int cases[3] = {0, 0, 0};
  for (int k = 0; k < 600; k++) {
    const double mu = k % 7 == 0 ? 0 : random.uniform(0.05, 1.5);
    const double wT = random.uniform(0.2, 5), wN = random.uniform(0.2, 5);
    const Vec3 q = random.in_box(3);
    const double slip = q.head<2>().norm();
    Vec3 R = Vec3::Zero();
    int which = 0;
    if (q.z() < mu * slip) {
      R = -Vec3(q.x() / wT, q.y() / wT, q.z() / wN);
      which = 1;
      if (q.z() >= 0 || R.head<2>().norm() > mu * R.z()) {
        which = 2;
        const double r = (mu * slip - q.z()) / (wN + mu * mu * wT);
        R.head<2>() = -mu * r / slip * q.head<2>();
        R.z() = r;
      }
    }
    cases[which]++;
    const LocalDynamics p = one_contact(Vec3(wT, wT, wN).asDiagonal(), q, mu);
    for (ConvexMethod method : methods()) {
      LocalSolution s(p);
      Convex solver(tight(method));
      ASSERT_EQ(solver.solve(p, s, Communicator()).status, SolveStatus::ok);
      EXPECT_LT((s.R[0] - R).norm(), 1e-9 * (1 + R.norm())) << k << ' ' << which;
      if (which == 2) {
        EXPECT_NEAR(s.U[0].z(), mu * s.U[0].head<2>().norm(), 1e-9);
      }
    }
  }
  for (int count : cases) EXPECT_GT(count, 30);
}

// All contacts, with and without friction and cohesion: W of full rank, so that R is unique.
TEST(Convex, FindsTheMinimumOverTheCones) {
  for (int seed = 0; seed < 6; seed++) {
    testing::LocalProblem p = testing::with_convex_law(testing::closing_contacts(seed, 10, 9));
    const LocalDynamics& d = p.dynamics;
    std::vector<double> friction;
    for (const RowLaw& law : d.law) friction.push_back(law.friction);
    const std::vector<Vec3> R = testing::minimum_over_cones(p.W, flat(d.B), friction);
    const Eigen::VectorXd U = flat(d.B) + p.W * flat(R);
    for (ConvexMethod method : methods()) {
      LocalSolution s(d);
      Convex solver(tight(method));
      const SolveResult result = solver.solve(d, s, Communicator());
      ASSERT_EQ(result.status, SolveStatus::ok) << entry_of(method).name << ' ' << result.merit;
      EXPECT_LT((flat(s.U) - U).norm(), 1e-7) << entry_of(method).name;
      EXPECT_LT(testing::worst_convex_violation(p, s.R), 1e-7);
      EXPECT_DOUBLE_EQ(merit(d, s, Communicator()), result.merit);
    }
  }
}

// Restitution, cohesion, targets (gaps of contacts that are known ahead), joints; W without full
// rank. The judge of contacts is the law, and velocities are unique: those of another method.
TEST(Convex, SolvesRowsOfAllKinds) {
  for (int seed = 0; seed < 8; seed++) {
    testing::LocalProblem p = testing::closing_contacts(seed, 8, 14);
    LocalDynamics& d = p.dynamics;
    testing::Random random(seed);
    for (int row = 0; row < d.rows(); row++) {
      RowLaw& law = d.law[row];
      law.restitution = law.tangential_restitution = row % 3 == 0 ? 0.5 : 0;
      law.cohesion = row % 4 == 1 ? 0.3 : 0;
      if (row % 4 == 2) law.target.z() = -random.uniform(0, 1);
      if (row == 5) law.kind = LawKind::fixed_point;
      if (row == 9) law.kind = LawKind::fixed_direction;
      if (row == 5 || row == 9) law.target = Vec3(0, 0, 0.2);
    }
    give_convex_law(d.law);
    NonsmoothSettings projections;
    projections.method = nonsmooth_method("FP-VI-UPK");
    projections.merit_value = 1e-22;
    projections.max_iterations = 1000000;
    LocalSolution other(d);
    ASSERT_EQ(Nonsmooth(projections).solve(d, other, Communicator()).status, SolveStatus::ok);
    for (ConvexMethod method : methods()) {
      LocalSolution s(d);
      ASSERT_EQ(Convex(tight(method)).solve(d, s, Communicator()).status, SolveStatus::ok)
          << entry_of(method).name;
      EXPECT_LT((flat(s.U) - flat(other.U)).norm(), 1e-6) << entry_of(method).name;
      EXPECT_LT((s.U[5] - d.law[5].target).norm(), 1e-9);
      EXPECT_NEAR(s.U[9].z(), 0.2, 1e-9);
      for (int row = 0; row < d.rows(); row++)
        if (d.law[row].is_contact()) {
          EXPECT_LT(testing::convex_violation(s.U[row] + velocity_offset(d.law[row], d.V[row]),
                                              shifted_reaction(d.law[row], s.R[row]),
                                              d.law[row].friction, 1, 10),
                    1e-7);
        }
    }
  }
}

// Blocks of steps: with omega and lambda of a row by hand.
TEST(Convex, OmegaAndLambdaScaleTheStep) {
  const Vec3 w(1, 2, 3), q(0.1, 0.2, -3);
  const LocalDynamics p = one_contact(w.asDiagonal(), q, 0.5);
  for (double omega : {0.3, 1.0})
    for (double lambda : {0.5, 1.0})
      for (ConvexMethod method : {ConvexMethod::gauss_seidel, ConvexMethod::jacobi}) {
        ConvexSettings settings = tight(method);
        settings.omega = omega;
        settings.lambda = lambda;
        settings.max_iterations = 1;
        LocalSolution s(p);
        Convex(settings).solve(p, s, Communicator());
        EXPECT_TRUE(s.R[0].isApprox(
            lambda * project_on_friction_cone(Vec3(-omega / w.mean() * q), 0.5), 1e-14));
      }
}

TEST(Convex, TooLongStepsLeaveTheBest) {
  testing::LocalProblem p = testing::with_convex_law(testing::closing_contacts(3, 3, 24));
  ConvexSettings settings = tight(ConvexMethod::jacobi);
  settings.omega = 3;
  settings.max_iterations = 300;
  const Communicator alone;
  update_velocities(p.dynamics, p.solution);
  const double start = merit(p.dynamics, p.solution, alone);
  const SolveResult result = Convex(settings).solve(p.dynamics, p.solution, alone);
  EXPECT_EQ(result.status, SolveStatus::diverged);
  EXPECT_LE(result.merit, start);
  EXPECT_DOUBLE_EQ(merit(p.dynamics, p.solution, alone), result.merit);
}

// What contacts take: from the velocities V before to U, M (U + V) / 2 . h R summed is not positive
// (inelastic contacts that close; restitutions by the formula of contact_law.hpp).
TEST(Convex, ContactsNeverGiveEnergy) {
  for (int seed = 0; seed < 20; seed++) {
    testing::LocalProblem p = testing::with_convex_law(
        testing::random_problem(seed, 6, 16, 0.01, DelassusForm::automatic));
    LocalDynamics& d = p.dynamics;
    d.V = d.B;  // no loads
    for (int row = 0; row < d.rows(); row++)
      d.law[row].restitution = d.law[row].tangential_restitution = seed % 2 == 0 ? 0 : 0.6;
    LocalSolution s(d);
    ASSERT_EQ(Convex(tight(ConvexMethod::apgd)).solve(d, s, Communicator()).status,
              SolveStatus::ok);
    double work = 0;
    for (int row = 0; row < d.rows(); row++) work += 0.5 * s.R[row].dot(s.U[row] + d.V[row]);
    EXPECT_LE(work, 1e-9) << seed;
  }
}

// Lemke's method against all vertices.
TEST(PolyhedralCones, LemkeFindsOneOfTheVertices) {
  for (bool convex : {false, true})
    for (int seed = 0; seed < 12; seed++) {
      testing::LocalProblem p = testing::closing_contacts(seed, 6, 2);
      for (RowLaw& law : p.dynamics.law) law.friction = 0.4;
      const auto lcp = testing::polyhedral_problem(p.W, flat(p.dynamics.B), {0.4, 0.4}, 3, convex);
      const auto z = testing::lemke(lcp.M, lcp.q);
      ASSERT_TRUE(z) << seed;
      const auto R = testing::reactions(lcp, *z);
      bool found = false;
      for (const Eigen::VectorXd& vertex : testing::enumerate(lcp.M, lcp.q))
        found = found || (flat(testing::reactions(lcp, vertex)) - flat(R)).norm() < 1e-8;
      EXPECT_TRUE(found) << seed << ' ' << convex;
    }
}

// With more facets polyhedral cones come to the cones: the convex problem to that of CONVEX_SOLVER,
// Coulomb's to that of Gauss-Seidel, by their angle, since friction acts along one of the facets'
// edges.
TEST(PolyhedralCones, ComeToTheConesOfBothLaws) {
  for (bool convex : {false, true})
    for (int seed = 0; seed < 6; seed++) {
      testing::LocalProblem p = testing::full_rank(seed);
      std::vector<double> friction;
      for (RowLaw& law : p.dynamics.law) friction.push_back(law.friction);
      LocalSolution s(p.dynamics);
      if (convex) {
        give_convex_law(p.dynamics.law);
        Convex(tight(ConvexMethod::apgd)).solve(p.dynamics, s, Communicator());
      } else {
        GaussSeidel(testing::tight_gauss_seidel()).solve(p.dynamics, s, Communicator());
      }
      std::vector<double> errors;
      for (int facets : {4, 32}) {
        const auto lcp =
            testing::polyhedral_problem(p.W, flat(p.dynamics.B), friction, facets, convex);
        const auto z = testing::lemke(lcp.M, lcp.q);
        ASSERT_TRUE(z) << seed;
        const Eigen::VectorXd R = lcp.spread * *z;
        errors.push_back((p.W * (R - flat(s.R))).norm() / flat(p.dynamics.B).norm());
      }
      EXPECT_LT(errors[1], 0.03) << seed << ' ' << convex;
      EXPECT_LT(errors[1], 0.4 * errors[0] + 1e-9) << seed << ' ' << convex;
    }
}

TEST(Convex, IsGradedByItsOwnLaw) {
  testing::LocalProblem p = testing::closing_contacts(4, 6, 12);
  LocalSolution s;
  const auto solver = Convex(tight(ConvexMethod::apgd)).with_target({1e-9, 60});
  const GradedSolve graded = solve_graded(p.dynamics, s, *solver, 1e-9);
  EXPECT_EQ(graded.grade, Grade::ok);
  EXPECT_LT(testing::worst_convex_violation(p, s.R), 1e-6);
  EXPECT_GT(testing::worst_violation(p, s.R), 1e-3) << "Coulomb's law is another one";
  EXPECT_EQ(p.dynamics.law[0].kind, LawKind::signorini_coulomb);
}

TEST(Convex, RefusesSprings) {
  testing::LocalProblem p = testing::with_convex_law(testing::closing_contacts(1, 4, 3));
  p.dynamics.law[1].kind = LawKind::spring_dashpot;
  EXPECT_THROW(Convex({}).solve(p.dynamics, p.solution, Communicator()), RunError);
}

// Laws are not changed in secret: a problem of Coulomb's is none of this solver.
TEST(Convex, WantsToBeGivenItsLaw) {
  testing::LocalProblem p = testing::closing_contacts(1, 4, 3);
  EXPECT_THROW(Convex({}).solve(p.dynamics, p.solution, Communicator()), std::logic_error);
  EXPECT_EQ(Convex({}).contact_laws(), ContactLaws::convex);
}

TEST(Convex, RecordsIterations) {
  Convex solver(tight(ConvexMethod::apgd));
  testing::LocalProblem p = testing::with_convex_law(testing::closing_contacts(9, 6, 10));
  solver.record.turn(true);
  std::vector<int> expected;
  for (int k = 0; k < 2; k++) {
    expected.push_back(solver.solve(p.dynamics, p.solution, Communicator()).iterations);
    solver.end_step(expected.back());
  }
  EXPECT_EQ(*solver.record.counts(), expected);
  EXPECT_GT(expected[0], 0);
  EXPECT_EQ(expected[1], 0) << "it is there";
  EXPECT_EQ(solver.kind(), SolverKind::convex);
  EXPECT_STREQ(solver.name(), "CONVEX_SOLVER");
}

}  // namespace
}  // namespace solfec::convex_test
