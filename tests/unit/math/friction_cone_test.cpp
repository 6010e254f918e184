// Projection onto the friction cone by what defines it: S = p + q with p in the cone, q in the
// polar cone, and p orthogonal to q (Moreau).
#include "math/friction_cone.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/random.hpp"
#include "support/random_solids.hpp"

namespace solfec::friction_cone_test {
namespace {

using testing::Random;

const std::vector<double> kFriction = {0, 1e-6, 0.1, 0.3, 1, 2, 100};

TEST(FrictionCone, SplitsEveryVectorIntoOrthogonalPartsOfConeAndPolarCone) {
  Random random(1);
  for (double mu : kFriction)
    for (int k = 0; k < 2000; k++) {
      const Vec3 S = std::pow(10.0, random.uniform(-12, 12)) * random.direction();
      const double slack = 1e-14 * (1 + mu) * S.norm();
      const Vec3 p = project_on_friction_cone(S, mu), q = project_on_polar_cone(S, mu);
      EXPECT_TRUE(in_friction_cone(p, mu, slack)) << mu << " " << S.transpose();
      // Polar cone: mu |q_T| + q_N <= 0.
      EXPECT_LE(mu * tangent_norm(q) + q.z(), slack) << mu << " " << S.transpose();
      EXPECT_NEAR(p.dot(q), 0, slack * S.norm());
      EXPECT_NEAR((p + q - S).norm(), 0, slack);
    }
}

TEST(FrictionCone, NoPointOfTheConeIsNearer) {
  Random random(2);
  for (double mu : kFriction)
    for (int k = 0; k < 200; k++) {
      const Vec3 S = random.in_box(1);
      const double distance = (project_on_friction_cone(S, mu) - S).norm();
      for (int i = 0; i < 50; i++) {
        const double normal = random.uniform(0, 2), tangent = mu * normal * random.uniform(0, 1);
        const double angle = random.uniform(0, 2 * std::numbers::pi);
        const Vec3 other(tangent * std::cos(angle), tangent * std::sin(angle), normal);
        EXPECT_LE(distance, (other - S).norm() + 1e-14);
      }
    }
}

TEST(FrictionCone, SpecialPoints) {
  const Vec3 up(0, 0, 2), down(0, 0, -2), side(3, -4, 0);
  for (double mu : kFriction) {
    EXPECT_EQ(project_on_friction_cone(up, mu), up);
    EXPECT_EQ(project_on_friction_cone(down, mu), Vec3::Zero());
    EXPECT_EQ(project_on_friction_cone(Vec3::Zero(), mu), Vec3::Zero());
    EXPECT_EQ(project_on_polar_cone(down, mu), down);
  }
  EXPECT_EQ(project_on_friction_cone({3, -4, 7}, 0), Vec3(0, 0, 7)) << "mu = 0: the half line";
  EXPECT_EQ(project_on_friction_cone(side, 0), Vec3::Zero());
  // mu = 1: the nearest point to (5 along the side, 0) is half of it on the boundary.
  EXPECT_NEAR((project_on_friction_cone(side, 1) - Vec3(1.5, -2, 2.5)).norm(), 0, 1e-15);
}

TEST(FrictionCone, ClippedReactionsAreInTheConeToTheLastBit) {
  Random random(3);
  for (double mu : kFriction)
    for (int k = 0; k < 20000; k++) {
      const Vec3 R = std::pow(10.0, random.uniform(-12, 12)) * random.direction();
      const Vec3 clipped = clip_to_friction_cone(R, mu);
      EXPECT_TRUE(in_friction_cone(clipped, mu)) << mu << " " << R.transpose();
      if (R.z() <= 0) {
        EXPECT_EQ(clipped, Vec3::Zero());
      } else {
        EXPECT_EQ(clipped.z(), R.z()) << "the normal reaction stays";
        if (in_friction_cone(R, mu))
          EXPECT_EQ(clipped, R);
        else
          EXPECT_NEAR(tangent_norm(clipped), mu * R.z(), 1e-14 * mu * R.z());
        EXPECT_NEAR(clipped.x() * R.y() - clipped.y() * R.x(), 0, 1e-15 * R.squaredNorm());
      }
    }
  EXPECT_EQ(clip_to_friction_cone(Vec3(NAN, 0, NAN), 0.5), Vec3::Zero());
}

TEST(FrictionCone, SlopeOfTheProjectionIsThatOfDifferences) {
  testing::Random random(3);
  for (int k = 0; k < 3000; k++) {
    const double mu = k % 4 == 0 ? 0 : random.uniform(0.05, 2);
    const Vec3 S = random.in_box(2);
    const Mat3 slope = friction_cone_slope(S, mu);
    for (int j = 0; j < 3; j++) {
      const auto difference = [&](double step) -> Vec3 {
        Vec3 d = Vec3::Zero();
        d[j] = step;
        return (project_on_friction_cone(S + d, mu) - project_on_friction_cone(S - d, mu)) /
               (2 * step);
      };
      if ((difference(1e-6) - difference(1e-5)).norm() > 1e-7) continue;  // across a border
      EXPECT_LT((slope.col(j) - difference(1e-6)).norm(), 1e-6) << mu << ", " << S.transpose();
    }
  }
}

}  // namespace
}  // namespace solfec::friction_cone_test
