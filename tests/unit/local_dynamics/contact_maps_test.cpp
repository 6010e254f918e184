// Maps of the law of contact. Their slopes and zeros are in linearization_test.cpp.
#include "local_dynamics/contact_maps.hpp"

#include <gtest/gtest.h>

#include "math/friction_cone.hpp"
#include "support/random.hpp"

namespace solfec::contact_maps_test {
namespace {

TEST(ContactMaps, StepsAreInversesOfEigenvalues) {
  testing::Random random(1);
  for (int k = 0; k < 100; k++) {
    Mat3 G;
    for (int i = 0; i < 9; i++) G(i) = random.uniform(-1, 1);
    const Mat3 W = 1e-3 * G * G.transpose();
    const double whole = Eigen::SelfAdjointEigenSolver<Mat3>(W).eigenvalues()(2);
    const Mat2 tangential = W.topLeftCorner<2, 2>();
    const double largest = Eigen::SelfAdjointEigenSolver<Mat2>(tangential).eigenvalues()(1);
    for (ContactMap map : {ContactMap::natural, ContactMap::fischer_burmeister})
      EXPECT_NEAR(contact_steps(map, W).normal * whole, 1, 1e-10);
    for (ContactMap map : {ContactMap::alart_curnier, ContactMap::jean_moreau}) {
      EXPECT_NEAR(contact_steps(map, W).normal * W(2, 2), 1, 1e-12);
      EXPECT_NEAR(contact_steps(map, W).tangential * largest, 1, 1e-10);
    }
  }
  EXPECT_EQ(contact_steps(ContactMap::natural, Mat3::Zero()).normal, 1);
  EXPECT_EQ(contact_steps(ContactMap::jean_moreau, Mat3::Zero()).tangential, 1);
}

// Written out for points of which the answer is seen.
TEST(ContactMaps, KnownValues) {
  const double mu = 0.5;
  const ContactSteps one{1, 1};
  // Pushed together by 4 without slip: z = (0, 0, 4), inside of the cone.
  const Vec3 closing(0, 0, -4);
  for (ContactMap map : {ContactMap::natural, ContactMap::alart_curnier}) {
    const RowLinearization l = contact_map(map, mu, closing, Vec3::Zero(), one);
    EXPECT_TRUE(l.C.isApprox(closing, 1e-14));
  }
  // Jean and Moreau's disc has no radius while S_N = 0.
  const Vec3 slides(1, 0, -4);
  EXPECT_EQ(contact_map(ContactMap::jean_moreau, mu, slides, Vec3::Zero(), one).C, Vec3(0, 0, -4));
  EXPECT_EQ(contact_map(ContactMap::alart_curnier, mu, slides, Vec3::Zero(), one).C,
            Vec3(1, 0, -4));
  // x = 0: x + y - |y|, and |y| = y inside of the cone.
  const RowLinearization open =
      contact_map(ContactMap::fischer_burmeister, mu, Vec3(0.1, 0, 3), Vec3::Zero(), one);
  EXPECT_LT(open.C.norm(), 1e-7);
  // Without friction it is S_N + U_N - (S_N^2 + U_N^2)^(1/2), and S_T = 0.
  const RowLinearization smooth =
      contact_map(ContactMap::fischer_burmeister, 0, Vec3(7, 0, 3), Vec3(0.2, 0.3, 4), one);
  EXPECT_TRUE(smooth.C.isApprox(Vec3(0.2, 0.3, 2), 1e-14));
}

// Zero where S and U are complementary in the cone and its dual; slopes by differences.
TEST(ContactMaps, ConvexMapIsTheNaturalMapOfTheVelocity) {
  testing::Random random(2);
  const double mu = 0.5;
  // Sliding opens: U = (1, 0, mu) against S = (-mu, 0, 1).
  EXPECT_LT(convex_map(mu, Vec3(1, 0, mu), Vec3(-3 * mu, 0, 3), 0.7).C.norm(), 1e-15);
  EXPECT_GT(convex_map(mu, Vec3(1, 0, 0), Vec3(-3 * mu, 0, 3), 0.7).C.norm(), 0.1);
  for (int k = 0; k < 200; k++) {
    const Vec3 U = random.in_box(1), S = random.in_box(1);
    const RowLinearization l = convex_map(mu, U, S, 0.7);
    const Vec3 direction = 1e-6 * random.in_box(1);
    const auto change = [&](const Vec3& dU, const Vec3& dS) -> Vec3 {
      return (convex_map(mu, U + dU, S + dS, 0.7).C - convex_map(mu, U - dU, S - dS, 0.7).C) / 2;
    };
    EXPECT_LT((l.X * direction - change(direction, Vec3::Zero())).norm(), 1e-11) << k;
    EXPECT_LT((l.Y * direction - change(Vec3::Zero(), direction)).norm(), 1e-11) << k;
  }
}

}  // namespace
}  // namespace solfec::contact_maps_test
