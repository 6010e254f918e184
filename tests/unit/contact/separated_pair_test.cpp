#include "contact/separated_pair.hpp"

#include <gtest/gtest.h>

#include "contact/narrow_phase.hpp"
#include "support/make_bodies.hpp"
#include "support/random_solids.hpp"

namespace solfec::separated_pair_test {
namespace {

constexpr double kTolerance = 1e-6;

struct Pair {
  BodyStore bodies;
  PieceStore pieces;
  NarrowPhase narrow_phase;

  Pair(Shape first, Shape second) {
    testing::add_body(bodies, BodyKind::rigid, std::move(first));
    testing::add_body(bodies, BodyKind::rigid, std::move(second));
    pieces.synchronise(bodies);
    pieces.place(bodies, 0);
  }
  NarrowPhase::ContactsAhead find(const Vec3& way, ContactMode mode = ContactMode::patch,
                                  double near = 0, double fall = 0) {
    const Lookahead still, moves{way.norm(), way, Vec3::Zero(), fall};
    return narrow_phase.find_ahead(pieces, 0, 1, {moves, still, Vec3::Zero(), Vec3::Zero()},
                                   {2 * way.norm(), near, fall}, kTolerance, mode);
  }
};

TEST(SeparatedPair, AFaceComesToAFaceWithItsCorners) {
  for (double gap : {1e-4, 0.3, 2.0}) {
    Pair pair(testing::box_shape({0.2, 0, 1 + gap}, {0.5, 0.5, 0.5}, 7),
              testing::box_shape({0, 0, 0}, {2, 2, 0.5}, 8));
    EXPECT_EQ(pair.find({0, 0, -0.9 * gap}).points.count, 0) << "it does not come so far";
    EXPECT_EQ(pair.find({0, 0, -1.01 * gap}).points.count, 4);
    EXPECT_EQ(pair.find({0, 0, 2 * gap}).points.count, 0) << "it goes away";
    EXPECT_EQ(pair.find({0, 0, 2 * gap}, ContactMode::patch, 1.1 * gap).points.count, 4) << "near";
    const auto [points, shift, passes] = pair.find({0.1, 0, -2 * gap});
    ASSERT_EQ(points.count, 4);
    EXPECT_NEAR((shift - Vec3(0.05, 0, -gap)).norm(), 0, 3e-5);
    for (int k = 0; k < points.count; k++) {
      const ContactPoint& c = points.points[k];
      EXPECT_NEAR(c.gap - shift.z(), gap, 1e-9);
      EXPECT_NEAR((c.normal - Vec3::UnitZ()).norm(), 0, 1e-9);
      EXPECT_NEAR(c.point.z(), 0.5, 3e-5);
      EXPECT_NEAR((c.point.head<2>() - Vec2(0.25, 0)).cwiseAbs().maxCoeff(), 0.5, 3e-5);
      EXPECT_EQ(c.surface1, 7);
      EXPECT_EQ(c.surface2, 8);
    }
    EXPECT_EQ(pair.find({0, 0, -2 * gap}, ContactMode::one).points.count, 1);
  }
}

// Against steps along the way: of convex bodies of any kind.
TEST(SeparatedPair, TouchesWhereSmallStepsDo) {
  testing::Random random(3);
  int hits = 0, misses = 0;
  for (int k = 0; k < 400; k++) {
    const Vec3 center = 3 * random.in_box(1);
    const Shape ball = {Sphere{Vec3::Zero(), 0.8}};
    Pair pair(k % 2 ? Shape{testing::random_polyhedron(random, Vec3::Zero(), 1)} : ball,
              {testing::random_polyhedron(random, center, 1)});
    const auto touches = [&](const Vec3& way) {
      Pair moved(pair.bodies[0].shape ? *pair.bodies[0].shape : ball, *pair.bodies[1].shape);
      moved.bodies.center(0) += way;
      moved.pieces.place(moved.bodies, 0);
      return moved.narrow_phase.find(moved.pieces, 0, 1, 2 * kTolerance, ContactMode::one).count >
             0;
    };
    if (touches(Vec3::Zero())) continue;
    const Vec3 way = center + random.in_box(1);
    double first = 2;
    for (int step = 1; step <= 200 && first > 1; step++)
      if (touches(0.005 * step * way)) first = 0.005 * step;
    const auto [points, shift, passes] = pair.find(way);
    if (points.count == 0) {
      misses++;
      ASSERT_GT(first, 1);
      continue;
    }
    hits++;
    const double part = shift.norm() / way.norm();
    if (first <= 1) {
      ASSERT_GT(part, first - 0.0051);
      ASSERT_LT(part, first + 1e-4);
    }
    double least = 1;
    for (int i = 0; i < points.count; i++) {
      ASSERT_LT(points.points[i].normal.dot(way), 0) << "it stops the motion";
      least = std::min(least, std::abs(points.points[i].gap));
    }
    ASSERT_LT(least, 3e-5);
  }
  EXPECT_GT(hits, 100);
  EXPECT_GT(misses, 50);
}

// A tilted box that stands on an edge: the corners above are known within the distance.
TEST(SeparatedPair, CornersThatHoverOverATouchingPairAreKnown) {
  constexpr double kAngle = 0.2;
  const Mat3 tilt = Eigen::AngleAxisd(kAngle, Vec3::UnitY()).toRotationMatrix();
  const Vec3 center(0, 0, 0.5 * (std::cos(kAngle) + std::sin(kAngle)) - 1e-5);
  Pair pair({testing::make_box(center, {0.5, 0.5, 0.5}, tilt)},
            testing::box_shape({0, 0, -1}, {2, 2, 1}));
  const auto known = [&](double distance) {
    const ContactPoints& found =
        pair.narrow_phase.find(pair.pieces, 0, 1, kTolerance, ContactMode::patch, distance);
    std::vector<double> gaps;
    for (int k = 0; k < found.count; k++) gaps.push_back(found.points[k].gap);
    std::ranges::sort(gaps);
    return gaps;
  };
  const double high = std::sin(kAngle) - 1e-5;
  EXPECT_EQ(known(0.5 * high).size(), 2u);
  const std::vector<double> all = known(1.1 * high);
  ASSERT_EQ(all.size(), 4u);
  for (int k : {0, 1}) EXPECT_NEAR(all[k], -1e-5, 1e-9);
  for (int k : {2, 3}) EXPECT_NEAR(all[k], high, 1e-9);
}

// It barely touches the floor with an edge or a corner: the normal is that of the floor, and not of
// a face of the box, which the overlap alone does not tell.
TEST(SeparatedPair, TheNormalOfABarelyTouchingCornerIsThatOfTheFace) {
  for (const Vec3& axis : {Vec3(0, 1, 0), Vec3(1, 2, 0.5)})
    for (double depth : {-5e-7, 0.0, 1e-9, 1e-7, 4e-6}) {
      const Mat3 tilt = Eigen::AngleAxisd(0.3, axis.normalized()).toRotationMatrix();
      const double low = 0.5 * tilt.row(2).cwiseAbs().sum();
      Pair pair({testing::make_box({0, 0, low - depth}, {0.5, 0.5, 0.5}, tilt)},
                testing::box_shape({0, 0, -1}, {2, 2, 1}));
      const ContactPoints& found =
          pair.narrow_phase.find(pair.pieces, 0, 1, kTolerance, ContactMode::patch, 1e-3);
      ASSERT_GT(found.count, 0);
      for (int k = 0; k < found.count; k++) {
        EXPECT_NEAR((found.points[k].normal - Vec3::UnitZ()).norm(), 0, 1e-7);
        EXPECT_NEAR(found.points[k].gap, -depth, 1e-9);
      }
    }
}

// Stones of a dome that have an edge in common, apart by rounding.
TEST(SeparatedPair, EdgesAlongEachOtherHaveANormalThatSeparates) {
  const std::vector<Vec3> one = {
      {-1.1894395, -2.0601698, 4.53944416},   {-2.06016975, -1.18943956, 4.53944417},
      {-1.57929487, -2.73541902, 4.03595503}, {-2.73541897, -1.57929493, 4.03595504},
      {-1.50225614, -2.60198399, 3.83907911}, {-1.13141811, -1.95967376, 4.3180078},
      {-2.60198394, -1.5022562, 3.83907912},  {-1.95967371, -1.13141816, 4.3180078}};
  const std::vector<Vec3> other = {
      {1.04343149e-07, -1.52114704, 4.89405048}, {-0.760573483, -1.31735198, 4.89405047},
      {1.24850493e-07, -2.37887916, 4.53944417}, {-1.18943951, -2.0601698, 4.53944415},
      {1.20437238e-07, -2.26283628, 4.31800783}, {1.00930252e-07, -1.44694476, 4.65531628},
      {-1.13141807, -1.95967373, 4.31800781},    {-0.723472336, -1.25309092, 4.65531627}};
  testing::Random random(1);
  for (int repeat = 0; repeat < 2000; repeat++) {
    const auto stone = [&](std::vector<Vec3> corners) {
      const Vec3 off = 1e-8 * random.in_box(1);
      for (Vec3& x : corners) x += off;
      return Shape{convex_hull(corners, 0, 0)};
    };
    Pair pair(stone(one), stone(other));
    const auto [points, shift, passes] =
        pair.find(1e-7 * random.in_box(1), ContactMode::patch, 0.01, 1e-7);
    for (int k = 0; k < points.count; k++) EXPECT_GT(points.points[k].gap, -1e-4) << repeat;
  }
}

// A box that slides to a seam between two blocks of one height comes to the floor of the second
// one, not to its side, whether it hovers a little or overlaps by rounding.
TEST(SeparatedPair, ASeamIsNoStep) {
  for (double height : {-1e-9, -4e-12, 0.0, 1e-12, 1e-9, 5e-7}) {
    Pair pair(testing::box_shape({0, 0, 0.25 + height}, {0.25, 0.25, 0.25}),
              testing::box_shape({0.755, 0, -0.5}, {0.5, 1, 0.5}));
    // It falls a little, as the first block would not let it.
    const auto [points, shift, passes] = pair.find({0.01, 0, -4e-5}, ContactMode::patch, 0, 4e-5);
    ASSERT_EQ(points.count, 2);
    for (int k = 0; k < points.count; k++)
      EXPECT_NEAR((points.points[k].normal - Vec3::UnitZ()).norm(), 0, 1e-7) << height;
  }
}

}  // namespace
}  // namespace solfec::separated_pair_test
