// Shape functions against their own differences, integrals against exact moments, the inverse map.
#include "geometry/element.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "geometry/moments.hpp"
#include "support/random.hpp"

namespace solfec::element_test {
namespace {

using testing::Random;

constexpr int kKinds[] = {4, 5, 6, 8};

std::vector<Vec3> local_corners(int nodes) {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  switch (nodes) {
    case 4:
      return {Vec3::Zero(), x, y, z};
    case 5:
      return {-x - y, x - y, x + y, y - x, z};
    case 6:
      return {-z, x - z, y - z, z, x + z, y + z};
    default:
      return {-x - y - z, x - y - z, x + y - z, y - x - z,
              z - x - y,  x - y + z, x + y + z, y - x + z};
  }
}

Vec3 random_inside(Random& random, int nodes) {
  for (;;) {
    const Vec3 p = random.in_box(1);
    if (inside(nodes, p, -0.01)) return p;
  }
}

std::vector<Vec3> distorted(Random& random, int nodes, double amount) {
  std::vector<Vec3> corners = local_corners(nodes);
  const Mat3 rotation = random.rotation();
  const Vec3 shift = random.in_box(3);
  for (Vec3& x : corners) x = rotation * (x + random.in_box(amount)) + shift;
  return corners;
}

Element whole(int nodes) { return {nodes, {0, 1, 2, 3, 4, 5, 6, 7}, 0}; }

Vec3 mapped(const std::vector<Vec3>& corners, const Vec3& local) {
  std::array<double, 8> N;
  shape_functions(static_cast<int>(corners.size()), local, N);
  Vec3 x = Vec3::Zero();
  for (std::size_t k = 0; k < corners.size(); k++) x += N[k] * corners[k];
  return x;
}

TEST(Element, ShapeFunctionsAreOneAtTheirNodes) {
  for (int nodes : kKinds) {
    const auto corners = local_corners(nodes);
    for (int k = 0; k < nodes; k++) {
      std::array<double, 8> N;
      shape_functions(nodes, corners[k], N);
      for (int i = 0; i < nodes; i++) EXPECT_NEAR(N[i], i == k ? 1 : 0, 1e-15) << nodes;
    }
  }
}

TEST(Element, LinearFieldsAreReproduced) {
  Random random(1);
  for (int nodes : kKinds)
    for (int repeat = 0; repeat < 20; repeat++) {
      const auto corners = local_corners(nodes);
      const Vec3 p = random.in_box(3);  // also far outside, where pyramids are continued
      EXPECT_NEAR((mapped(corners, p) - p).norm(), 0, 1e-13);
      EXPECT_NEAR((jacobian(corners, p) - Mat3::Identity()).norm(), 0, 1e-13);
      std::array<double, 8> N;
      shape_functions(nodes, p, N);
      double sum = 0;
      for (int k = 0; k < nodes; k++) sum += N[k];
      EXPECT_NEAR(sum, 1, 1e-13);
    }
}

TEST(Element, GradientsAreThoseOfTheFunctions) {
  Random random(2);
  for (int nodes : kKinds)
    for (int repeat = 0; repeat < 50; repeat++) {
      const Vec3 p = random.in_box(1.5);
      std::array<Vec3, 8> dN;
      shape_gradients(nodes, p, dN);
      for (int d = 0; d < 3; d++) {
        std::array<double, 8> plus, minus;
        shape_functions(nodes, p + 1e-6 * Vec3::Unit(d), plus);
        shape_functions(nodes, p - 1e-6 * Vec3::Unit(d), minus);
        for (int k = 0; k < nodes; k++)
          EXPECT_NEAR(dN[k][d], (plus[k] - minus[k]) / 2e-6, 1e-8) << nodes;
      }
    }
}

TEST(Element, TheApexOfAPyramidIsHarmless) {
  for (double w : {0.0, 1e-300, 1e-16, -1e-9})
    for (double x : {0.0, 1e-12, -1e-3}) {
      std::array<Vec3, 8> dN;
      std::array<double, 8> N;
      shape_functions(5, Vec3(x, x, 1 - w), N);
      shape_gradients(5, Vec3(x, x, 1 - w), dN);
      for (int k = 0; k < 5; k++) {
        EXPECT_LE(std::abs(N[k]), 1.001);
        EXPECT_LE(dN[k].norm(), 2);
      }
    }
}

TEST(Element, QuadratureIsExact) {
  Random random(3);
  for (int nodes : kKinds)
    for (int repeat = 0; repeat < 10; repeat++) {
      const auto corners = distorted(random, nodes, 0.2);
      double volume = 0;
      Vec3 first = Vec3::Zero();
      for (const auto& [local, weight] : quadrature(nodes)) {
        EXPECT_TRUE(inside(nodes, local, 0));
        const double determinant = jacobian(corners, local).determinant();
        EXPECT_GT(determinant, 0) << "the order of nodes is that of meshes";
        volume += weight * determinant;
        first += weight * determinant * mapped(corners, local);
      }
      const Moments exact = element_moments(corners, whole(nodes));
      EXPECT_NEAR(volume, exact.volume, 1e-13 * exact.volume) << nodes;
      EXPECT_NEAR((first - exact.first).norm(), 0, 1e-12) << nodes;
    }
}

TEST(Element, TheLocalCenterIsTheCentroid) {
  for (int nodes : kKinds) {
    const auto corners = local_corners(nodes);
    const Moments exact = element_moments(corners, whole(nodes));
    EXPECT_NEAR((local_center(nodes) - exact.first / exact.volume).norm(), 0, 1e-14);
  }
}

TEST(Element, LocalCoordinatesInvertTheMap) {
  Random random(4);
  for (int nodes : kKinds)
    for (int repeat = 0; repeat < 200; repeat++) {
      const auto corners = distorted(random, nodes, 0.2);
      // Also a little outside.
      const Vec3 center = local_center(nodes);
      const Vec3 p = center + 1.2 * (random_inside(random, nodes) - center);
      const auto found = local_coordinates(corners, mapped(corners, p));
      ASSERT_TRUE(found) << nodes;
      EXPECT_NEAR((*found - p).norm(), 0, 1e-12) << nodes;
    }
}

TEST(Element, CornersHaveLocalCoordinates) {
  Random random(5);
  for (int nodes : kKinds)
    for (int repeat = 0; repeat < 50; repeat++) {
      const auto corners = distorted(random, nodes, 0.2);
      for (int k = 0; k < nodes; k++) {
        const auto found = local_coordinates(corners, corners[k] + random.in_box(1e-9));
        ASSERT_TRUE(found) << nodes << ' ' << k;
        EXPECT_NEAR((*found - local_corners(nodes)[k]).norm(), 0, 1e-7);
        EXPECT_TRUE(inside(nodes, *found, 1e-7));
      }
    }
}

TEST(Element, CornersOfAHundredAndEightyDegreesHaveLocalCoordinates) {
  // Edges in one line, where the map cannot be inverted.
  auto corners = local_corners(8);
  for (int k : {2, 6}) corners[k].head<2>().setZero();
  for (const Vec3& far : {Vec3(0, 0, 0), Vec3(300, -200, 100)}) {
    auto moved = corners;
    for (Vec3& x : moved) x += far;
    for (int k = 0; k < 8; k++) {
      const auto found = local_coordinates(moved, moved[k]);
      ASSERT_TRUE(found) << k;
      EXPECT_NEAR((*found - local_corners(8)[k]).norm(), 0, 1e-5) << k;
    }
  }
}

TEST(Element, FarAwayFromParallelepipeds) {
  Mat3 A;
  A << 2, 0.5, 0.1, 0, 1, 0.7, -0.2, 0, 0.5;
  for (int nodes : kKinds) {
    auto corners = local_corners(nodes);
    for (Vec3& x : corners) x = A * x + Vec3(1, 2, 3);
    const Vec3 p(100, -50, 30);
    const auto found = local_coordinates(corners, A * p + Vec3(1, 2, 3));
    ASSERT_TRUE(found);
    EXPECT_NEAR((*found - p).norm(), 0, 1e-11);
    EXPECT_FALSE(inside(nodes, *found, 1));
  }
}

TEST(Element, NoCoordinatesWhereThereAreNone) {
  // A frustum: its sides, extended, meet at a point beyond which the map does not reach.
  auto corners = local_corners(8);
  for (int k = 4; k < 8; k++) corners[k] = Vec3(0.5 * corners[k].x(), 0.5 * corners[k].y(), 1);
  EXPECT_FALSE(local_coordinates(corners, Vec3(1, 0, 3)));
  EXPECT_TRUE(local_coordinates(corners, Vec3(0.2, 0, 1.1)));
  const std::vector<Vec3> flat(8, Vec3::Zero());
  EXPECT_FALSE(local_coordinates(flat, Vec3(1, 0, 0)));
}

TEST(Element, InsideWithTolerance) {
  for (int nodes : kKinds) {
    const Vec3 center = local_center(nodes);
    for (const Vec3& corner : local_corners(nodes)) {
      EXPECT_TRUE(inside(nodes, corner, 1e-12));
      EXPECT_TRUE(inside(nodes, center + 0.99 * (corner - center), 0));
      EXPECT_FALSE(inside(nodes, center + 1.05 * (corner - center), 1e-3));
      EXPECT_TRUE(inside(nodes, center + 1.05 * (corner - center), 0.2));
    }
  }
}

TEST(Element, HowFarOutside) {
  for (int nodes : kKinds) {
    const Vec3 center = local_center(nodes);
    for (const Vec3& corner : local_corners(nodes)) {
      EXPECT_EQ(outside(nodes, center + 0.99 * (corner - center)), 0);
      EXPECT_LE(outside(nodes, corner + Vec3::Constant(1e-9)), 1e-8);
      double last = 0;
      for (double factor : {1.001, 1.05, 1.5, 3.0, 10.0}) {
        const double now = outside(nodes, center + factor * (corner - center));
        EXPECT_GE(now, last);
        last = now;
      }
      EXPECT_GT(last, 1);
    }
  }
}

}  // namespace
}  // namespace solfec::element_test
