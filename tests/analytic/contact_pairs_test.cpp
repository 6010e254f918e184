// 100,000 random pairs of every kind of pieces against brute force or an exact overlap: contact or
// none, unit normals, gaps within 1E-9 of the smaller body's size, the same contact when the bodies
// are exchanged. Depths range from grazing to one body deep inside of the other.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "contact/ellipsoid_polyhedron.hpp"
#include "contact/polyhedron_pair.hpp"
#include "geometry/convex_distance.hpp"
#include "support/gap_oracle.hpp"
#include "support/polyhedron_oracle.hpp"
#include "support/random_solids.hpp"

namespace solfec::contact_pairs_test {
namespace {

using testing::PlacedPolyhedron;
using testing::Random;

#ifdef __SANITIZE_ADDRESS__  // some thirty times slower, and after memory, not geometry
constexpr int kPairs = 4000;
#else
constexpr int kPairs = 100000;
#endif
constexpr double kEpsilon = 1e-6;

EllipsoidView random_ellipsoid(Random& random, const Vec3& center, double flattest) {
  const Vec3 radii(random.uniform(flattest, 1), random.uniform(flattest, 1),
                   random.uniform(flattest, 1));
  return {center, random.rotation() * radii.asDiagonal()};
}

void expect_sane(const ContactPoint& c, int pair) {
  ASSERT_TRUE(c.point.allFinite() && std::isfinite(c.gap) && std::isfinite(c.area)) << pair;
  ASSERT_NEAR(c.normal.norm(), 1, 1e-12) << pair;
  ASSERT_GE(c.area, 0) << pair;
}

void expect_exchanged(const ContactPoint& c, const ContactPoint& e, int pair) {
  ASSERT_NEAR((c.normal + e.normal).norm(), 0, 1e-12) << pair;
  ASSERT_NEAR((c.point - e.point).norm(), 0, 1e-12) << pair;
  ASSERT_NEAR(c.gap, e.gap, 1e-12) << pair;
  ASSERT_NEAR(c.area, e.area, 1e-12) << pair;
}

TEST(ContactPairs, BallBall) {
  Random random(1);
  int contacts = 0;
  for (int k = 0; k < kPairs; k++) {
    const Ball first{random.in_box(1), random.uniform(0.1, 1)};
    const Ball second{random.in_box(1), random.uniform(0.1, 1)};
    const double gap = (first.center - second.center).norm() - first.radius - second.radius;
    const auto c = ball_ball(first, second, kEpsilon);
    ASSERT_EQ(c.has_value(), gap <= kEpsilon) << k;
    if (!c) continue;
    contacts++;
    expect_sane(*c, k);
    ASSERT_NEAR(c->gap, gap, 1e-12) << k;
    // Moving the first ball out along the normal leaves them touching.
    const Vec3 moved = first.center - c->gap * c->normal;
    ASSERT_NEAR((moved - second.center).norm(), first.radius + second.radius, 1e-9) << k;
    expect_exchanged(*c, *ball_ball(second, first, kEpsilon), k);
  }
  EXPECT_GT(contacts, kPairs / 4);
}

// Signed distance from a point to the surface of an ellipsoid, by the scalar equation of the
// nearest point (outside), or by dense search (inside, where several points may be nearest).
double signed_distance(const Vec3& point, const EllipsoidView& e) {
  const Eigen::JacobiSVD<Mat3> svd(e.map, Eigen::ComputeFullU);
  const Vec3 r = svd.singularValues();
  const Vec3 p = svd.matrixU().transpose() * (point - e.center);
  const double inside = p.cwiseQuotient(r).squaredNorm() - 1;
  if (inside <= 0)
    return testing::sampled_gap(
        [&](const Vec3& n) { return (point - e.center).dot(n) - e.height(n); }, 500, 6);
  // x_i = r_i^2 p_i / (r_i^2 + t) with t >= 0 the root of sum (r_i p_i / (r_i^2 + t))^2 = 1.
  double low = 0, high = r.maxCoeff() * p.norm() + 1;
  const auto f = [&](double t) {
    double sum = -1;
    for (int i = 0; i < 3; i++) sum += std::pow(r[i] * p[i] / (r[i] * r[i] + t), 2);
    return sum;
  };
  while (f(high) > 0) high *= 2;
  for (int i = 0; i < 200; i++) {
    const double middle = 0.5 * (low + high);
    (f(middle) > 0 ? low : high) = middle;
  }
  Vec3 x;
  for (int i = 0; i < 3; i++) x[i] = r[i] * r[i] * p[i] / (r[i] * r[i] + low);
  return (p - x).norm();
}

TEST(ContactPairs, BallEllipsoid) {
  Random random(2);
  int contacts = 0, deep = 0;
  for (int k = 0; k < kPairs; k++) {
    const EllipsoidView ellipsoid = random_ellipsoid(random, random.in_box(1), 0.2);
    const double radius = random.uniform(0.1, 1);
    const EllipsoidView ball{random.in_box(1.3), radius * Mat3::Identity()};
    const bool center_inside =
        (ellipsoid.map.inverse() * (ball.center - ellipsoid.center)).norm() < 1;
    // The dense search for centres inside is slow: a part of them.
    if (center_inside && deep++ % 10) continue;
    const double gap = signed_distance(ball.center, ellipsoid) - radius;
    const auto c = ellipsoid_ellipsoid(ball, ellipsoid, kEpsilon);
    if (std::abs(gap - kEpsilon) > 1e-9) {
      ASSERT_EQ(c.has_value(), gap < kEpsilon) << k;
    }
    if (!c) continue;
    contacts++;
    expect_sane(*c, k);
    ASSERT_NEAR(c->gap, gap, 1e-9 * radius) << k;
    expect_exchanged(*c, *ellipsoid_ellipsoid(ellipsoid, ball, kEpsilon), k);
  }
  EXPECT_GT(contacts, kPairs / 5);
}

// Distance from a point to a polyhedron, negative inside: faces, edges and vertices one by one.
double signed_distance(const Vec3& point, const ConvexView& p) {
  double inside = -std::numeric_limits<double>::infinity();
  for (const Plane& plane : p.planes) inside = std::max(inside, plane.distance(point));
  if (inside <= 0) return inside;
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& edge : p.topology->edges) {
    const Vec3 &a = p.vertices[edge.start], d = p.vertices[edge.end] - a;
    const double s = std::clamp(d.dot(point - a) / d.squaredNorm(), 0.0, 1.0);
    nearest = std::min(nearest, (point - a - s * d).norm());
  }
  for (int f = 0; f < p.faces(); f++) {
    const double height = p.planes[f].distance(point);
    const Vec3 foot = point - height * p.planes[f].normal;
    bool within = true;
    for (const Plane& plane : p.planes) within = within && plane.distance(foot) <= 1e-12;
    if (within) nearest = std::min(nearest, std::abs(height));
  }
  return nearest;
}

TEST(ContactPairs, BallPolyhedron) {
  Random random(3);
  int contacts = 0;
  for (int k = 0; k < kPairs; k++) {
    const PlacedPolyhedron polyhedron(testing::random_polyhedron(random, Vec3::Zero(), 1.0));
    const double radius = random.uniform(0.05, 1);
    const EllipsoidView ball{random.in_box(1.3), radius * Mat3::Identity()};
    const double gap = signed_distance(ball.center, polyhedron.view()) - radius;
    const auto c = ellipsoid_polyhedron(ball, polyhedron.view(), kEpsilon);
    if (std::abs(gap - kEpsilon) > 1e-9) {
      ASSERT_EQ(c.has_value(), gap < kEpsilon) << k;
    }
    if (!c) continue;
    contacts++;
    expect_sane(*c, k);
    ASSERT_NEAR(c->gap, gap, 1e-9 * std::min(radius, 0.3)) << k;
  }
  EXPECT_GT(contacts, kPairs / 4);
}

// No direction separates better than the contact's normal: a few hundred samples for every pair,
// refined search for a part of them.
constexpr int kRefined = 100;

TEST(ContactPairs, EllipsoidEllipsoid) {
  Random random(4);
  const std::vector<Vec3> samples = testing::fibonacci_sphere(200);
  int contacts = 0;
  for (int k = 0; k < kPairs; k++) {
    const double flattest = k % 3 == 0 ? 0.05 : k % 3 == 1 ? 0.2 : 0.5;
    const EllipsoidView first = random_ellipsoid(random, Vec3::Zero(), flattest);
    const EllipsoidView second = random_ellipsoid(random, random.in_box(1.2), flattest);
    const auto gap_along = [&](const Vec3& n) {
      return (first.center - second.center).dot(n) - first.height(n) - second.height(n);
    };
    double sampled = -std::numeric_limits<double>::infinity();
    for (const Vec3& n : samples) sampled = std::max(sampled, gap_along(n));
    const auto c = ellipsoid_ellipsoid(first, second, kEpsilon);
    if (!c) {
      if (k % kRefined == 0) {
        ASSERT_GT(testing::brute_force_gap(first, second), kEpsilon - 1e-9) << k;
      }
      continue;
    }
    contacts++;
    expect_sane(*c, k);
    ASSERT_LE(sampled, c->gap + 1e-9) << k;
    ASSERT_NEAR(gap_along(c->normal), c->gap, 1e-12) << k;
    // Stationary: the two nearest points lie on one line along the normal.
    const Vec3 on_first = first.center - first.support(c->normal);
    const Vec3 on_second = second.center + second.support(c->normal);
    ASSERT_NEAR((on_first - on_second - c->gap * c->normal).norm(), 0, 1e-6) << k;
    if (k % kRefined == 0) {
      const double size = std::min(first.map.norm(), second.map.norm());
      ASSERT_NEAR(testing::brute_force_gap(first, second), c->gap, 1e-9 * size) << k;
    }
    expect_exchanged(*c, *ellipsoid_ellipsoid(second, first, kEpsilon), k);
  }
  EXPECT_GT(contacts, kPairs / 4);
}

TEST(ContactPairs, EllipsoidPolyhedron) {
  Random random(5);
  const std::vector<Vec3> samples = testing::fibonacci_sphere(200);
  int contacts = 0;
  for (int k = 0; k < kPairs; k++) {
    const double flattest = k % 3 == 0 ? 0.05 : k % 3 == 1 ? 0.2 : 0.5;
    const EllipsoidView ellipsoid = random_ellipsoid(random, random.in_box(1.3), flattest);
    const PlacedPolyhedron polyhedron(testing::random_polyhedron(random, Vec3::Zero(), 1.0));
    const ConvexView view = polyhedron.view();
    const auto gap_along = [&](const Vec3& n) {
      const int v = support_vertex(view.vertices, n);
      return n.dot(ellipsoid.center - view.vertices[v]) - ellipsoid.height(n);
    };
    double sampled = -std::numeric_limits<double>::infinity();
    for (const Vec3& n : samples) sampled = std::max(sampled, gap_along(n));
    const auto c = ellipsoid_polyhedron(ellipsoid, view, kEpsilon);
    if (!c) {
      if (k % kRefined == 0) {
        ASSERT_GT(testing::brute_force_gap(ellipsoid, view), kEpsilon - 1e-9) << k;
      }
      continue;
    }
    contacts++;
    expect_sane(*c, k);
    ASSERT_LE(sampled, c->gap + 1e-9) << k;
    ASSERT_NEAR(gap_along(c->normal), c->gap, 1e-9) << k;
    if (k % kRefined == 0) {
      ASSERT_NEAR(testing::brute_force_gap(ellipsoid, view), c->gap, 1e-9) << k;
    }
  }
  EXPECT_GT(contacts, kPairs / 4);
}

TEST(ContactPairs, PolyhedronPolyhedron) {
  Random random(6);
  PolyhedronPair pair;
  constexpr int kWithIntersection = 10000;
  int contacts = 0;
  for (int k = 0; k < kPairs; k++) {
    const PlacedPolyhedron first(testing::random_polyhedron(random, Vec3::Zero(), 1.0));
    const PlacedPolyhedron second(testing::random_polyhedron(random, random.in_box(1.2), 1.0));
    const auto find = [&](const PlacedPolyhedron& a, const PlacedPolyhedron& b) {
      return pair.find(a.view(), b.view(), kEpsilon, ContactMode::one);
    };
    const ContactPoints found = find(first, second);
    const double separation = testing::largest_separation(first.view(), second.view(), nullptr);
    if (found.count == 0) {
      ASSERT_GE(separation, 0) << "pair " << k << " overlaps, and no contact was found";
      continue;
    }
    contacts++;
    ASSERT_LE(separation, kEpsilon) << "pair " << k << " is apart, and a contact was found";
    const ContactPoint& c = found.points[0];
    expect_sane(c, k);
    ASSERT_NEAR(-c.gap, testing::exact_directional_depth(first.view(), second.view(), c.normal),
                1e-9)
        << k;
    const ContactPoints exchanged = find(second, first);
    ASSERT_EQ(exchanged.count, 1) << k;
    expect_exchanged(c, exchanged.points[0], k);

    if (k >= kWithIntersection || separation > -1e-5) continue;
    const auto overlap = testing::exact_intersection(first.view(), second.view());
    if (!overlap) continue;
    const testing::Projection projection = testing::exact_projection(*overlap, c.normal);
    ASSERT_NEAR(projection.area, c.area, 1e-9) << k;
    ASSERT_NEAR((projection.centroid - c.point).norm(), 0, 1e-8) << k;
  }
  EXPECT_GT(contacts, kPairs / 4);
}

PlacedPolyhedron moved(const PlacedPolyhedron& solid, const Vec3& shift) {
  Polyhedron there = solid.solid();
  for (Vec3& v : there.vertices) v += shift;
  return PlacedPolyhedron(std::move(there));
}

// A shift along a straight way after which the two all but touch, with their separation then.
std::optional<std::pair<Vec3, Separation>> brought_together(const PlacedPolyhedron& first,
                                                            const PlacedPolyhedron& second,
                                                            const Vec3& way) {
  Vec3 shift = Vec3::Zero();
  for (;;) {
    const auto apart = separation_of(moved(first, shift).view(), second.view());
    if (!apart) return {};
    if (apart->distance < 1e-5) return std::pair(shift, *apart);
    const double closing = -way.dot(apart->normal);
    if (closing < 1e-3) return {};  // they pass each other
    shift += (1 - 1e-4) * apart->distance / closing * way;
  }
}

// What was apart, and is moved along a straight way until it barely touches, has one normal: that
// of its separation just before. Vertices touch faces within epsilon, edges once they overlap.
TEST(ContactPairs, PolyhedraThatBarelyTouchHaveTheNormalOfTheirSeparation) {
  Random random(7);
  PolyhedronPair pair;
  int faces = 0, edges = 0, degenerate = 0;
  for (int k = 0; k < kPairs / 10; k++) {
    const PlacedPolyhedron second(testing::random_polyhedron(random, Vec3::Zero(), 1));
    const PlacedPolyhedron first(testing::random_polyhedron(
        random, random.uniform(0.5, 3) * random.direction(), random.uniform(0.1, 1)));
    const Vec3 way = (random.in_box(0.3) - first.solid().vertices[0]).normalized();
    const auto together = brought_together(first, second, way);
    if (!together) continue;
    const auto& [shift, apart] = *together;
    const auto along_normal = [&](const PlacedPolyhedron& solid) {
      return std::ranges::any_of(solid.view().planes, [&](const Plane& plane) {
        return plane.normal.cross(apart.normal).norm() < 1e-9;
      });
    };
    const bool on_face = along_normal(first) || along_normal(second);
    for (const double gap : {0.9e-6, 1e-9, 0.0, -1e-8, -1e-7, -1e-6}) {
      const Vec3 rest = (gap - apart.distance) / way.dot(apart.normal) * way;
      const auto touching = moved(first, shift + rest);
      const ContactPoints& found =
          pair.find(touching.view(), second.view(), kEpsilon, ContactMode::one);
      ASSERT_TRUE(found.count == 1 || (!on_face && gap >= 0)) << k << " " << gap;
      if (found.count == 0) continue;
      (on_face ? faces : edges)++;
      const bool same = (found.points[0].normal - apart.normal).norm() < 1e-4;
      ASSERT_TRUE(same || !on_face) << k << " " << gap;
      degenerate += !same;  // edges that end nearby
      if (!same) continue;
      ASSERT_NEAR(found.points[0].gap, gap, 1e-9) << k;
    }
  }
  EXPECT_GT(faces, kPairs / 10);
  EXPECT_GT(edges, kPairs / 20);
  EXPECT_LT(degenerate, edges / 100);
}

}  // namespace
}  // namespace solfec::contact_pairs_test
