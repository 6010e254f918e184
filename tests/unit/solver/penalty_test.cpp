// The penalty solver by hand: one contact from the formulas of the manual's algorithm 7.1, many
// contacts each by itself.
#include "solver/penalty.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::penalty_test {
namespace {

constexpr double kStep = 0.01;

// A contact of a body of mass m with a wall: W = h / m.
LocalDynamics one_contact(double mass, const Vec3& B, double V_N, const RowLaw& law) {
  LocalDynamics p;
  const int sizes[1] = {6};
  p.clear(kStep, sizes);
  Eigen::Map<Eigen::Matrix<double, 3, 6, Eigen::RowMajor>> G(p.W.add_row(0, -1));
  G.setZero();
  G.rightCols<3>() = Mat3::Identity() / std::sqrt(mass);
  p.B = {B};
  p.V = {Vec3(0, 0, V_N)};
  p.law = {law};
  p.W.finish(DelassusForm::automatic);
  return p;
}

RowLaw spring_law(double spring, double dashpot, double friction, double gap) {
  RowLaw law;
  law.kind = LawKind::spring_dashpot;
  law.spring = spring;
  law.dashpot = dashpot;
  law.friction = friction;
  law.gap = gap;
  law.remaining = kStep / 2;
  return law;
}

TEST(Penalty, ImplicitNormalForce) {
  const double m = 2, s = 1000, d = 7, gap = -0.03, b = -0.5, v = -0.4;
  const LocalDynamics p = one_contact(m, {0, 0, b}, v, spring_law(s, d, 0, gap));
  LocalSolution found(p);
  Penalty penalty(false);
  const SolveResult result = penalty.solve(p, found, Communicator());
  // R = -s (gap + h/4 (U - V)) - d (U + V)/2 and U = b + h/m R, solved for R.
  const double w = kStep / m;
  const double R =
      (-s * (gap + kStep / 4 * (b - v)) - d / 2 * (b + v)) / (1 + (s * kStep / 4 + d / 2) * w);
  EXPECT_NEAR(found.R[0].z(), R, 1e-12);
  EXPECT_NEAR(found.U[0].z(), b + w * R, 1e-14);
  EXPECT_EQ(result.status, SolveStatus::ok);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_NEAR(result.merit, 0, 1e-24) << "the law is kept exactly";
}

TEST(Penalty, ExplicitNormalForce) {
  const double s = 1000, d = 7, gap = -0.03, v = -0.4;
  const LocalDynamics p = one_contact(2, {0, 0, -0.5}, v, spring_law(s, d, 0, gap));
  LocalSolution found(p);
  Penalty(true).solve(p, found, Communicator());
  EXPECT_NEAR(found.R[0].z(), -s * gap - d * v, 1e-12);
}

TEST(Penalty, NoTension) {
  for (bool explicit_normal : {false, true}) {
    const LocalDynamics p = one_contact(2, {1, 0, 3}, 0, spring_law(1000, 0, 1, 0.02));
    LocalSolution found(p);
    Penalty(explicit_normal).solve(p, found, Communicator());
    EXPECT_EQ(found.R[0], Vec3::Zero());
    EXPECT_EQ(found.U[0], p.B[0]);
  }
}

TEST(Penalty, FrictionSticksUpToItsBound) {
  const double m = 2, w = kStep / m;
  for (double slip : {0.01, 10.0}) {
    const LocalDynamics p =
        one_contact(m, {3 * slip / 5, 4 * slip / 5, 0}, 0, spring_law(1e3, 0, 0.5, -0.03));
    LocalSolution found(p);
    Penalty(true).solve(p, found, Communicator());
    const double normal = 30, size = std::min(slip / w, 0.5 * normal);
    EXPECT_NEAR((found.R[0] - Vec3(-0.6 * size, -0.8 * size, normal)).norm(), 0, 1e-11) << slip;
    if (slip < 1) {
      EXPECT_NEAR(found.U[0].head<2>().norm(), 0, 1e-14) << "stuck";
    }
  }
}

TEST(Penalty, EachContactByItself) {
  // Reactions from each row's own B, V and diagonal block; velocities from all of them.
  for (bool explicit_normal : {false, true}) {
    auto p = testing::random_problem(1, 5, 20, kStep, DelassusForm::automatic);
    testing::Random random(2);
    for (RowLaw& law : p.dynamics.law)
      law = spring_law(random.uniform(100, 1000), random.uniform(0, 10), random.uniform(0, 1),
                       random.uniform(-0.05, 0.01));
    const std::vector<Vec3> before = p.solution.R;
    Penalty penalty(explicit_normal);
    EXPECT_EQ(penalty.explicit_normal(), explicit_normal);
    const SolveResult result = penalty.solve(p.dynamics, p.solution, Communicator());
    int pushing = 0;
    for (int row = 0; row < 20; row++) {
      const Vec3 alone = spring_dashpot_reaction(
          p.dynamics.law[row], kStep, p.W.block<3, 3>(3 * row, 3 * row), p.dynamics.B[row],
          p.dynamics.V[row].z(), before[row], explicit_normal);
      EXPECT_NEAR((p.solution.R[row] - alone).norm(), 0, 1e-10 * (1 + alone.norm()));
      pushing += alone.z() > 0;
    }
    EXPECT_GT(pushing, 5);
    const Eigen::VectorXd U = testing::flat(p.dynamics.B) + p.W * testing::flat(p.solution.R);
    EXPECT_NEAR((testing::flat(p.solution.U) - U).norm(), 0, 1e-11);
    EXPECT_EQ(result.status, SolveStatus::ok);
  }
}

TEST(Penalty, NamesItself) {
  const Penalty penalty(false);
  EXPECT_EQ(penalty.kind(), SolverKind::penalty);
  EXPECT_STREQ(penalty.name(), "PENALTY_SOLVER");
  EXPECT_EQ(penalty.failure_action(), FailureAction::go_on);
  EXPECT_EQ(penalty.contact_laws(), ContactLaws::springs);
}

}  // namespace
}  // namespace solfec::penalty_test
