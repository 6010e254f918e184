// Moving and scaling solids: membership and moments follow the map, for every kind of solid.
#include "geometry/shape.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "math/rotation.hpp"
#include "support/random_solids.hpp"

namespace solfec::shape_test {
namespace {

using testing::Random;

Mesh block() {
  std::array<Vec3, 8> corners = {Vec3(0, 0, 0), Vec3(1, 0, 0.2), Vec3(1.1, 1, 0), Vec3(0, 0.9, 0),
                                 Vec3(0, 0, 1), Vec3(1, 0, 1),   Vec3(1, 1, 1.3), Vec3(0, 1, 1)};
  return make_hexahedral_mesh(corners, {{{1, 2}, {1}, {1, 1}}}, 3, {10, 11, 12, 13, 14, 15});
}

std::vector<Solid> one_of_each(Random& random) {
  return {testing::random_polyhedron(random, random.in_box(1), 1), block(),
          Sphere{random.in_box(1), 0.6, 1, 2},
          Ellipsoid{random.in_box(1), {0.4, 0.7, 1}, random.rotation(), 1, 2}};
}

struct Point {
  Vec3 x;
  bool inside;
};

std::vector<Point> sample(Random& random, const Solid& solid) {
  std::vector<Point> points;
  for (int k = 0; k < 1000; k++) {
    const Box box = bounding_box(solid);
    const Vec3 x = box.center() + random.in_box(0.55).cwiseProduct(box.size());
    points.push_back({x, contains(solid, x)});
  }
  return points;
}

// After x -> A x + t, the same points are inside, and the moments are those of the image.
void expect_image(const Solid& before, const Solid& after, const std::vector<Point>& points,
                  const Mat3& A, const Vec3& t) {
  int inside = 0;
  for (const Point& p : points) {
    EXPECT_EQ(contains(after, A * p.x + t), p.inside);
    inside += p.inside;
  }
  EXPECT_GT(inside, 0);
  const Moments m = moments(Shape{before}, Vec3::Zero()), moved = moments(Shape{after}, t);
  const double det = std::abs(A.determinant());
  EXPECT_NEAR(moved.volume, det * m.volume, 1e-12);
  EXPECT_NEAR((moved.first - det * A * m.first).norm(), 0, 1e-12);
  EXPECT_NEAR((moved.second - det * A * m.second * A.transpose()).norm(), 0, 1e-11);
}

TEST(Shape, TranslateAndRotate) {
  Random random(1);
  for (int repeat = 0; repeat < 10; repeat++)
    for (const Solid& before : one_of_each(random)) {
      const auto points = sample(random, before);
      const Vec3 d = random.in_box(3), pivot = random.in_box(1);
      Solid moved = before;
      translate(moved, d);
      expect_image(before, moved, points, Mat3::Identity(), d);
      const Mat3 R = random.rotation();
      Solid turned = before;
      rotate(turned, pivot, R);
      expect_image(before, turned, points, R, pivot - R * pivot);
    }
}

TEST(Shape, ScaleAlsoMirrors) {
  Random random(2);
  for (const Vec3& factors :
       {Vec3(2, 2, 2), Vec3(0.5, 2, 1), Vec3(-1, 1, 1), Vec3(-2, -0.5, 1), Vec3(-1, -1, -3)})
    for (const Solid& before : one_of_each(random)) {
      if (std::holds_alternative<Sphere>(before)) continue;
      const auto points = sample(random, before);
      Solid scaled = before;
      scale(scaled, factors);
      expect_image(before, scaled, points, factors.asDiagonal(), Vec3::Zero());
      if (const auto* p = std::get_if<Polyhedron>(&scaled)) {
        EXPECT_NO_THROW(check_convex(*p, 1e-12)) << "faces stay outward";
      }
      if (const auto* e = std::get_if<Ellipsoid>(&scaled)) {
        EXPECT_GT(e->radii.minCoeff(), 0);
        EXPECT_NEAR((e->rotation * e->rotation.transpose() - Mat3::Identity()).norm(), 0, 1e-14);
        EXPECT_NEAR(e->rotation.determinant(), 1, 1e-14);
      }
    }
}

TEST(Shape, SphereTakesTheFirstFactorAsItsRadius) {
  Solid solid = Sphere{{1, 2, 3}, 0.5, 4, 5};
  scale(solid, {-2, 3, 0.5});
  const auto& sphere = std::get<Sphere>(solid);
  EXPECT_EQ(sphere.center, Vec3(-2, 6, 1.5));
  EXPECT_EQ(sphere.radius, 1);
  EXPECT_EQ(sphere.surface, 5);
}

TEST(Shape, MirroredMeshKeepsItsSurfaces) {
  const Mesh before = block();
  Solid solid = before;
  scale(solid, {1, -1, 1});
  const Mesh& after = std::get<Mesh>(solid);
  const auto centers = [](const Mesh& mesh, double sign) {
    std::map<int, Vec3> sum;
    for (const BoundaryFace& face : mesh.boundary) {
      sum.try_emplace(face.surface, Vec3::Zero());
      const Element& element = mesh.elements[face.element];
      for (int local : element_faces(element.nodes).loop(face.side)) {
        const Vec3& n = mesh.nodes[element.node[local]];
        sum[face.surface] += Vec3(n.x(), sign * n.y(), n.z());
      }
    }
    return sum;
  };
  ASSERT_EQ(after.boundary.size(), before.boundary.size());
  const auto expected = centers(before, -1), found = centers(after, 1);
  ASSERT_EQ(found.size(), 6u);
  for (const auto& [surface, center] : expected)
    EXPECT_NEAR((found.at(surface) - center).norm(), 0, 1e-13) << surface;
  EXPECT_EQ(after.elements[0].volume, 3);
}

TEST(Shape, BoxesAreTight) {
  Random random(3);
  for (int repeat = 0; repeat < 20; repeat++)
    for (const Solid& solid : one_of_each(random)) {
      const Box box = bounding_box(solid);
      // All of the solid is inside, and it reaches every wall.
      Box reached;
      if (const auto* e = std::get_if<Ellipsoid>(&solid)) {
        for (int d = 0; d < 3; d++) {
          // Support points: map map^T n / |map^T n|.
          const Vec3 s = e->map().row(d).transpose();
          reached.extend(Vec3(e->center + e->map() * s / s.norm()));
          reached.extend(Vec3(e->center - e->map() * s / s.norm()));
        }
      } else if (const auto* s = std::get_if<Sphere>(&solid)) {
        for (int d = 0; d < 3; d++) {
          reached.extend(Vec3(s->center + s->radius * Vec3::Unit(d)));
          reached.extend(Vec3(s->center - s->radius * Vec3::Unit(d)));
        }
      } else {
        const auto* p = std::get_if<Polyhedron>(&solid);
        for (const Vec3& v : p ? p->vertices : std::get<Mesh>(solid).nodes) reached.extend(v);
      }
      EXPECT_NEAR((box.lower - reached.lower).norm() + (box.upper - reached.upper).norm(), 0,
                  1e-13);
    }
}

TEST(Shape, UnionByPieces) {
  // Two equal cubes beside each other and a ball far away, by weights.
  Shape shape = {testing::make_box({0, 0, 0}, {1, 1, 1}, Mat3::Identity()),
                 testing::make_box({2, 0, 0}, {1, 1, 1}, Mat3::Identity()), Sphere{{0, 0, 10}, 1}};
  const double ball = 4 * std::numbers::pi / 3, total = 16 + ball;
  EXPECT_NEAR(moments(shape, Vec3::Zero()).volume, total, 1e-12);
  EXPECT_NEAR((mass_center(shape) - Vec3(16, 0, 10 * ball) / total).norm(), 0, 1e-13);
  const Box box = bounding_box(shape);
  EXPECT_NEAR((box.lower - Vec3(-1, -1, -1)).norm() + (box.upper - Vec3(3, 1, 11)).norm(), 0,
              1e-13);
  EXPECT_EQ(radius_about(shape, Vec3(0, 0, 5)), std::sqrt(9.0 + 1 + 36));
  EXPECT_NEAR(radius_about(shape, Vec3(0, 0, 10)), std::sqrt(9 + 1 + 121), 1e-13);
  EXPECT_EQ(radius_about({Ellipsoid{{1, 0, 0}, {1, 2, 3}, Mat3::Identity()}}, Vec3(-1, 0, 0)), 5);
  EXPECT_NEAR(radius_about({block()}, Vec3::Zero()), std::sqrt(1 + 1 + 1.3 * 1.3), 1e-13);
  const double size = half_diagonal(box);
  EXPECT_NEAR(size, 0.5 * std::sqrt(16 + 4 + 144), 1e-6);
  for (Solid& solid : shape) translate(solid, {0.1, 0.2, 0.3});
  EXPECT_EQ(half_diagonal(bounding_box(shape)), size) << "the same wherever the shape is";
  for (Solid& solid : shape) translate(solid, {-0.1, -0.2, -0.3});
  for (Solid& solid : shape) translate(solid, {1e5, 0, 0});
  EXPECT_NEAR(mass_center(shape).x() - 1e5, 16 / total, 1e-9) << "far from the origin";
}

}  // namespace
}  // namespace solfec::shape_test
