#include "contact/crossing_edges.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "support/random_solids.hpp"

namespace solfec::crossing_edges_test {
namespace {

using testing::PlacedPolyhedron;

constexpr double kTolerance = 1e-6, kDepth = 1e-3;

// A box whose highest or lowest edge, along x and turned about z, goes through a point.
PlacedPolyhedron box_on_edge(bool high, double height, double degrees = 0) {
  const double degree = std::numbers::pi / 180;
  const Mat3 turn = (Eigen::AngleAxisd(degrees * degree, Vec3::UnitZ()) *
                     Eigen::AngleAxisd(45 * degree, Vec3::UnitX()))
                        .matrix();
  const double half = std::numbers::sqrt2;
  return PlacedPolyhedron(
      testing::make_box({0, 0, height + (high ? -half : half)}, {1, 1, 1}, turn));
}

std::vector<CrossingEdges::Crossing> find(const PlacedPolyhedron& upper,
                                          const PlacedPolyhedron& lower,
                                          const Vec3& known = Vec3::Zero()) {
  PolyhedronOverlap overlap;
  const ConvexView first = upper.view(), second = lower.view();
  EXPECT_TRUE(overlap.compute(first, second, kTolerance));
  CrossingEdges edges;
  return edges.find({overlap, first, second}, known, kTolerance);
}

TEST(CrossingEdges, HaveTheNormalAcrossBothOutOfTheSecond) {
  for (double degrees : {90, 40, 5}) {
    const auto crossings = find(box_on_edge(false, -kDepth, degrees), box_on_edge(true, 0));
    ASSERT_EQ(crossings.size(), 1U);
    EXPECT_TRUE(crossings[0].normal.isApprox(Vec3::UnitZ(), 1e-12));
    EXPECT_NEAR(crossings[0].depth, kDepth, 1e-12);
  }
}

TEST(CrossingEdges, AreNotThoseThatAreParallelOrKnown) {
  for (const auto& crossing : find(box_on_edge(false, -kDepth), box_on_edge(true, 0)))
    EXPECT_LT(crossing.normal.z(), 0.9);
  EXPECT_TRUE(find(box_on_edge(false, -kDepth, 90), box_on_edge(true, 0), Vec3::UnitZ()).empty());
}

TEST(CrossingEdges, LieInPlanesThatBoundTheirPieces) {
  testing::Random random(7);
  int count = 0;
  for (int i = 0; i < 300; i++) {
    const PlacedPolyhedron upper(testing::random_polyhedron(random, {0, 0, 0.5}, 0.5));
    const PlacedPolyhedron lower(testing::random_polyhedron(random, Vec3::Zero(), 0.5));
    PolyhedronOverlap overlap;
    if (!overlap.compute(upper.view(), lower.view(), kTolerance)) continue;
    CrossingEdges edges;
    for (const auto& [normal, depth] :
         edges.find({overlap, upper.view(), lower.view()}, Vec3::Zero(), kTolerance)) {
      EXPECT_NEAR(normal.norm(), 1, 1e-12);
      EXPECT_NEAR(projected_overlap(upper.view().vertices, lower.view().vertices, normal), depth,
                  1e-7);
      count++;
    }
  }
  EXPECT_GT(count, 100);
}

TEST(CrossingEdges, HaveOneFaceOfTheSurface) {
  const auto normal_count = [](double slope_of_first, double slope_of_second) {
    auto lower = box_on_edge(true, 0);
    for (int f = 0; f < lower.view().faces(); f++) {
      const Vec3& n = lower.view().planes[f].normal;
      if (n.z() > 0.1 && n.y() * slope_of_first > 0.1) lower.set_internal(f);
      if (n.z() > 0.1 && n.y() * slope_of_second > 0.1) lower.set_internal(f);
    }
    return find(box_on_edge(false, -kDepth, 90), lower).size();
  };
  EXPECT_EQ(normal_count(1, 1), 1U);
  EXPECT_EQ(normal_count(1, -1), 0U);
}

TEST(CrossingEdges, GoOnBehindInternalFaces) {
  // The lower box ends beside the other's edge, which is in its neighbour.
  const Mat3 tilt = Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitX()).matrix();
  PlacedPolyhedron lower(
      testing::make_box({1 + 0.2 * kDepth, 0, -std::numbers::sqrt2}, {1, 1, 1}, tilt));
  const auto upper = box_on_edge(false, -kDepth, 90);
  EXPECT_TRUE(find(upper, lower).empty());
  for (int f = 0; f < lower.view().faces(); f++)
    if (lower.view().planes[f].normal.x() < -0.5) lower.set_internal(f);
  ASSERT_EQ(find(upper, lower).size(), 1U);
}

}  // namespace
}  // namespace solfec::crossing_edges_test
