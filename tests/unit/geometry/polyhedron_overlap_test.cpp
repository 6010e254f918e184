// Overlaps of polyhedra: their volume and surface from the clipped faces against known
// intersections, all triples of planes, and counting of random points.
#include "geometry/polyhedron_overlap.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "math/rotation.hpp"
#include "support/polyhedron_oracle.hpp"
#include "support/random_solids.hpp"

namespace solfec::polyhedron_overlap_test {
namespace {

using testing::PlacedPolyhedron;
using testing::Random;

constexpr double kTolerance = 1e-6;

PlacedPolyhedron box(const Vec3& center, const Vec3& half,
                     const Mat3& rotation = Mat3::Identity()) {
  return PlacedPolyhedron(testing::make_box(center, half, rotation));
}

struct Measures {
  double volume = 0, area = 0;
  Vec3 vector_area = Vec3::Zero();
};

// By the divergence theorem over the clipped faces.
Measures measure(const PolyhedronOverlap& overlap, const PlacedPolyhedron& first,
                 const PlacedPolyhedron& second) {
  Measures m;
  for (const OverlapFace& face : overlap.faces()) {
    const auto& owner = face.side == 0 ? first : second;
    const Vec3& n = owner.view().planes[face.face].normal;
    m.volume += face.area * n.dot(face.centroid) / 3;
    m.area += face.area;
    m.vector_area += face.area * n;
  }
  return m;
}

TEST(PolyhedronOverlap, ShiftedCubes) {
  PolyhedronOverlap overlap;
  const auto first = box({0, 0, 0}, {1, 1, 1});
  for (const Vec3& d :
       {Vec3(0.5, 0, 0), Vec3(0.5, 0.7, -1.1), Vec3(1.9, 1.9, 1.9), Vec3(0, 0, 1)}) {
    const auto second = box(d, {1, 1, 1});
    ASSERT_TRUE(overlap.compute(first.view(), second.view(), kTolerance));
    const Vec3 size = Vec3::Constant(2) - d.cwiseAbs();
    // Faces that coincide are there twice: count the strictly inner ones only.
    if (d.cwiseAbs().minCoeff() > 0) {
      const Measures m = measure(overlap, first, second);
      EXPECT_NEAR(m.volume, size.prod(), 1e-13);
      EXPECT_NEAR(m.area, 2 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x()),
                  1e-13);
      EXPECT_NEAR(m.vector_area.norm(), 0, 1e-13);
    }
    EXPECT_NEAR(overlap.face_separation(), -size.minCoeff(), 1e-13);
  }
}

TEST(PolyhedronOverlap, CubeTurnedByHalfARightAngleGivesAnOctagon) {
  // Two squares of side 2, one turned by 45 degrees, share an octagon of area 8 (sqrt 2 - 1).
  PolyhedronOverlap overlap;
  const auto first = box({0, 0, 0}, {1, 1, 1});
  const auto second = box({0, 0, 0.5}, {1, 1, 1}, rotation_about({0, 0, 1}, std::numbers::pi / 4));
  ASSERT_TRUE(overlap.compute(first.view(), second.view(), kTolerance));
  const double octagon = 8 * (std::sqrt(2.0) - 1);
  EXPECT_NEAR(measure(overlap, first, second).volume, 1.5 * octagon, 1e-12);
  int caps = 0;
  for (const OverlapFace& face : overlap.faces()) {
    const auto corners = overlap.corners(face);
    if (corners.size() != 8) {
      EXPECT_EQ(corners.size(), 4u);
      continue;
    }
    caps++;
    EXPECT_NEAR(face.area, octagon, 1e-12);
    EXPECT_NEAR((face.centroid - Vec3(0, 0, face.side == 0 ? 1 : -0.5)).norm(), 0, 1e-13);
  }
  EXPECT_EQ(caps, 2);
}

TEST(PolyhedronOverlap, OneInsideOfTheOtherIsItself) {
  PolyhedronOverlap overlap;
  Random random(1);
  const auto outer = box({0, 0, 0}, {3, 3, 3});
  for (int repeat = 0; repeat < 20; repeat++) {
    const PlacedPolyhedron inner(testing::random_polyhedron(random, random.in_box(1), 0.9));
    ASSERT_TRUE(overlap.compute(inner.view(), outer.view(), kTolerance));
    EXPECT_EQ(static_cast<int>(overlap.faces().size()), inner.view().faces());
    for (const OverlapFace& face : overlap.faces()) EXPECT_EQ(face.side, 0);
    EXPECT_NEAR(measure(overlap, inner, outer).volume, moments(inner.solid(), Vec3::Zero()).volume,
                1e-12);
  }
}

TEST(PolyhedronOverlap, RandomPairsAgainstTriplesOfPlanes) {
  PolyhedronOverlap overlap;
  Random random(2);
  int compared = 0;
  for (int repeat = 0; repeat < 600; repeat++) {
    const PlacedPolyhedron first(testing::random_polyhedron(random, Vec3::Zero(), 1));
    const PlacedPolyhedron second(testing::random_polyhedron(random, random.in_box(1), 1));
    const auto exact = testing::exact_intersection(first.view(), second.view());
    const double separation = testing::largest_separation(first.view(), second.view(), nullptr);
    if (!exact || separation > -1e-4) continue;
    compared++;
    ASSERT_TRUE(overlap.compute(first.view(), second.view(), kTolerance));
    const Measures m = measure(overlap, first, second);
    EXPECT_NEAR(m.volume, moments(*exact, Vec3::Zero()).volume, 1e-10) << repeat;
    EXPECT_NEAR(m.vector_area.norm(), 0, 1e-10) << "a closed surface";
    double separated = -1e300;
    for (const auto* side : {&first, &second}) {
      const ConvexView view = side->view(), other = (side == &first ? second : first).view();
      for (const Plane& plane : view.planes) {
        double nearest = 1e300;
        for (const Vec3& v : other.vertices) nearest = std::min(nearest, plane.distance(v));
        separated = std::max(separated, nearest);
      }
    }
    EXPECT_EQ(overlap.face_separation(), separated);
  }
  EXPECT_GT(compared, 200);
}

TEST(PolyhedronOverlap, RandomPairsAgainstCountedPoints) {
  PolyhedronOverlap overlap;
  Random random(3);
  for (int repeat = 0; repeat < 5; repeat++) {
    const PlacedPolyhedron first(testing::random_polyhedron(random, Vec3::Zero(), 1));
    const PlacedPolyhedron second(testing::random_polyhedron(random, random.in_box(0.4), 1));
    const bool found = overlap.compute(first.view(), second.view(), kTolerance);
    const double volume = found ? measure(overlap, first, second).volume : 0;
    constexpr int kPoints = 40000;
    int inside = 0;
    for (int k = 0; k < kPoints; k++) {
      const Vec3 x = random.in_box(1);
      inside += contains(first.solid(), x) && contains(second.solid(), x);
    }
    const double share = static_cast<double>(inside) / kPoints;
    EXPECT_NEAR(volume, 8 * share, 8 * 4 * std::sqrt(share * (1 - share) / kPoints) + 1e-3);
  }
}

TEST(PolyhedronOverlap, TouchingFacesGiveTheCommonPolygonFromEitherSide) {
  PolyhedronOverlap overlap;
  const auto lower = box({0, 0, 0}, {1, 1, 1});
  for (double gap : {-0.9e-6, 0.0, 0.9e-6}) {
    const auto upper = box({0.5, 0.25, 2 + gap}, {1, 1, 1});
    ASSERT_TRUE(overlap.compute(upper.view(), lower.view(), kTolerance)) << gap;
    double area[2] = {0, 0};
    for (const OverlapFace& face : overlap.faces()) {
      const auto& view = face.side == 0 ? upper.view() : lower.view();
      if (std::abs(view.planes[face.face].normal.z()) > 0.5) area[face.side] += face.area;
    }
    for (double a : area) EXPECT_NEAR(a, 1.5 * 1.75, 1e-5);
  }
}

TEST(PolyhedronOverlap, FarPairsHaveNone) {
  PolyhedronOverlap overlap;
  const auto first = box({0, 0, 0}, {1, 1, 1});
  EXPECT_FALSE(overlap.compute(first.view(), box({0, 0, 2 + 2e-6}, {1, 1, 1}).view(), kTolerance));
  EXPECT_TRUE(overlap.faces().empty());
  EXPECT_TRUE(overlap.compute(first.view(), box({0, 0, 1}, {1, 1, 1}).view(), kTolerance));
  EXPECT_FALSE(overlap.compute(first.view(), box({3, 3, 3}, {1, 1, 1}).view(), kTolerance));
  EXPECT_TRUE(overlap.faces().empty()) << "nothing is left of the last call";
}

}  // namespace
}  // namespace solfec::polyhedron_overlap_test
