#include "geometry/convex_distance.hpp"

#include <gtest/gtest.h>

#include "support/random_solids.hpp"

namespace solfec::convex_distance_test {
namespace {

// A polyhedron with its view.
struct Solid {
  explicit Solid(const Polyhedron& p) : solid(p), topology(p.faces) {
    for (int f = 0; f < p.faces.count(); f++) {
      const auto vertex = [&](int k) { return p.vertices[p.faces.vertex[p.faces.begin[f] + k]]; };
      const Vec3 normal = (vertex(1) - vertex(0)).cross(vertex(2) - vertex(0)).normalized();
      planes.push_back({normal, normal.dot(vertex(0))});
    }
    surface.assign(planes.size(), 0);
    internal.assign(planes.size(), 0);
  }
  ConvexView view() const {
    return {solid.vertices, planes, &topology, surface.data(), internal.data()};
  }

  Polyhedron solid;
  ConvexTopology topology;
  std::vector<Plane> planes;
  std::vector<int> surface;
  std::vector<std::uint8_t> internal;
};

// How far the two are apart along a direction.
double gap_along(const ConvexView& a, const ConvexView& b, const Vec3& n) {
  return a.vertices[support_vertex(a.vertices, -n)].dot(n) -
         b.vertices[support_vertex(b.vertices, n)].dot(n);
}

// The gap along the normal is the distance of two points: no other direction has a wider one, no
// other points are nearer.
TEST(ConvexDistance, PointsAndNormalProveIt) {
  testing::Random random(1);
  int apart = 0;
  for (int k = 0; k < 2000; k++) {
    const double far = std::pow(10.0, -3 * random.in_box(1).x());
    const Solid a(testing::random_polyhedron(random, Vec3::Zero(), 1)),
        b(testing::random_polyhedron(random, 2.2 * random.in_box(1) + Vec3(far, 0, 0), 1));
    const auto s = separation_of(a.view(), b.view());
    if (!s) {
      // None of many directions separates them.
      for (int n = 0; n < 50; n++)
        ASSERT_LT(gap_along(a.view(), b.view(), random.in_box(1).normalized()), 1e-9);
      continue;
    }
    apart++;
    ASSERT_NEAR(s->normal.norm(), 1, 1e-12);
    ASSERT_NEAR((s->first - s->second - s->distance * s->normal).norm(), 0, 1e-9);
    ASSERT_NEAR(gap_along(a.view(), b.view(), s->normal), s->distance, 1e-9 * (1 + far));
    for (const auto* one : {&a, &b})
      for (const Plane& plane : one->planes)
        ASSERT_LT(plane.distance(one == &a ? s->first : s->second), 1e-9 * (1 + far));
  }
  EXPECT_GT(apart, 300);
}

TEST(ConvexDistance, OfFacesEdgesAndCorners) {
  const auto cube = [](const Vec3& center) {
    return Solid(testing::make_box(center, {0.5, 0.5, 0.5}, Mat3::Identity()));
  };
  const Solid a = cube({0, 0, 0});
  for (const Vec3& d : {Vec3(0, 0, 1e-6), Vec3(0, 0, 2), Vec3(0, 3e-3, 4e-3), Vec3(1, 2, 2)}) {
    const Vec3 shift = d + Vec3((d.array() > 0).cast<double>());
    const Solid b = cube(shift);
    const auto s = separation_of(b.view(), a.view());
    ASSERT_TRUE(s);
    EXPECT_NEAR(s->distance, d.norm(), 1e-12);
    EXPECT_NEAR((s->normal - d.normalized()).norm(), 0, 1e-8);
  }
  EXPECT_FALSE(separation_of(cube({0, 0, 1}).view(), a.view())) << "they touch";
  EXPECT_FALSE(separation_of(cube({0.3, 0.2, 0.1}).view(), a.view()));
}

}  // namespace
}  // namespace solfec::convex_distance_test
