// The residual of the Signorini-Coulomb law against the law in plain words, and the spring-dashpot
// force against the equation it solves.
#include "local_dynamics/contact_law.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "support/local_problem.hpp"

namespace solfec::contact_law_test {
namespace {

using testing::Random;

Vec3 with_restitution(const RowLaw& law, const Vec3& U, const Vec3& V) {
  if (V.z() >= 0) return U;
  const double t = law.tangential_restitution;
  return U + Vec3(t * V.x(), t * V.y(), law.restitution * V.z());
}

TEST(RowLaw, ResidualVanishesInEveryState) {
  Random random(1);
  for (double mu : {0.0, 0.3, 2.0})
    for (double e : {0.0, 0.5, 1.0})
      for (double c : {0.0, 10.0})
        for (int k = 0; k < 100; k++) {
          RowLaw law;
          law.friction = mu;
          law.restitution = e;
          law.cohesion = c;
          const Vec3 V(0, 0, random.uniform(-2, 1));
          const double rebound = -e * std::min(V.z(), 0.0);
          const double scale = random.uniform(0.01, 1);
          const double S = random.uniform(0, 50), angle = random.uniform(0, 2 * std::numbers::pi);
          const Vec2 t(std::cos(angle), std::sin(angle));
          const auto residual = [&](const Vec3& U, const Vec3& R) {
            return contact_residual(law, U, R, V, scale).norm();
          };
          // Sticking: no velocity but the rebound, any reaction in the cone (shifted by c).
          Vec3 R(0, 0, S - c);
          R.head<2>() = mu * S * random.uniform(0, 1) * t;
          EXPECT_NEAR(residual({0, 0, rebound}, R), 0, 1e-12);
          // Sliding: reaction on the cone, against the velocity.
          R.head<2>() = -mu * S * t;
          const double slip = random.uniform(0, 3);
          EXPECT_NEAR(residual({slip * t.x(), slip * t.y(), rebound}, R), 0, 1e-12);
          // Open: any velocity that separates, no reaction but the cohesion's.
          const Vec3 away(slip * t.x(), slip * t.y(), rebound + random.uniform(0, 3));
          EXPECT_NEAR(residual(away, {0, 0, -c}), 0, 1e-12);
          EXPECT_NEAR(residual({0, 0, away.z()}, {0, 0, -c}), 0, 1e-12);
        }
}

TEST(RowLaw, ResidualTellsWhatIsViolated) {
  RowLaw law;
  law.friction = 0.5;
  const auto residual = [&](const Vec3& U, const Vec3& R) {
    return contact_residual(law, U, R, Vec3::Zero(), 1).norm();
  };
  EXPECT_GT(residual({0, 0, -1}, {0, 0, 10}), 0.1) << "penetrating";
  EXPECT_GT(residual({0, 0, 1}, {0, 0, 10}), 0.1) << "pushing while open";
  EXPECT_GT(residual({0, 0, 0}, {0, 0, -10}), 0.1) << "pulling";
  EXPECT_GT(residual({0, 0, 0}, {6, 0, 10}), 0.1) << "outside of the cone";
  EXPECT_GT(residual({1, 0, 0}, {-4, 0, 10}), 0.1) << "sliding inside of the cone";
  EXPECT_GT(residual({1, 0, 0}, {5, 0, 10}), 0.1) << "friction along the slip";
  EXPECT_GT(residual({1, 0, 0}, {0, -5, 10}), 0.1) << "friction across the slip";
  law.friction = 0;
  EXPECT_EQ(residual({0, 0, 1}, {0, 0, 0}), 0) << "separating without friction";
}

TEST(RowLaw, ResidualDoesNotDependOnTheUnitOfForce) {
  // A heavy body that slides with R right to round-off: in newtons it is far inside of the cone.
  RowLaw law;
  law.friction = 0.5;
  const Vec3 U(1e-3, 0, 0), R((1 - 1e-14) * -0.5e12, 0, 1e12);
  EXPECT_GT(contact_residual(law, U, R, Vec3::Zero(), 1).norm(), 0.9e-3);
  EXPECT_LT(contact_residual(law, U, R, Vec3::Zero(), 1e-12).norm(), 1e-13);
  Random random(3);
  for (int k = 0; k < 100; k++) {
    const Vec3 u = random.in_box(1), r = random.in_box(1), v = random.in_box(1);
    EXPECT_NEAR(
        (contact_residual(law, u, r, v, 1) - contact_residual(law, u, 1e6 * r, v, 1e-6)).norm(), 0,
        1e-14);
  }
}

TEST(RowLaw, ResidualIsZeroOnlyWhereTheLawHolds) {
  // Random points near and far: the residual is small exactly when the plain law is nearly kept.
  Random random(2);
  for (int k = 0; k < 20000; k++) {
    RowLaw law;
    law.friction = random.integer(0, 1) * random.uniform(0.1, 1);
    law.restitution = random.integer(0, 1) * 0.5;
    law.tangential_restitution = random.integer(0, 1) * 0.25;
    const Vec3 V = random.in_box(1);
    Vec3 U = random.in_box(1), R = random.in_box(1);
    for (int d = 0; d < 3; d++) {
      if (random.integer(0, 2) == 0) U[d] = 0;
      if (random.integer(0, 2) == 0) R[d] = 0;
    }
    if (random.integer(0, 1) == 0) U = 2 * U - with_restitution(law, U, V);
    const double residual = contact_residual(law, U, R, V, 1).norm();
    const double violation =
        testing::law_violation(with_restitution(law, U, V), R, law.friction, 1, 1);
    EXPECT_EQ(residual < 1e-9, violation < 1e-9)
        << residual << " " << violation << " U " << U.transpose() << " R " << R.transpose();
    // A violation by the size of 1 does not hide behind a residual of 1e-3.
    if (residual < 1e-3) {
      EXPECT_LT(violation, 0.2);
    }
  }
}

// Pairs of the convex law, made by its words: open, sticking, or sliding and opening.
TEST(RowLaw, ConvexLawHoldsWhereContactsThatSlideOpen) {
  Random random(4);
  for (int k = 0; k < 3000; k++) {
    RowLaw law;
    law.friction = random.uniform(0.1, 1);
    const Vec3 slip(random.uniform(-1, 1), random.uniform(-1, 1), 0);
    const double opening = law.friction * tangent_norm(slip), r = random.uniform(0.1, 1);
    Vec3 U = Vec3::Zero(), R = Vec3::Zero();
    if (k % 3 == 0) {
      U = slip + (opening + r) * Vec3::UnitZ();
    } else if (k % 3 == 1) {
      R = project_on_friction_cone(slip + r * Vec3::UnitZ(), law.friction);
    } else {
      U = slip + opening * Vec3::UnitZ();
      R = -law.friction * r / tangent_norm(slip) * slip + r * Vec3::UnitZ();
    }
    std::array laws = {law};
    give_convex_law(laws);
    EXPECT_LT(contact_residual(laws[0], U, R, Vec3::Zero(), 1).norm(), 1e-12);
    if (k % 3 == 2) {
      EXPECT_GT(contact_residual(law, U, R, Vec3::Zero(), 1).norm(), 0.05 * opening);
    }
    // One that slides along is none of the convex law's.
    if (k % 3 == 2) {
      U.z() = 0;
      EXPECT_LT(contact_residual(law, U, R, Vec3::Zero(), 1).norm(), 1e-12);
      EXPECT_GT(contact_residual(laws[0], U, R, Vec3::Zero(), 1).norm(), 0.05 * opening);
    }
  }
  RowLaw springs, point;
  springs.kind = LawKind::spring_dashpot;
  point.kind = LawKind::fixed_point;
  std::array others = {springs, point};
  give_convex_law(others);
  EXPECT_EQ(others[0].kind, LawKind::spring_dashpot);
  EXPECT_EQ(others[1].kind, LawKind::fixed_point);
}

Mat3 random_block(Random& random) {
  Eigen::Matrix<double, 3, 6> G;
  for (int k = 0; k < 18; k++) G(k) = random.uniform(-1, 1);
  return 1e-2 * (G * G.transpose() + 0.1 * Mat3::Identity());
}

TEST(RowLaw, ImplicitSpringDashpotIsTheMeanForceOfTheStep) {
  // R_N = -s g(t + h/2 + h/4 ...) - d (U_N + V_N) / 2 with U_N = b + W_NN R_N: the spring at
  // gap + h/4 (U_N - V_N), the damper at the mean velocity. Quasi-static: both at the end.
  Random random(3);
  for (int k = 0; k < 2000; k++) {
    RowLaw law;
    law.kind = LawKind::spring_dashpot;
    law.spring = std::pow(10, random.uniform(2, 6));
    law.dashpot = std::pow(10, random.uniform(0, 3));
    law.friction = random.uniform(0, 1);
    law.gap = random.uniform(-1e-2, 1e-3);
    const double h = 1e-3, V_N = random.uniform(-1, 1);
    const bool dynamic = k % 2 == 0;
    law.remaining = dynamic ? h / 2 : h;
    const Mat3 W = random_block(random);
    const Vec3 B = random.in_box(1), before = random.in_box(10);
    const Vec3 R = spring_dashpot_reaction(law, h, W, B, V_N, before, false);
    const double b = B.z() + W(2, 0) * before.x() + W(2, 1) * before.y();
    const auto force = [&](double normal) {
      const double U_N = b + W(2, 2) * normal;
      if (!dynamic) return -law.spring * (law.gap + h * U_N) - law.dashpot * U_N;
      return -law.spring * (law.gap + 0.25 * h * (U_N - V_N)) - 0.5 * law.dashpot * (U_N + V_N);
    };
    if (R.isZero(0)) {
      EXPECT_LT(force(0), 0) << "only what would pull is cut off";
      continue;
    }
    EXPECT_GE(R.z(), 0);
    EXPECT_NEAR(force(R.z()), R.z(), 1e-9 * (1 + std::abs(force(0))));
    // Friction: what stops the slip, or the bound against it.
    const Vec2 slip =
        B.head<2>() + W.topLeftCorner<2, 2>() * R.head<2>() + W.topRightCorner<2, 1>() * R.z();
    const double bound = law.friction * R.z();
    EXPECT_LE(R.head<2>().norm(), bound * (1 + 1e-12));
    if (R.head<2>().norm() < bound * (1 - 1e-9)) {
      EXPECT_NEAR(slip.norm(), 0, 1e-10);
    } else {
      EXPECT_NEAR(slip.dot(R.head<2>()), -slip.norm() * bound, 1e-10 * bound);
    }
  }
}

TEST(RowLaw, ExplicitSpringDashpotTakesTheGapOfMidStep) {
  RowLaw law;
  law.kind = LawKind::spring_dashpot;
  law.spring = 1000;
  law.dashpot = 10;
  law.gap = -0.02;  // at mid-step, h/2 after the start
  law.remaining = 0.005;
  const Mat3 W = Mat3::Identity();
  const double h = 0.01, V_N = -2;
  const Vec3 R = spring_dashpot_reaction(law, h, W, {0, 0, 5}, V_N, Vec3::Zero(), true);
  EXPECT_NEAR(R.z(), -1000 * -0.02 + 10 * 2, 1e-12);
  EXPECT_EQ(R.head<2>().norm(), 0);
  EXPECT_EQ(spring_dashpot_reaction(law, h, W, {0, 0, 5}, 200, Vec3::Zero(), true), Vec3::Zero())
      << "the damper does not pull";
}

TEST(RowLaw, FrictionIsAgainstTheSlip) {
  // Of all forces within the bound the one that takes most energy away, whatever W.
  Random random(4);
  for (int k = 0; k < 1000; k++) {
    const Mat2 W = random_block(random).topLeftCorner<2, 2>();
    const Vec2 free = random.in_box(1).head<2>();
    const double bound = std::pow(10, random.uniform(-6, 3));
    const CoulombFriction f = coulomb_friction(W, free, bound);
    const Vec2 slip = W * f.R + free;
    EXPECT_LE(f.R.norm(), bound * (1 + 1e-14));
    EXPECT_NEAR((f.inverse * free + f.R).norm(), 0, 1e-12 * f.R.norm());
    if (f.slides) {
      EXPECT_NEAR(slip.dot(f.R), -slip.norm() * bound, 1e-12 * free.norm() * bound);
    } else {
      EXPECT_LT(slip.norm(), 1e-12);
    }
  }
  const CoulombFriction none = coulomb_friction(Mat2::Identity(), {1, 2}, 0);
  EXPECT_TRUE(none.slides && none.R.isZero(0) && none.inverse.isZero(0));
}

TEST(RowLaw, CohesionBoundsTheTension) {
  RowLaw law;
  law.kind = LawKind::spring_dashpot;
  law.spring = 1000;
  law.friction = 0.5;
  law.gap = 0.01;
  const Mat3 W = 1e-3 * Mat3::Identity();
  EXPECT_EQ(spring_dashpot_reaction(law, 1e-3, W, Vec3::Zero(), 0, Vec3::Zero(), true),
            Vec3::Zero());
  law.cohesion = 20;
  EXPECT_NEAR(spring_dashpot_reaction(law, 1e-3, W, Vec3::Zero(), 0, Vec3::Zero(), true).z(), -10,
              1e-12);
  EXPECT_FALSE(breaks_bond(law, {0, 0, -10}, Vec3::Ones(), W));
  law.cohesion = 5;
  const Vec3 R = spring_dashpot_reaction(law, 1e-3, W, Vec3::Zero(), 0, Vec3::Zero(), true);
  EXPECT_EQ(R.z(), -5);
  EXPECT_TRUE(breaks_bond(law, R, Vec3::Zero(), W));
}

TEST(RowLaw, BondsDissipateAtTheirLimits) {
  RowLaw law;
  law.cohesion = 100;
  const Vec3 U(0.6, 0.8, 2);
  EXPECT_EQ(bond_power(law, {0, 0, -99.8}, U), 0) << "below its limit";
  EXPECT_EQ(bond_power(law, {0, 0, -100}, U), 200);
  EXPECT_EQ(bond_power(law, {0, 0, -100}, -U), 0) << "it closes";
  law.friction = 0.5;
  EXPECT_EQ(bond_power(law, {0, 0, -100}, U), 200) << "in tension friction does no work";
  EXPECT_EQ(bond_power(law, {33, 44, 10}, U), 50) << "without the friction of the 10 N";
  EXPECT_EQ(bond_power(law, {-12, -16, -60}, U), 20);
  EXPECT_EQ(bond_power(law, {32, 44, 10}, U), 0);
}

TEST(RowLaw, BondsBreakInTensionOrShear) {
  RowLaw law;
  law.cohesion = 100;
  const Vec3 opens(0, 0, 1), slips(0.6, 0.8, 0);
  const auto breaks = [&](const Vec3& R, const Vec3& U) {
    return breaks_bond(law, R, U, 1e-2 * Mat3::Identity());
  };
  EXPECT_FALSE(breaks({500, 0, 10}, slips)) << "no friction: only tension breaks it";
  EXPECT_FALSE(breaks({0, 0, -99.8}, opens));
  EXPECT_TRUE(breaks({0, 0, -99.95}, opens)) << "as near as a solver comes";
  EXPECT_TRUE(breaks({0, 0, -100}, opens));
  EXPECT_FALSE(breaks({0, 0, -100}, Vec3::Zero())) << "others hold it";
  EXPECT_FALSE(breaks({0, 0, -100}, 0.009 * opens)) << "what a solver leaves";
  EXPECT_TRUE(breaks({0, 0, -100}, 0.011 * opens));
  law.friction = 0.5;
  EXPECT_FALSE(breaks({0, 54.9, 10}, slips));
  EXPECT_TRUE(breaks({33, 44, 10}, slips)) << "at mu (R_N + c) = 55";
  EXPECT_FALSE(breaks({33, 44, 10}, opens));
}

}  // namespace
}  // namespace solfec::contact_law_test
