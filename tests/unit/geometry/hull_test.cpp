// Convex hulls against brute force: a triangle of points is a facet when all others lie behind it.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/error.hpp"
#include "geometry/moments.hpp"
#include "math/rotation.hpp"
#include "support/random_solids.hpp"

namespace solfec::hull_test {
namespace {

using testing::Random;
using Triangle = std::array<double, 9>;  // corners in a fixed order, to be compared bit by bit

Triangle triangle(std::array<Vec3, 3> corners) {
  std::ranges::sort(corners, [](const Vec3& a, const Vec3& b) {
    return std::ranges::lexicographical_compare(a, b);
  });
  Triangle t;
  for (int k = 0; k < 9; k++) t[k] = corners[k / 3][k % 3];
  return t;
}

std::set<Triangle> facets_by_brute_force(const std::vector<Vec3>& points) {
  std::set<Triangle> facets;
  const std::size_t n = points.size();
  for (std::size_t i = 0; i < n; i++)
    for (std::size_t j = i + 1; j < n; j++)
      for (std::size_t k = j + 1; k < n; k++) {
        const Vec3 normal = (points[j] - points[i]).cross(points[k] - points[i]);
        int above = 0, below = 0;
        for (const Vec3& p : points) {
          const double height = normal.dot(p - points[i]);
          above += height > 1e-12;
          below += height < -1e-12;
        }
        if (above == 0 || below == 0) facets.insert(triangle({points[i], points[j], points[k]}));
      }
  return facets;
}

TEST(Hull, HasTheFacetsOfBruteForce) {
  Random random(1);
  for (int count : {4, 5, 6, 10, 25})
    for (int repeat = 0; repeat < 20; repeat++) {
      std::vector<Vec3> points;
      for (int k = 0; k < count; k++) points.push_back(random.in_box(1));
      const Polyhedron hull = convex_hull(points, 7, 8);
      std::set<Triangle> facets;
      for (int f = 0; f < hull.faces.count(); f++) {
        const auto loop = hull.faces.loop(f);
        ASSERT_EQ(loop.size(), 3u);
        facets.insert(
            triangle({hull.vertices[loop[0]], hull.vertices[loop[1]], hull.vertices[loop[2]]}));
      }
      EXPECT_EQ(facets, facets_by_brute_force(points)) << count;
      EXPECT_EQ(facets.size(), static_cast<std::size_t>(hull.faces.count()));
      EXPECT_NO_THROW(check_convex(hull, 1e-12));
      // Euler: V - E + F = 2 with 3 F = 2 E; no vertex inside is kept.
      EXPECT_EQ(2 * static_cast<int>(hull.vertices.size()), hull.faces.count() + 4);
    }
}

TEST(Hull, ReachesAsFarAsThePoints) {
  Random random(2);
  for (int repeat = 0; repeat < 20; repeat++) {
    std::vector<Vec3> points;
    for (int k = 0; k < 500; k++)
      points.push_back(Vec3(1e6, 0, 0) + 1e-3 * random.in_box(1));  // small and far away
    const Polyhedron hull = convex_hull(points, 0, 0);
    EXPECT_LT(hull.vertices.size(), points.size());
    for (int k = 0; k < 100; k++) {
      const Vec3 n = random.direction();
      double of_points = -1e300, of_hull = -1e300;
      for (const Vec3& p : points) of_points = std::max(of_points, n.dot(p - points[0]));
      for (const Vec3& v : hull.vertices) of_hull = std::max(of_hull, n.dot(v - points[0]));
      EXPECT_NEAR(of_points, of_hull, 1e-9);
    }
  }
}

TEST(Hull, MergesCoplanarTrianglesAndDropsWhatIsNoCorner) {
  // A box given by its corners, edge middles, face centres, centre, and all of that twice.
  const Mat3 R = rotation_about({1, 2, 3}, 0.7);
  for (const Mat3& rotation : {Mat3(Mat3::Identity()), R}) {
    std::vector<Vec3> points;
    for (int twice = 0; twice < 2; twice++)
      for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
          for (int k = -1; k <= 1; k++) points.push_back(rotation * Vec3(i, 2 * j, 3 * k));
    const Polyhedron hull = convex_hull(points, 3, 5);
    EXPECT_EQ(hull.faces.count(), 6);
    EXPECT_EQ(hull.vertices.size(), 8u);
    for (int f = 0; f < hull.faces.count(); f++) EXPECT_EQ(hull.faces.loop(f).size(), 4u);
    EXPECT_NEAR(moments(hull, Vec3::Zero()).volume, 48, 1e-12);
    EXPECT_NO_THROW(check_convex(hull, 1e-12));
    EXPECT_EQ(hull.volume, 3);
    EXPECT_EQ(hull.surface, std::vector<int>(6, 5));
  }
}

TEST(Hull, RegularSolids) {
  const double g = (1 + std::sqrt(5.0)) / 2;
  std::vector<Vec3> octahedron, icosahedron, dodecahedron;
  for (int s : {-1, 1})
    for (int d = 0; d < 3; d++) octahedron.push_back(s * Vec3::Unit(d));
  for (int s : {-1, 1})
    for (int t : {-1, 1})
      for (int d = 0; d < 3; d++) {
        Vec3 p, q;
        p[d] = 0, p[(d + 1) % 3] = s, p[(d + 2) % 3] = t * g;
        q[d] = 0, q[(d + 1) % 3] = s / g, q[(d + 2) % 3] = t * g;
        icosahedron.push_back(p);
        dodecahedron.push_back(q);
      }
  for (int k = 0; k < 8; k++)
    dodecahedron.emplace_back(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
  const auto expect = [](const std::vector<Vec3>& points, int faces, double volume) {
    const Polyhedron hull = convex_hull(points, 0, 0);
    EXPECT_EQ(hull.faces.count(), faces);
    EXPECT_EQ(hull.vertices.size(), points.size());
    EXPECT_NEAR(moments(hull, Vec3(1, 1, 1)).volume, volume, 1e-12);
  };
  expect(octahedron, 8, 4.0 / 3);
  expect(icosahedron, 20, 8 * 5 * (3 + std::sqrt(5.0)) / 12);
  const double edge = 2 / g;
  expect(dodecahedron, 12, edge * edge * edge * (15 + 7 * std::sqrt(5.0)) / 4);
}

TEST(Hull, RefusesPointsWithoutVolume) {
  std::vector<Vec3> plane, line(6, Vec3::Zero()), few = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  for (int k = 0; k < 20; k++) {
    plane.emplace_back(std::cos(k), std::sin(k), 0.5 * std::cos(k));
    if (k < 6) line[k] = k * Vec3(1, 2, 3);
  }
  for (const auto& points : {plane, line, few, std::vector<Vec3>(9, Vec3(1, 2, 3))})
    EXPECT_THROW(convex_hull(points, 0, 0), RunError);
}

}  // namespace
}  // namespace solfec::hull_test
