// Points that span a patch, against the convex hull of all of its points.
#include "contact/manifold.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "support/random.hpp"

namespace solfec::manifold_test {
namespace {

using testing::Random;

const Vec3 kNormal = Vec3(1, -2, 3).normalized();
const Mat3 kAxes = [] {
  Mat3 axes;
  axes.col(0) = kNormal.unitOrthogonal();
  axes.col(1) = kNormal.cross(axes.col(0));
  axes.col(2) = kNormal;
  return axes;
}();

// Seen along the normal (x, y), at the height z, which changes nothing.
PatchPoint at(double x, double y, double depth = 0, double z = 0) {
  return {kAxes * Vec3(x, y, z), depth};
}

double cross(const Vec3& a, const Vec3& b) { return a.cross(b).dot(kNormal); }

// How far the point is outside of the hull of the others: beyond lines through two that have all
// on one side.
double outside(const Vec3& p, const std::vector<Vec3>& hull) {
  double most = -std::numeric_limits<double>::infinity();
  for (const Vec3& a : hull)
    for (const Vec3& b : hull) {
      const double length = (b - a).norm();
      if (length == 0) continue;
      const auto left = [&](const Vec3& x) { return cross(b - a, x - a) / length; };
      if (std::ranges::all_of(hull, [&](const Vec3& x) { return left(x) > -1e-12; }))
        most = std::max(most, -left(p));
    }
  return most;
}

std::vector<Vec3> positions(const std::vector<PatchPoint>& points, const ChosenPoints& chosen) {
  std::vector<Vec3> result;
  for (int k = 0; k < chosen.count; k++) {
    const Vec3& p = points[chosen.index[k]].point;
    result.push_back(p - p.dot(kNormal) * kNormal);
  }
  return result;
}

TEST(SpanningPoints, CornersOfAGridOfAnySize) {
  for (int n : {2, 3, 9}) {
    std::vector<PatchPoint> points;
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        points.push_back(at(0.1 * i + 1e-15 * j, 0.3 * j, 1e-4 * (1 + 1e-12 * i)));
    const ChosenPoints chosen = spanning_points(points, kNormal, 1e-3, 1e-9);
    ASSERT_EQ(chosen.count, 4) << n;
    EXPECT_EQ(std::vector(chosen.index.begin(), chosen.index.begin() + 4),
              (std::vector{0, n - 1, n * (n - 1), n * n - 1}));
  }
}

TEST(SpanningPoints, NoneOfAFewCornersIsLeftOut) {
  // Up to eight corners, among points inside: all of these corners, and nothing else.
  Random random(3);
  for (int corners = 3; corners <= kMostCorners; corners++)
    for (int trial = 0; trial < 100; trial++) {
      std::vector<PatchPoint> points;
      const double stretch = random.uniform(0.2, 1);
      for (int k = 0; k < corners; k++) {
        const double angle = 2 * std::numbers::pi * (k + random.uniform(-0.2, 0.2)) / corners;
        points.push_back(at(std::cos(angle), stretch * std::sin(angle), 0, random.uniform(0, 1)));
      }
      std::vector<Vec3> hull;
      for (const PatchPoint& p : points) hull.push_back(p.point - p.point.dot(kNormal) * kNormal);
      for (int k = 0; k < 50; k++) {
        const PatchPoint p = at(random.uniform(-1, 1), random.uniform(-1, 1), 0);
        if (outside(p.point, hull) < -0.01) points.push_back(p);
      }
      const ChosenPoints chosen = spanning_points(points, kNormal, 1e-3, 1e-9);
      ASSERT_EQ(chosen.count, corners);
      for (int k = 0; k < corners; k++) ASSERT_EQ(chosen.index[k], k);
    }
}

TEST(SpanningPoints, OfManyCornersThoseThatLeaveLittleOutside) {
  // Of a circle eight points leave at most 1 - cos(pi / 8) of the radius outside.
  std::vector<PatchPoint> points;
  for (int k = 0; k < 64; k++)
    points.push_back(
        at(std::cos(2 * std::numbers::pi * k / 64), std::sin(2 * std::numbers::pi * k / 64)));
  const ChosenPoints chosen = spanning_points(points, kNormal, 1e-3, 1e-9);
  ASSERT_EQ(chosen.count, 8);
  const std::vector<Vec3> hull = positions(points, chosen);
  for (const PatchPoint& p : points)
    EXPECT_LT(outside(p.point, hull), 1 - std::cos(std::numbers::pi / 8) + 1e-9);
}

TEST(SpanningPoints, RowsHaveTheirEndsAndPointsNearEachOtherAreOne) {
  std::vector<PatchPoint> row;
  for (int k = 0; k < 7; k++) row.push_back(at(0.1 * k, 1e-6 * (k % 2)));
  const ChosenPoints ends = spanning_points(row, kNormal, 1e-4, 1e-9);
  ASSERT_EQ(ends.count, 2);
  EXPECT_EQ(ends.index[0], 0);
  EXPECT_EQ(ends.index[1], 6);
  const ChosenPoints one = spanning_points(row, kNormal, 1.0, 1e-9);
  EXPECT_EQ(one.count, 1);
  EXPECT_EQ(spanning_points({}, kNormal, 1e-4, 1e-9).count, 0);
}

// A vertex beside a leaning side reaches farther out than the one that presses.
TEST(SpanningPoints, OfPointsNearACornerTheDeepestCounts) {
  const std::vector<PatchPoint> points = {{{0, 0, 0}, 0},
                                          {{1, 0, 0}, 0},
                                          {{1, 1, 0}, -1e-3},
                                          {{0, 1, 0}, 0},
                                          {{1 - 5e-4, 1 - 5e-4, 0}, 0}};
  const ChosenPoints chosen = spanning_points(points, kNormal, 1e-5, 1e-9);
  EXPECT_EQ(std::vector<int>(chosen.begin(), chosen.end()), (std::vector<int>{0, 1, 3, 4}));
}

TEST(SpanningPoints, TheDeepestIsAmongThem) {
  std::vector<PatchPoint> points = {at(0, 0, 1e-4), at(1, 0, 1e-4), at(1, 1, 1e-4), at(0, 1, 1e-4),
                                    at(0.4, 0.5, 2e-4)};
  EXPECT_EQ(spanning_points(points, kNormal, 1e-3, 1e-9).count, 5);
  points[4].depth = 1e-4 + 1e-10;
  EXPECT_EQ(spanning_points(points, kNormal, 1e-3, 1e-9).count, 4) << "but for rounding";
  points[4].depth = 2e-4;
  const ChosenPoints one = spanning_points(points, kNormal, 2.0, 1e-9);
  ASSERT_EQ(one.count, 1);
  EXPECT_EQ(one.index[0], 4);
}

TEST(CarryingPoints, BothEndsOfARidgeInLineWithCornersAreAmongThem) {
  const double side = -1e-3;
  const std::vector<PatchPoint> roof = {at(0, 0, side), at(1, 0, side), at(2, 0, side),
                                        at(0, 1, side), at(1, 1, side), at(2, 1, side)};
  std::vector<PatchPoint> ridge = roof;
  ridge[1].depth = ridge[4].depth = 0;
  const auto chosen = [](const std::vector<PatchPoint>& points, double distance) {
    const ChosenPoints c = carrying_points(points, kNormal, distance, 1e-6, false);
    return std::vector<int>(c.begin(), c.end());
  };
  EXPECT_EQ(chosen(ridge, 2e-3), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(chosen(ridge, 1e-6), (std::vector<int>{1, 4}));
  EXPECT_EQ(chosen(roof, 2e-3), (std::vector<int>{0, 2, 3, 5})) << "no ridge";
  std::vector<PatchPoint> roller;  // the deepest of several ridges
  for (int y : {0, 1})
    for (int x = -4; x <= 4; x++) roller.push_back(at(0.1 * x, y, -1e-2 * x * x));
  EXPECT_EQ(chosen(roller, 1), (std::vector<int>{0, 1, 4, 7, 8, 9, 10, 13, 16, 17}));
}

DetectedContact contact(const Vec3& point, const Vec3& normal, double area, std::uint32_t piece) {
  DetectedContact c{};
  c.key = {BodyId{1}, BodyId{2}, piece, 0, 0};
  c.geometry = {point, normal, -1e-5, area, 1, 1};
  return c;
}

std::vector<DetectedContact> reduced(std::vector<DetectedContact> contacts) {
  ManifoldReducer reducer;
  reducer.reduce(contacts, 1e-6, 1e-6);
  std::erase_if(contacts, [](const DetectedContact& c) { return c.dropped; });
  return contacts;
}

// n x n squares of the size 1/n, four points each.
std::vector<DetectedContact> tiles(int n, const Vec3& origin, const Vec3& x, const Vec3& y) {
  std::vector<DetectedContact> contacts;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int corner = 0; corner < 4; corner++)
        contacts.push_back(contact(origin + (i + corner % 2) * x / n + (j + corner / 2) * y / n,
                                   x.cross(y), 0.25 / (n * n),
                                   static_cast<std::uint32_t>(i * n + j)));
  return contacts;
}

TEST(ManifoldReducer, TilesOfAPlaneHaveFourCornersAndTheWholeArea) {
  for (int n : {1, 2, 5}) {
    const auto kept = reduced(tiles(n, {0, 0, 0}, Vec3::UnitX(), Vec3::UnitY()));
    ASSERT_EQ(kept.size(), 4u) << n;
    double area = 0;
    Vec3 sum = Vec3::Zero();
    for (const DetectedContact& c : kept) {
      area += c.geometry.area;
      sum += c.geometry.point;
    }
    EXPECT_NEAR(area, 1, 1e-12);
    EXPECT_NEAR((sum / 4 - Vec3(0.5, 0.5, 0)).norm(), 0, 1e-12);
  }
}

TEST(ManifoldReducer, HoveringCornersOfOnePairGoAndLeaveTheirArea) {
  auto contacts = tiles(1, {0, 0, 0}, Vec3::UnitX(), Vec3::UnitY());
  ASSERT_EQ(contacts.size(), 4u);
  contacts[2].geometry.gap = 1e-2;
  const auto kept = reduced(contacts);
  ASSERT_EQ(kept.size(), 3u);
  for (const DetectedContact& c : kept) EXPECT_NEAR(c.geometry.area, 1.0 / 3, 1e-12);
  for (DetectedContact& c : contacts) c.geometry.gap = 1e-2;
  EXPECT_TRUE(reduced(contacts).empty());
}

TEST(ManifoldReducer, OtherPlanesNormalsAndSurfacesAreOtherPatches) {
  const auto with = [](std::vector<DetectedContact> more) {
    auto all = tiles(2, {0, 0, 0}, Vec3::UnitX(), Vec3::UnitY());
    all.insert(all.end(), more.begin(), more.end());
    return reduced(all).size();
  };
  EXPECT_EQ(with(tiles(2, {0, 0, 0}, Vec3::UnitY(), Vec3::UnitZ())), 8u) << "floor and wall";
  EXPECT_EQ(with(tiles(2, {0, 0, 0.2}, Vec3::UnitX(), Vec3::UnitY())), 8u) << "a step";
  auto other = tiles(2, {0, 0, 0}, Vec3::UnitX(), Vec3::UnitY());
  for (DetectedContact& c : other) c.geometry.surface1 = 2;
  EXPECT_EQ(with(other), 8u) << "another material";
  EXPECT_EQ(with(tiles(2, {1, 0, 0}, Vec3::UnitX(), Vec3::UnitY())), 4u) << "the same plane";
}

TEST(ManifoldReducer, ManyPlanesCostNoMoreThanTheyAre) {
  // Each contact of a curved surface has its own normal.
  std::vector<DetectedContact> contacts;
  for (int k = 0; k < 1000; k++) {
    const double a = 0.02 * k;
    contacts.push_back(contact({std::cos(a), std::sin(a), 0.01 * k}, {std::cos(a), std::sin(a), 0},
                               1e-3, static_cast<unsigned>(k)));
  }
  EXPECT_EQ(reduced(contacts).size(), 1000u);
}

}  // namespace
}  // namespace solfec::manifold_test
