#include "contact/pair_features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/random_solids.hpp"

namespace solfec::pair_features_test {
namespace {

using testing::PlacedPolyhedron;

constexpr double kTolerance = 1e-6, kDepth = 1e-3;

PlacedPolyhedron box(const Vec3& center, const Vec3& half, double degrees = 0) {
  const Mat3 turn = Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3::UnitZ()).matrix();
  return PlacedPolyhedron(testing::make_box(center, half, turn));
}

// A box from x = 0 on, that goes on in a neighbour at x < 0.
PlacedPolyhedron right_half(const Vec3& half) {
  PlacedPolyhedron result = box({half.x(), 0, -half.z()}, half);
  for (int f = 0; f < result.view().faces(); f++)
    if (result.view().planes[f].normal.x() < -0.5) result.set_internal(f);
  return result;
}

class Features {
 public:
  Features(const PlacedPolyhedron& first, const PlacedPolyhedron& second)
      : first_(first.view()), second_(second.view()) {
    EXPECT_TRUE(overlap_.compute(first_, second_, kTolerance));
  }
  OverlappingPair pair() const { return {overlap_, first_, second_}; }
  const std::vector<PatchPoint>& find() {
    features.find(pair(), Vec3::UnitZ(), {kTolerance, kTolerance, kDepth},
                  PairFeatures::InternalFaces::bound);
    return features.points();
  }
  const std::vector<PatchPoint>& find_with_neighbours() {
    features.find_with_neighbours(pair(), Vec3::UnitZ(), kTolerance);
    return features.points();
  }

  PairFeatures features;

 private:
  ConvexView first_, second_;
  PolyhedronOverlap overlap_;
};

TEST(PairFeatures, SquaresTurnedByHalfARightAngleHaveTheCornersOfAnOctagon) {
  const auto lower = box({0, 0, -1}, {1, 1, 1}), upper = box({0, 0, 1 - kDepth}, {1, 1, 1}, 45);
  Features f(upper, lower);
  const auto& points = f.find();
  ASSERT_EQ(points.size(), 8U);
  for (const PatchPoint& p : points) {
    EXPECT_NEAR(p.depth, kDepth, 1e-12);
    EXPECT_EQ(p.vertex, Vertex::none);
    EXPECT_NEAR(p.point.head<2>().norm(), 1 / std::cos(std::numbers::pi / 8), 1e-9);
    EXPECT_NEAR(p.point.z(), -kDepth / 2, 1e-12);
  }
}

TEST(PairFeatures, VerticesTellWhoseTheyAre) {
  const auto lower = box({0, 0, -1}, {2, 2, 1}), upper = box({1.5, 0, 1 - kDepth}, {1, 1, 1});
  Features f(upper, lower);
  const auto& points = f.find();
  // Two vertices of the upper one, and where two of its edges cross the edge of the lower one.
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(std::ranges::count(points, Vertex::first, &PatchPoint::vertex), 2);
  EXPECT_EQ(std::ranges::count(points, Vertex::none, &PatchPoint::vertex), 2);
}

TEST(PairFeatures, BehindInternalFacesElementsGoOn) {
  const auto half = right_half({1, 1, 1});
  const auto upper = box({0.5, 0, 0.2 - kDepth}, {0.9, 0.2, 0.2});
  Features f(upper, half);
  const auto beyond = [](const PatchPoint& p) { return p.point.x() < -kTolerance; };
  // Bound: two corners, and where edges cross that of the internal face.
  ASSERT_EQ(f.find().size(), 4U);
  EXPECT_TRUE(std::ranges::none_of(f.features.points(), beyond));
  // Open: all four corners, of which the neighbour has two.
  ASSERT_EQ(f.find_with_neighbours().size(), 4U);
  for (const PatchPoint& p : f.features.points()) EXPECT_NEAR(p.depth, kDepth, 1e-12);
  EXPECT_EQ(std::ranges::count_if(f.features.points(), beyond), 2);
  f.features.keep_own(f.pair(), Vec3::UnitZ(), kTolerance, 0);
  ASSERT_EQ(f.features.points().size(), 2U);
  EXPECT_TRUE(std::ranges::none_of(f.features.points(), beyond));
}

TEST(PairFeatures, PointsFarFromTheDeepestAreLeftOutBySlope) {
  const auto lower = box({0, 0, -1}, {1, 1, 1});
  const Mat3 tilt = Eigen::AngleAxisd(1e-3, Vec3::UnitY()).matrix();
  const PlacedPolyhedron upper(testing::make_box({0, 0, 0.5}, {0.5, 0.5, 0.5}, tilt));
  Features f(upper, lower);
  const Vec3 up = Vec3::UnitZ();
  f.features.find(f.pair(), up, {kTolerance, kFlat, 0}, PairFeatures::InternalFaces::bound);
  EXPECT_EQ(f.features.points().size(), 4U);  // two of them 1E-3 over the other two
  f.features.keep_near(kTolerance, 2e-3, 0);
  EXPECT_EQ(f.features.points().size(), 4U);
  f.features.keep_near(kTolerance, 1e-4, 0);
  EXPECT_EQ(f.features.points().size(), 2U);
}

}  // namespace
}  // namespace solfec::pair_features_test
