#include "geometry/prism.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/moments.hpp"

namespace solfec::prism_test {
namespace {

// The surface of the face that looks along a direction.
int surface_along(const Polyhedron& solid, const Vec3& direction) {
  int best = 0;
  double cosine = -2;
  for (int f = 0; f < solid.faces.count(); f++) {
    const double c = face_plane(solid.vertices, solid.faces.loop(f)).normal.dot(direction);
    if (c > cosine) {
      cosine = c;
      best = f;
    }
  }
  return solid.surface[best];
}

TEST(Prism, BoxesAreClosedConvexAndAsLargeAsTheyShould) {
  const Vec3 center(1, -2, 3), sizes(2, 3, 4);
  const Polyhedron box = make_box(center, sizes, 7, {1, 2, 3, 4, 5, 6});
  EXPECT_NO_THROW(check_convex(box, 1e-12));
  EXPECT_EQ(box.volume, 7);
  const Moments m = moments(box, center);
  EXPECT_NEAR(m.volume, 24, 1e-12);
  EXPECT_NEAR(m.first.norm(), 0, 1e-12);
  const Vec3 second = 24.0 / 12 * sizes.cwiseProduct(sizes);
  EXPECT_TRUE(m.second.isApprox(Mat3(second.asDiagonal()), 1e-12));
  EXPECT_EQ(surface_along(box, -Vec3::UnitZ()), 1);
  EXPECT_EQ(surface_along(box, -Vec3::UnitX()), 2);
  EXPECT_EQ(surface_along(box, Vec3::UnitY()), 3);
  EXPECT_EQ(surface_along(box, Vec3::UnitX()), 4);
  EXPECT_EQ(surface_along(box, -Vec3::UnitY()), 5);
  EXPECT_EQ(surface_along(box, Vec3::UnitZ()), 6);
}

TEST(Prism, CylindersHaveTheVolumeAndInertiaOfTheirPolygon) {
  const Vec3 base(1, 2, 3), axis(3, -4, 12);  // of length 13
  for (const int n : {3, 4, 7, 24, 100}) {
    const double radius = 0.5;
    const Polyhedron prism = make_cylinder(base, axis, radius, n, 7, {1, 2, 3});
    EXPECT_NO_THROW(check_convex(prism, 1e-12));
    const Moments m = moments(prism, base + 0.5 * axis);
    // Of a regular polygon: area n/2 r^2 sin a, second moment about any axis in its plane
    // n r^4 / 24 sin a (2 + cos a), with a = 2 pi / n.
    const double a = 2 * std::numbers::pi / n, area = 0.5 * n * radius * radius * std::sin(a),
                 bend = n * std::pow(radius, 4) / 24 * std::sin(a) * (2 + std::cos(a));
    EXPECT_NEAR(m.volume, 13 * area, 1e-12 * m.volume);
    EXPECT_NEAR(m.first.norm(), 0, 1e-12);
    const Vec3 z = axis / 13;
    const Mat3 across = Mat3::Identity() - z * z.transpose();
    const Mat3 expected = 13 * bend * across + area * std::pow(13, 3) / 12 * z * z.transpose();
    EXPECT_NEAR((m.second - expected).norm(), 0, 1e-11 * expected.norm());
    EXPECT_EQ(surface_along(prism, -z), 1);
    EXPECT_EQ(surface_along(prism, z), 2);
    EXPECT_EQ(std::ranges::count(prism.surface, 3), n);
  }
}

}  // namespace
}  // namespace solfec::prism_test
