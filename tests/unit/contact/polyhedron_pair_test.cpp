// Polyhedra in contact: exact configurations. Random pairs: tests/analytic/contact_pairs_test.cpp.
#include "contact/polyhedron_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numbers>

#include "support/polyhedron_oracle.hpp"
#include "support/random_solids.hpp"

namespace solfec::polyhedron_pair_test {
namespace {

using testing::PlacedPolyhedron;

constexpr double kEpsilon = 1e-6;

ContactPoints find(const PlacedPolyhedron& first, const PlacedPolyhedron& second,
                   ContactMode mode = ContactMode::one, const Surroundings& surroundings = {}) {
  PolyhedronPair pair;
  return pair.find(first.view(), second.view(), kEpsilon, mode, 0, surroundings);
}

PlacedPolyhedron box(const Vec3& center, const Vec3& half,
                     const Mat3& rotation = Mat3::Identity()) {
  return PlacedPolyhedron(testing::make_box(center, half, rotation));
}

Mat3 turn(const Vec3& axis, double degrees) {
  return Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()).toRotationMatrix();
}

const PlacedPolyhedron kFloor = box({0, 0, -1}, {5, 5, 1});

TEST(PolyhedronPair, FaceOnFaceHasTheFacesNormalAtAnyOffset) {
  for (double depth : {0.0, 1e-9, 1e-7, 1e-4, 1e-2})
    for (double offset : {0.0, 1e-7, 0.3, 0.9}) {
      const auto lower = box({0, 0, 0}, {1, 1, 1});
      const auto upper = box({offset, 0, 2 - depth}, {1, 1, 1});
      const ContactPoints c = find(upper, lower);
      ASSERT_EQ(c.count, 1) << depth << " " << offset;
      // Side strips of relative size depth / width must not tilt the normal.
      EXPECT_NEAR((c.points[0].normal - Vec3::UnitZ()).norm(), 0, 1e-9) << depth << " " << offset;
      EXPECT_NEAR(c.points[0].gap, -depth, 1e-12);
      EXPECT_NEAR(c.points[0].area, (2 - offset) * 2, 2e-5);
      EXPECT_NEAR((c.points[0].point - Vec3(offset / 2, 0, 1 - depth / 2)).norm(), 0, 2e-6);
    }
}

TEST(PolyhedronPair, TouchingWithinEpsilonIsContactBeyondIsNot) {
  const auto lower = box({0, 0, 0}, {1, 1, 1});
  EXPECT_EQ(find(box({0, 0, 2 + 0.9e-6}, {1, 1, 1}), lower).count, 1);
  EXPECT_EQ(find(box({0, 0, 2 + 1.1e-6}, {1, 1, 1}), lower).count, 0);
  const ContactPoints c = find(box({0, 0, 2 + 0.5e-6}, {1, 1, 1}), lower);
  EXPECT_NEAR(c.points[0].gap, 0.5e-6, 1e-14);
}

TEST(PolyhedronPair, VertexOnFaceHasTheFacesNormal) {
  // A cube balanced askew on a corner: no two of its faces lean alike.
  const Mat3 R = turn({1, 2, 0.5}, 50);
  const auto base = testing::make_box(Vec3::Zero(), {1, 1, 1}, R);
  double low = 0;
  for (const Vec3& v : base.vertices) low = std::min(low, v.z());
  for (double depth : {1e-7, 1e-4, 1e-2}) {
    const auto cube = box({0, 0, -low - depth}, {1, 1, 1}, R);
    const ContactPoints c = find(cube, kFloor);
    ASSERT_EQ(c.count, 1);
    EXPECT_NEAR((c.points[0].normal - Vec3::UnitZ()).norm(), 0, 1e-9) << depth;
    EXPECT_NEAR(c.points[0].gap, -depth, 1e-12) << depth;
  }
}

TEST(PolyhedronPair, CrossingEdgesHaveTheNormalAcrossBoth) {
  // Two prisms with sharp edges along x and along a skew direction, edge on edge.
  for (double skew : {90.0, 60.0, 30.0})
    for (double depth : {1e-6, 1e-4, 1e-2}) {
      const Mat3 tilt = turn({1, 0, 0}, 45);
      const auto lower = box(Vec3::Zero(), {3, 1, 1}, tilt);
      const auto upper =
          box({0, 0, 2 * std::sqrt(2.0) - depth}, {3, 1, 1}, turn({0, 0, 1}, skew) * tilt);
      const ContactPoints c = find(upper, lower);
      ASSERT_EQ(c.count, 1);
      EXPECT_NEAR((c.points[0].normal - Vec3::UnitZ()).norm(), 0, 1e-9);
      EXPECT_NEAR(c.points[0].gap, -depth, 1e-11);
    }
}

TEST(PolyhedronPair, BoxOnFaceHasFourCornersWhenManyAreAskedFor) {
  const auto upper = box({0.5, 0.25, 0.5 - 1e-3}, {0.5, 0.5, 0.5}, turn({0, 0, 1}, 20));
  const ContactPoints c = find(upper, kFloor, ContactMode::many);
  ASSERT_EQ(c.count, 4);
  Vec3 mean = Vec3::Zero();
  double area = 0;
  for (int k = 0; k < 4; k++) {
    EXPECT_NEAR(c.points[k].gap, -1e-3, 1e-12);
    EXPECT_NEAR((c.points[k].normal - Vec3::UnitZ()).norm(), 0, 1e-9);
    mean += c.points[k].point / 4;
    area += c.points[k].area;
  }
  EXPECT_NEAR((mean - Vec3(0.5, 0.25, -0.5e-3)).norm(), 0, 1e-9);
  EXPECT_NEAR(area, 1, 1e-9);
}

TEST(PolyhedronPair, TiltedBoxHasCornersWithTheirOwnGaps) {
  const double angle = 1e-3;
  const auto upper =
      box({0, 0, 0.5}, {0.5, 0.5, 0.5}, turn({0, 1, 0}, angle * 180 / std::numbers::pi));
  const ContactPoints c = find(upper, kFloor, ContactMode::many);
  ASSERT_GE(c.count, 2);
  double deepest = 0;
  for (int k = 0; k < c.count; k++) {
    EXPECT_LE(c.points[k].gap, 1e-12);
    deepest = std::min(deepest, c.points[k].gap);
  }
  EXPECT_NEAR(deepest, 0.5 - 0.5 * std::cos(angle) - 0.5 * std::sin(angle), 1e-9);
}

TEST(PolyhedronPair, TiltedFaceIsHeldAtItsDeepEdgeOnly) {
  // Where the wedge between box and floor runs out nothing presses: the box must be free to fall.
  for (double degrees : {0.01, 1.0, 10.0, 30.0}) {
    const auto upper = box({0, 0, 0.5 / turn({0, 1, 0}, degrees)(2, 2)}, {0.5, 0.5, 0.5},
                           turn({0, 1, 0}, degrees));
    const ContactPoints c = find(upper, kFloor, ContactMode::many);
    ASSERT_EQ(c.count, 2) << degrees;
    const Mat3 R = turn({0, 1, 0}, degrees);
    for (int k = 0; k < 2; k++)
      EXPECT_NEAR(c.points[k].point.x(), 0.5 * (R(0, 0) + R(2, 0)), 1e-9) << degrees;
    EXPECT_NEAR(c.points[0].gap, c.points[1].gap, 1e-9);
    EXPECT_NEAR(std::abs(c.points[0].point.y() - c.points[1].point.y()), 1, 1e-9);
  }
}

TEST(PolyhedronPair, BarelyTiltedFaceIsHeldAtItsDeepEdgeOnly) {
  // However small the tilt and the overlap against the epsilon: the wedge below the face ends
  // somewhere inside of it, where nothing touches.
  for (double angle : {1e-5, 1e-4, 1e-3})
    for (double depth : {-0.5e-6, 0.0, 1e-9, 0.5e-6, 1.9e-6, 3e-6}) {
      const Mat3 R = turn({0, 1, 0}, angle * 180 / std::numbers::pi);
      const double low = 0.5 * (R(2, 2) + std::abs(R(2, 0)));
      const ContactPoints c =
          find(box({0, 0, low - depth}, {0.5, 0.5, 0.5}, R), kFloor, ContactMode::many);
      ASSERT_EQ(c.count, 2) << angle << " " << depth;
      for (int k = 0; k < 2; k++) {
        EXPECT_NEAR(c.points[k].point.x(), 0.5 * (R(0, 0) + R(2, 0)), 1e-9);
        EXPECT_NEAR(c.points[k].gap, -depth, 1e-9);
      }
    }
}

TEST(PolyhedronPair, FacesTurnedAgainstEachOtherHaveEightCorners) {
  const auto lower = box({0, 0, -0.5}, {0.5, 0.5, 0.5});
  const auto upper = box({0, 0, 0.5 - 1e-4}, {0.5, 0.5, 0.5}, turn({0, 0, 1}, 45));
  const ContactPoints c = find(upper, lower, ContactMode::many);
  ASSERT_EQ(c.count, 8);
  for (int k = 0; k < 8; k++) {
    const Vec3& p = c.points[k].point;
    EXPECT_NEAR(p.head<2>().norm(), 0.5 / std::cos(std::numbers::pi / 8), 1e-9);
    EXPECT_NEAR(p.z(), -0.5e-4, 1e-9);
  }
}

TEST(PolyhedronPair, ManyPointsSpanTheOverlapOfFaces) {
  // A face on a face, turned and shifted at random: no corner of the common polygon is outside of
  // the hull of the points, each of which is one of its corners.
  testing::Random random(11);
  int several = 0;
  for (int k = 0; k < 1000; k++) {
    const auto lower = box({0, 0, -0.5}, {0.5, random.uniform(0.2, 0.8), 0.5});
    const Vec3 at(random.uniform(-0.6, 0.6), random.uniform(-0.6, 0.6), 0.5 - 1e-5);
    const auto upper =
        box(at, {0.5, random.uniform(0.2, 0.8), 0.5}, turn({0, 0, 1}, random.uniform(0, 90)));
    const ContactPoints c = find(upper, lower, ContactMode::many);
    const auto overlap = testing::exact_intersection(upper.view(), lower.view());
    if (!overlap || testing::exact_projection(*overlap, Vec3::UnitZ()).area < 0.01) continue;
    ASSERT_GE(c.count, 3) << k;
    std::vector<Vec3> corners;
    for (const Vec3& v : overlap->vertices) corners.push_back({v.x(), v.y(), 0});
    std::vector<Vec3> points;
    for (int i = 0; i < c.count; i++)
      points.push_back({c.points[i].point.x(), c.points[i].point.y(), 0});
    for (const Vec3& p : points)
      ASSERT_TRUE(std::ranges::any_of(corners, [&](const Vec3& v) {
        return (v - p).norm() < 2e-6;
      })) << k;
    // Farthest corner and farthest point along any direction agree but for slight corners.
    for (int turns = 0; turns < 64; turns++) {
      const Vec3 d = turn({0, 0, 1}, turns * 360.0 / 64) * Vec3::UnitX();
      const auto reach = [&](const std::vector<Vec3>& set) {
        double most = -10;
        for (const Vec3& p : set) most = std::max(most, p.dot(d));
        return most;
      };
      ASSERT_NEAR(reach(points), reach(corners), 3e-3) << k;
    }
    several += c.count > 4;
  }
  EXPECT_GT(several, 100);
}

TEST(PolyhedronPair, ManyPointsLieInBothPieces) {
  testing::Random random(13);
  int points = 0;
  for (int k = 0; k < 4000; k++) {
    const PlacedPolyhedron a(testing::random_polyhedron(random, Vec3::Zero(), 1));
    const PlacedPolyhedron b(testing::random_polyhedron(random, random.in_box(1), 1));
    const ContactPoints many = find(a, b, ContactMode::many);
    if (many.count < 2) continue;  // one may be the centroid of the projected overlap
    // But for sides that recede from a common edge.
    const double beside = 0.01 * std::min(extent(a.view()), extent(b.view()));
    for (int i = 0; i < many.count; i++, points++)
      for (const ConvexView& view : {a.view(), b.view()})
        for (const Plane& plane : view.planes)
          ASSERT_LT(plane.distance(many.points[i].point), kEpsilon + beside) << k;
  }
  EXPECT_GT(points, 1000);
}

// Sides that recede from the edges of faces on each other by the slope lean: the corners of one
// piece are beside the other one then, by that times the overlap.
TEST(PolyhedronPair, FacesOnEachOtherKeepTheirCornersWhenTheySinkIn) {
  const auto frustum = [](double lean, double up, double turn_by, const Vec3& shift) {
    std::vector<Vec3> corners;
    for (double x : {-1.0, 1.0})
      for (double y : {-1.0, 1.0}) {
        corners.push_back({x, y, 0});
        corners.push_back({x * (1 - lean), y * (1 - lean), up});
      }
    for (Vec3& c : corners) c = turn({0, 0, 1}, turn_by) * c + shift;
    return PlacedPolyhedron(convex_hull(corners, 0, 0));
  };
  for (double lean : {0.0, 0.056, 0.2, 0.6})
    for (double sunk : {1e-7, 1e-6, 1e-5, 1e-4, 1e-3})
      for (double by : {0.0, 1e-3, 30.0, 45.0}) {
        const auto lower = frustum(lean, -1, 0, Vec3::Zero());
        const auto upper = frustum(lean, 1, by, Vec3(0.1 * by / 45, 0, -sunk));
        const ContactPoints c = find(upper, lower, ContactMode::many);
        EXPECT_EQ(c.count, by < 1 ? 4 : 8) << lean << ' ' << sunk << ' ' << by;
        for (int k = 0; k < c.count; k++) EXPECT_NEAR(c.points[k].gap, -sunk, 1e-9);
      }
}

TEST(PolyhedronPair, RidgeOnFaceIsHeldAtBothEnds) {
  const auto ridge = box({0, 0, 0.5 * std::sqrt(2.0) - 1e-3}, {2, 0.5, 0.5}, turn({1, 0, 0}, 45));
  const ContactPoints c = find(ridge, kFloor, ContactMode::many);
  ASSERT_EQ(c.count, 2);
  for (int k : {0, 1}) EXPECT_NEAR(c.points[k].gap, -1e-3, 1e-12);
  EXPECT_NEAR(std::abs(c.points[0].point.x() - c.points[1].point.x()), 4, 1e-9);
}

TEST(PolyhedronPair, ManyPointsReachTheDepthOfTheOne) {
  // What the several points say of the depth agrees with the distance that separates the two, which
  // is found independently; so the velocity at a point and the change of its gap belong together.
  testing::Random random(5);
  int contacts = 0, several = 0;
  for (int k = 0; k < 4000; k++) {
    const PlacedPolyhedron a(testing::random_polyhedron(random, Vec3::Zero(), 1));
    const PlacedPolyhedron b(testing::random_polyhedron(random, random.in_box(1), 1));
    const ContactPoints one = find(a, b), many = find(a, b, ContactMode::many);
    ASSERT_EQ(one.count > 0, many.count > 0);
    if (one.count == 0) continue;
    double deepest = 0, area = 0;
    for (int i = 0; i < many.count; i++) {
      deepest = std::min(deepest, many.points[i].gap);
      area += many.points[i].area;
    }
    ASSERT_NEAR(deepest, one.points[0].gap, 1e-9);
    ASSERT_NEAR(area, one.points[0].area, 1e-9);
    contacts++;
    several += many.count > 1;
  }
  EXPECT_GT(contacts, 1000);
  EXPECT_GT(several, 20);
}

TEST(PolyhedronPair, SmallSolidInsideOfALargeOneIsPushedOutTheShortWay) {
  const auto small = box({0, 0, -0.3}, {0.1, 0.1, 0.1});
  const ContactPoints c = find(small, kFloor);
  ASSERT_EQ(c.count, 1);
  EXPECT_NEAR((c.points[0].normal - Vec3::UnitZ()).norm(), 0, 1e-12);
  EXPECT_NEAR(c.points[0].gap, -0.4, 1e-12);
}

// The halves of a floor that meet in the plane x = 0, as two elements of a mesh.
std::array<PlacedPolyhedron, 2> halves() {
  std::array<PlacedPolyhedron, 2> result{box({-1, 0, -1}, {1, 1, 1}), box({1, 0, -1}, {1, 1, 1})};
  for (PlacedPolyhedron& half : result)
    for (int f = 0; f < half.view().faces(); f++) {
      const Plane& p = half.view().planes[f];
      if (std::abs(p.offset) < 1e-12 && std::abs(p.normal.x()) > 0.5) half.set_internal(f);
    }
  return result;
}

TEST(PolyhedronPair, InternalFacesDoNotTouch) {
  // A box stands on the left element of a floor and reaches over the joint by a hair.
  const auto [left, right] = halves();
  const auto resting = box({-0.5 + 1e-8, 0, 0.5 - 1e-3}, {0.5, 0.5, 0.5});
  const ContactPoints on_left = find(resting, left), on_right = find(resting, right);
  ASSERT_EQ(on_left.count, 1);
  EXPECT_NEAR((on_left.points[0].normal - Vec3::UnitZ()).norm(), 0, 1e-9);
  for (int k = 0; k < on_right.count; k++)  // two corners are on the right one, by that hair
    EXPECT_NEAR((on_right.points[k].normal - Vec3::UnitZ()).norm(), 0, 1e-9);
  // Half on either: both carry, straight up.
  const auto across = box({0.1, 0, 0.5 - 1e-3}, {0.5, 0.5, 0.5});
  for (const auto* e : {&left, &right}) {
    const ContactPoints c = find(across, *e);
    ASSERT_EQ(c.count, 1);
    EXPECT_NEAR((c.points[0].normal - Vec3::UnitZ()).norm(), 0, 1e-9);
  }
}

TEST(PolyhedronPair, AnEdgeOverAJointIsLeftByNoMoreThanOneElement) {
  const auto floor = halves();
  for (double degrees : {5.0, 20.0, 45.0, 70.0})
    for (double depth : {1e-7, 1e-6, 3e-6, 1e-4, 1e-2})
      for (double beside : {0.0, 1e-9, 0.5e-6, -3e-6, 2e-5, -1e-3, 0.3}) {
        const Mat3 tilt = turn(Vec3::UnitY(), degrees);
        const Vec3 edge = tilt * Vec3(0.3, 0, -0.3);  // the lowest one
        const auto cube = box(Vec3(beside, 0, -depth) - edge, {0.3, 0.3, 0.3}, tilt);
        Surroundings both;
        both.depth = [&](const Parting& parting) {
          double most = -1;
          for (const PlacedPolyhedron& half : floor) {
            const auto from = cube.view().vertices, to = half.view().vertices;
            most =
                std::max(most, parting.flat ? projected_overlap(from, to, parting.normal)
                                            : exit_distance(from, to, parting.normal).value_or(-1));
          }
          return most;
        };
        double deepest = 1;
        for (const PlacedPolyhedron& half : floor) {
          const ContactPoints c = find(cube, half, ContactMode::many, both);
          for (int k = 0; k < c.count; k++) {
            EXPECT_NEAR((c.points[k].normal - Vec3::UnitZ()).norm(), 0, 1e-9)
                << degrees << " " << depth << " " << beside;
            deepest = std::min(deepest, c.points[k].gap);
          }
        }
        EXPECT_NEAR(deepest, -depth, 1e-10) << degrees << " " << depth << " " << beside;
      }
}

}  // namespace
}  // namespace solfec::polyhedron_pair_test
