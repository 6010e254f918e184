// Exact configurations of balls and ellipsoids. Random pairs:
// tests/analytic/contact_pairs_test.cpp.
#include "contact/ellipsoid_pair.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/gap_oracle.hpp"
#include "support/random_solids.hpp"

namespace solfec::ellipsoid_pair_test {
namespace {

using testing::Random;

constexpr double kEpsilon = 1e-6;

EllipsoidView as_ellipsoid(const Ball& ball) {
  return {ball.center, ball.radius * Mat3::Identity()};
}

TEST(EllipsoidPair, BallsTouchAlongTheirCentres) {
  const Ball second{{0, 0, 0}, 1};
  for (double depth : {-0.9e-6, 0.0, 1e-9, 0.1, 0.9}) {
    const auto c = ball_ball({{0, 0, 1.5 - depth}, 0.5}, second, kEpsilon);
    ASSERT_TRUE(c) << depth;
    EXPECT_EQ(c->normal, Vec3::UnitZ());
    EXPECT_NEAR(c->gap, -depth, 1e-15);
    EXPECT_NEAR((c->point - Vec3(0, 0, 1 - depth / 2)).norm(), 0, 1e-15);
  }
  EXPECT_FALSE(ball_ball({{0, 0, 1.5 + 1.1e-6}, 0.5}, second, kEpsilon));
}

TEST(EllipsoidPair, BallsMeetInACircle) {
  // Radii 5 and sqrt(20), centres 5 apart: the circle has the radius 4 (triangles 3-4-5 and 2-4).
  const auto c = ball_ball({{5, 0, 0}, std::sqrt(20.0)}, {{0, 0, 0}, 5}, kEpsilon);
  EXPECT_NEAR(c->area, 16 * std::numbers::pi, 1e-12);
  // One inside of the other: its own disc. Centres together: some normal, nothing infinite.
  EXPECT_NEAR(ball_ball({{0.1, 0, 0}, 0.5}, {{0, 0, 0}, 5}, kEpsilon)->area,
              0.25 * std::numbers::pi, 1e-15);
  const auto same = ball_ball({{1, 2, 3}, 1}, {{1, 2, 3}, 1}, kEpsilon);
  EXPECT_EQ(same->normal.norm(), 1);
  EXPECT_EQ(same->gap, -2);
  EXPECT_TRUE(std::isfinite(same->area) && same->point.allFinite());
}

TEST(EllipsoidPair, RoundEllipsoidsAreBalls) {
  Random random(1);
  int contacts = 0;
  for (int k = 0; k < 2000; k++) {
    const Ball a{random.in_box(1), random.uniform(0.1, 1)},
        b{random.in_box(1), random.uniform(0.1, 1)};
    const auto expected = ball_ball(a, b, kEpsilon);
    // A ball is the image of the unit ball under any rotation times its radius.
    EllipsoidView first = as_ellipsoid(a);
    first.map = first.map * random.rotation();
    const auto found = ellipsoid_ellipsoid(first, as_ellipsoid(b), kEpsilon);
    ASSERT_EQ(found.has_value(), expected.has_value());
    if (!found) continue;
    contacts++;
    EXPECT_NEAR(found->gap, expected->gap, 1e-12);
    EXPECT_NEAR((found->normal - expected->normal).norm(), 0, 1e-6);
    EXPECT_NEAR((found->point - expected->point).norm(), 0, 1e-6);
  }
  EXPECT_GT(contacts, 500);
}

TEST(EllipsoidPair, ImagesOfTouchingBallsTouch) {
  // Touching is kept by affine maps; normals go with the inverse transpose.
  Random random(2);
  for (int k = 0; k < 500; k++) {
    const Ball b{random.in_box(1), random.uniform(0.3, 1)};
    const double radius = random.uniform(0.3, 1);
    const Vec3 n = random.direction();
    const Ball a{b.center + (radius + b.radius) * n, radius};
    const Mat3 A = random.rotation() *
                   Vec3(random.uniform(0.3, 1), random.uniform(0.3, 1), 1).asDiagonal() *
                   random.rotation();
    const EllipsoidView first{A * a.center, radius * A}, second{A * b.center, b.radius * A};
    const auto c = ellipsoid_ellipsoid(first, second, kEpsilon);
    ASSERT_TRUE(c) << k;
    EXPECT_NEAR(c->gap, 0, 1e-12);
    EXPECT_NEAR((c->normal - (A.inverse().transpose() * n).normalized()).norm(), 0, 1e-6);
    EXPECT_NEAR((c->point - A * (b.center + b.radius * n)).norm(), 0, 1e-6);
  }
}

TEST(EllipsoidPair, DeepPairsFindTheShortWayOut) {
  // Aligned and concentric: out along the shortest axes.
  Random random(3);
  for (int k = 0; k < 50; k++) {
    const Mat3 R = random.rotation();
    const EllipsoidView first{{1, 2, 3}, R * Vec3(0.5, 2, 3).asDiagonal()};
    const EllipsoidView second{{1, 2, 3}, R * Vec3(0.7, 1, 4).asDiagonal()};
    const auto c = ellipsoid_ellipsoid(first, second, kEpsilon);
    ASSERT_TRUE(c);
    EXPECT_NEAR(c->gap, -1.2, 1e-12);
    EXPECT_NEAR(std::abs(c->normal.dot(R.col(0))), 1, 1e-10);
  }
}

void expect_brute_force(const EllipsoidView& first, const EllipsoidView& second) {
  const double gap = testing::brute_force_gap(first, second);
  const auto c = ellipsoid_ellipsoid(first, second, kEpsilon);
  ASSERT_EQ(c.has_value(), gap <= kEpsilon);
  if (!c) return;
  EXPECT_NEAR(c->gap, gap, 1e-9);
  const auto e = ellipsoid_ellipsoid(second, first, kEpsilon);
  EXPECT_EQ(e->normal, Vec3(-c->normal)) << "the same to the last bit when exchanged";
  EXPECT_EQ(e->gap, c->gap);
  EXPECT_EQ(e->point, c->point);
  EXPECT_EQ(e->area, c->area);
}

EllipsoidView random_ellipsoid(Random& random, double spread, double flattest) {
  const Vec3 radii(random.uniform(flattest, 1), random.uniform(flattest, 1),
                   random.uniform(flattest, 1));
  return {random.in_box(spread), random.rotation() * radii.asDiagonal()};
}

TEST(EllipsoidPair, RandomPairsAgainstBruteForce) {
  Random random(4);
  for (int k = 0; k < 100; k++)
    expect_brute_force(random_ellipsoid(random, 0.6, 0.2), random_ellipsoid(random, 0.6, 0.2));
}

TEST(EllipsoidPair, DeepPairsAgainstBruteForce) {
  // Flat and deep: the gap has several local maxima.
  Random random(7);
  for (int k = 0; k < 100; k++)
    expect_brute_force(random_ellipsoid(random, 0.3, 0.05), random_ellipsoid(random, 0.3, 0.05));
}

TEST(EllipsoidPair, CapAreaIsTheSectionByAPlane) {
  const EllipsoidView ball{{1, 1, 1}, 2 * Mat3::Identity()};
  EXPECT_NEAR(cap_area(ball, Vec3::UnitX(), 0.5), std::numbers::pi * (4 - 1.5 * 1.5), 1e-13);
  EXPECT_EQ(cap_area(ball, Vec3::UnitX(), 0), 0);
  EXPECT_EQ(cap_area(ball, Vec3::UnitX(), -1), 0) << "apart: nothing";
  EXPECT_NEAR(cap_area(ball, Vec3::UnitX(), 5), 4 * std::numbers::pi, 1e-13)
      << "at most through the centre";
  // x^2/a^2 + y^2/b^2 <= 1 - (1 - d/c)^2 along an axis.
  const EllipsoidView e{{0, 0, 0}, Vec3(1, 2, 3).asDiagonal()};
  EXPECT_NEAR(cap_area(e, Vec3::UnitZ(), 1), std::numbers::pi * 2 * (1 - 4.0 / 9), 1e-13);
  // Along any direction by counting points of the plane.
  Random random(5);
  const Vec3 n = random.direction(), a = n.unitOrthogonal(), b = n.cross(a);
  const double depth = 0.4 * e.height(n);
  int inside = 0;
  constexpr int kSide = 700;
  const double half = 3.5;
  for (int i = 0; i < kSide; i++)
    for (int j = 0; j < kSide; j++) {
      const Vec3 x = (e.height(n) - depth) * n + half * (2.0 * (i + 0.5) / kSide - 1) * a +
                     half * (2.0 * (j + 0.5) / kSide - 1) * b;
      inside += (e.map.inverse() * x).squaredNorm() <= 1;
    }
  const double counted = inside * std::pow(2 * half / kSide, 2);
  EXPECT_NEAR(cap_area(e, n, depth), counted, 5e-3 * counted);
}

TEST(EllipsoidPair, SupportGapHasItsDerivatives) {
  Random random(6);
  for (int k = 0; k < 100; k++) {
    const EllipsoidView first{random.in_box(1), random.rotation() * Vec3(0.3, 0.7, 1).asDiagonal()};
    const EllipsoidView second{random.in_box(1),
                               random.rotation() * Vec3(0.5, 0.4, 1).asDiagonal()};
    const SupportGap function(first.center - second.center, first, second);
    const Vec3 n = random.direction();
    const auto value = function.value(n);
    EXPECT_NEAR(value.gap,
                (first.center - second.center).dot(n) - first.height(n) - second.height(n), 1e-14);
    EXPECT_NEAR(function.gap(n), value.gap, 1e-14);
    EXPECT_NEAR(value.gradient.dot(n), value.gap, 1e-14) << "homogeneous of degree one";
    for (int d = 0; d < 3; d++) {
      const Vec3 step = 1e-5 * Vec3::Unit(d);
      const auto plus = function.value(n + step), minus = function.value(n - step);
      EXPECT_NEAR((plus.gap - minus.gap) / 2e-5, value.gradient[d], 1e-8);
      EXPECT_NEAR(((plus.gradient - minus.gradient) / 2e-5 + value.curvature.col(d)).norm(), 0,
                  1e-7);
    }
    // A climb ends where the gap has no slope along the sphere.
    const Vec3 top = function.climb(n, 1e300);
    const auto there = function.value(top);
    EXPECT_GE(there.gap, value.gap);
    EXPECT_NEAR((there.gradient - there.gap * top).norm(), 0, 1e-6);
  }
}

}  // namespace
}  // namespace solfec::ellipsoid_pair_test
