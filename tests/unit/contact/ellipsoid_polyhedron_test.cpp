// Balls and ellipsoids on faces, edges and vertices of polyhedra: exact configurations. Random
// pairs: tests/analytic/contact_pairs_test.cpp.
#include "contact/ellipsoid_polyhedron.hpp"

#include <gtest/gtest.h>

#include "support/gap_oracle.hpp"
#include "support/random_solids.hpp"

namespace solfec::ellipsoid_polyhedron_test {
namespace {

using testing::PlacedPolyhedron;
using testing::Random;

constexpr double kEpsilon = 1e-6;

// A cube of size 2 about the origin, its faces numbered by their outward direction.
int face_number(const Vec3& n) {
  int axis;
  n.cwiseAbs().maxCoeff(&axis);
  return 2 * axis + (n[axis] > 0 ? 1 : 0);
}
Polyhedron numbered_cube() {
  Polyhedron cube = testing::make_box(Vec3::Zero(), {1, 1, 1}, Mat3::Identity());
  for (int f = 0; f < cube.faces.count(); f++)
    cube.surface[f] = face_number(face_plane(cube.vertices, cube.faces.loop(f)).normal);
  return cube;
}
const PlacedPolyhedron kCube(numbered_cube());

EllipsoidView ball(const Vec3& center, double radius) {
  return {center, radius * Mat3::Identity()};
}

TEST(EllipsoidPolyhedron, BallsAtEveryFeatureOfACube) {
  // The nearest point of the cube to the centre outside is the centre clamped to the cube.
  Random random(1);
  for (int k = 0; k < 3000; k++) {
    const Vec3 feature(random.integer(-1, 1), random.integer(-1, 1), random.integer(-1, 1));
    if (feature.isZero()) continue;
    Vec3 center;
    for (int d = 0; d < 3; d++)
      center[d] = feature[d] == 0 ? random.uniform(-0.9, 0.9)
                                  : feature[d] * (1 + random.uniform(0.01, 0.5));
    const Vec3 nearest = center.cwiseMax(-1.0).cwiseMin(1.0);
    const double distance = (center - nearest).norm(), radius = distance * random.uniform(0.9, 1.4);
    const auto c = ellipsoid_polyhedron(ball(center, radius), kCube.view(), kEpsilon);
    ASSERT_EQ(c.has_value(), distance - radius <= kEpsilon);
    if (!c) continue;
    const Vec3 n = (center - nearest) / distance;
    EXPECT_NEAR(c->gap, distance - radius, 1e-12);
    EXPECT_NEAR((c->normal - n).norm(), 0, 1e-6);
    EXPECT_NEAR((c->point - (nearest + 0.5 * (distance - radius) * n)).norm(), 0, 1e-6);
    EXPECT_NEAR(c->area, cap_area(ball(center, radius), n, radius - distance), 1e-6);
    if (n.cwiseAbs().maxCoeff() > 0.99) {
      EXPECT_EQ(c->surface2, face_number(n));
    }
  }
}

TEST(EllipsoidPolyhedron, BallsWithTheirCentreInsideGoOutByTheNearestFace) {
  Random random(2);
  for (int k = 0; k < 1000; k++) {
    const Vec3 center = random.in_box(1);
    const double radius = random.uniform(0.01, 3);
    int axis;
    const double reach = center.cwiseAbs().maxCoeff(&axis);
    const auto c = ellipsoid_polyhedron(ball(center, radius), kCube.view(), kEpsilon);
    ASSERT_TRUE(c);
    EXPECT_NEAR(c->gap, reach - 1 - radius, 1e-12);
    const Vec3 n = center[axis] > 0 ? Vec3(Vec3::Unit(axis)) : Vec3(-Vec3::Unit(axis));
    EXPECT_NEAR((c->normal - n).norm(), 0, 1e-9);
    EXPECT_EQ(c->surface2, face_number(n));
  }
}

TEST(EllipsoidPolyhedron, EllipsoidsRestOnFaces) {
  Random random(3);
  for (int k = 0; k < 200; k++) {
    const Mat3 map = random.rotation() * Vec3(0.1, 0.2, 0.3).asDiagonal();
    EllipsoidView e{{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0}, map};
    const double depth = random.uniform(-0.9e-6, 0.05);
    // The height of the support along z is the norm of the map's last row.
    e.center.z() = 1 + map.row(2).norm() - depth;
    const auto c = ellipsoid_polyhedron(e, kCube.view(), kEpsilon);
    ASSERT_TRUE(c);
    EXPECT_NEAR(c->gap, -depth, 1e-13);
    EXPECT_EQ(c->normal, Vec3::UnitZ());
    const Vec3 lowest = e.center - e.support(Vec3::UnitZ());
    EXPECT_NEAR((c->point - lowest - 0.5 * depth * Vec3::UnitZ()).norm(), 0, 1e-12);
    EXPECT_EQ(c->surface2, 5);
  }
}

TEST(EllipsoidPolyhedron, RandomPairsAgainstBruteForce) {
  Random random(4);
  int contacts = 0;
  for (int k = 0; k < 12; k++) {
    const PlacedPolyhedron polyhedron(testing::random_polyhedron(random, Vec3::Zero(), 1));
    const Vec3 radii(random.uniform(0.2, 1), random.uniform(0.2, 1), random.uniform(0.2, 1));
    const EllipsoidView e{random.in_box(1), random.rotation() * radii.asDiagonal()};
    const double gap = testing::brute_force_gap(e, polyhedron.view());
    const auto c = ellipsoid_polyhedron(e, polyhedron.view(), kEpsilon);
    ASSERT_EQ(c.has_value(), gap <= kEpsilon) << gap;
    if (!c) continue;
    contacts++;
    EXPECT_NEAR(c->gap, gap, 1e-9);
  }
  EXPECT_GT(contacts, 3);
}

TEST(EllipsoidPolyhedron, InternalFacesAreLeftToTheNeighbour) {
  // The right half of a floor of two cubes; the face towards the left one is internal.
  PlacedPolyhedron right(testing::make_box({1, 0, 0}, {1, 1, 1}, Mat3::Identity()));
  for (int f = 0; f < right.view().faces(); f++)
    if (right.view().planes[f].normal.x() < -0.5) right.set_internal(f);
  const auto touches = [&](const Vec3& center, double radius) {
    return ellipsoid_polyhedron(ball(center, radius), right.view(), kEpsilon);
  };
  const auto above = touches({0.3, 0, 1.19}, 0.2);
  ASSERT_TRUE(above);
  EXPECT_EQ(above->normal, Vec3::UnitZ());
  EXPECT_FALSE(touches({-0.05, 0, 1.19}, 0.2)) << "nearest to the left cube's top";
  EXPECT_FALSE(touches({-0.3, 0, 0}, 0.4)) << "inside of the left cube";
  const auto inside = touches({0.1, 0, 0.5}, 0.3);
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->normal, Vec3::UnitZ()) << "not back over the internal face, which is nearer";
}

TEST(EllipsoidPolyhedron, ANodeBetweenInternalFacesIsNotLeftByTheFaceBehindIt) {
  // A tetrahedron of a plate: its one face of the surface is below, the node above is the plate's.
  const std::vector<Vec3> corners{{-0.5, -0.5, -0.2}, {0.5, -0.5, -0.2}, {0, 0.5, -0.2}, {0, 0, 0}};
  PlacedPolyhedron element(convex_hull(corners, 1, 1));
  for (int f = 0; f < element.view().faces(); f++)
    if (element.view().planes[f].normal.z() > -0.5) element.set_internal(f);
  for (const double depth : {-1e-7, 1e-5, 1e-3})
    for (const double beside : {0.0, 1e-6, 1e-3})
      EXPECT_FALSE(
          ellipsoid_polyhedron(ball({beside, 0, 0.1 - depth}, 0.1), element.view(), kEpsilon))
          << depth << " " << beside;
  EXPECT_TRUE(ellipsoid_polyhedron(ball({0, 0, -0.29}, 0.1), element.view(), kEpsilon)) << "below";
}

TEST(EllipsoidPolyhedron, FlatPolyhedronsHaveContactsOnTheirFacesOnly) {
  // Sides without area have no normal, and the normals of both faces add up to none.
  for (const double thickness : {0.0, 1e-200}) {
    Polyhedron flat = testing::make_box(Vec3::Zero(), {1, 1, 1}, Mat3::Identity());
    for (Vec3& v : flat.vertices) v.z() *= thickness;
    std::ranges::fill(flat.surface, 7);
    for (const double radius : {0.5, 5.0, 50.0}) {
      const auto c = ellipsoid_polyhedron(ball({0.1, 0.2, 0.3}, radius),
                                          PlacedPolyhedron(flat).view(), kEpsilon);
      ASSERT_TRUE(c);
      EXPECT_NEAR((c->normal - Vec3::UnitZ()).norm(), 0, 1e-9);
      EXPECT_NEAR(c->gap, 0.3 - radius, 1e-9);
      EXPECT_EQ(c->surface2, 7);
    }
  }
}

TEST(EllipsoidPolyhedron, PolyhedronsWithoutAreaHaveNoContact) {
  Polyhedron needle = testing::make_box(Vec3::Zero(), {1, 1, 1}, Mat3::Identity());
  for (Vec3& v : needle.vertices) v.x() = v.y() = 0;
  EXPECT_FALSE(
      ellipsoid_polyhedron(ball({0.1, 0.2, 0.3}, 2), PlacedPolyhedron(needle).view(), kEpsilon));
}

}  // namespace
}  // namespace solfec::ellipsoid_polyhedron_test
