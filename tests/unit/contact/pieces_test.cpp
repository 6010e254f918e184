// Pieces placed in space against the map x = c + G (X - Xc) applied here.
#include "contact/pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "support/make_bodies.hpp"

namespace solfec::pieces_test {
namespace {

using testing::Random;

Mesh block(const std::array<int, 3>& divisions, double twist = 0) {
  std::array<Vec3, 8> corners = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(0, 1, 0),
                                 Vec3(0, 0, 1), Vec3(1, 0, 1), Vec3(1, 1, 1), Vec3(0, 1, 1)};
  for (int k = 4; k < 8; k++)
    corners[k] =
        Vec3(0.5, 0.5, 0) + rotation_about(Vec3::UnitZ(), twist) * (corners[k] - Vec3(0.5, 0.5, 0));
  std::array<std::vector<double>, 3> sizes;
  for (int d = 0; d < 3; d++) sizes[d].assign(divisions[d], 1.0);
  return make_hexahedral_mesh(corners, sizes, 0, {10, 11, 12, 13, 14, 15});
}

Shape mixed_shape(Random& random) {
  return {testing::random_polyhedron(random, random.in_box(1), 1),
          Sphere{random.in_box(1), 0.5, 0, 7}, block({2, 2, 2}),
          Ellipsoid{random.in_box(1), {0.3, 0.5, 0.9}, random.rotation(), 0, 8}};
}

// The pieces of a shape as vertex lists of polyhedra, or centre and map.
struct Expected {
  std::vector<std::vector<Vec3>> polyhedra;
  std::vector<std::pair<Vec3, Mat3>> round;
};
Expected expected_pieces(const Shape& shape) {
  Expected e;
  for (const Solid& solid : shape) {
    if (const auto* p = std::get_if<Polyhedron>(&solid)) e.polyhedra.push_back(p->vertices);
    if (const auto* s = std::get_if<Sphere>(&solid))
      e.round.emplace_back(s->center, s->radius * Mat3::Identity());
    if (const auto* s = std::get_if<Ellipsoid>(&solid)) e.round.emplace_back(s->center, s->map());
    if (const auto* m = std::get_if<Mesh>(&solid))
      for (const Element& element : m->elements) {
        e.polyhedra.emplace_back();
        for (int n : element.used()) e.polyhedra.back().push_back(m->nodes[n]);
      }
  }
  return e;
}

TEST(Pieces, FollowTheMotionOfTheirBodies) {
  Random random(1);
  for (BodyKind kind : {BodyKind::obstacle, BodyKind::rigid, BodyKind::pseudo_rigid})
    for (int repeat = 0; repeat < 10; repeat++) {
      BodyStore bodies;
      const Shape shape = mixed_shape(random);
      const int i = testing::add_body(bodies, kind, shape);
      testing::move_at_random(random, bodies, i);
      PieceStore pieces;
      pieces.synchronise(bodies);
      const double margin = 0.01;
      pieces.place(bodies, margin);
      const Mat3 G = bodies.gradient(i);
      const Vec3 c = bodies.center(i), origin = bodies[i].reference.center;
      const Expected expected = expected_pieces(shape);
      ASSERT_EQ(pieces.count(),
                static_cast<int>(expected.polyhedra.size() + expected.round.size()));
      std::size_t polyhedron = 0, round = 0;
      for (int p = 0; p < pieces.count(); p++) {
        EXPECT_EQ(pieces.body(p), i);
        EXPECT_EQ(pieces.feature(p), p);
        Box tight;
        if (pieces.kind(p) == PieceKind::polyhedron) {
          const ConvexView view = pieces.polyhedron(p);
          const auto& vertices = expected.polyhedra[polyhedron++];
          ASSERT_EQ(view.vertices.size(), vertices.size());
          for (std::size_t v = 0; v < vertices.size(); v++) {
            EXPECT_NEAR((view.vertices[v] - c - G * (vertices[v] - origin)).norm(), 0, 1e-13);
            tight.extend(view.vertices[v]);
          }
          // Planes hold their corners, and all of the solid is behind them.
          for (int f = 0; f < view.faces(); f++) {
            EXPECT_NEAR(view.planes[f].normal.norm(), 1, 1e-14);
            for (const Vec3& v : view.vertices) EXPECT_LT(view.planes[f].distance(v), 1e-12);
            for (int v : view.topology->faces.loop(f))
              EXPECT_NEAR(view.planes[f].distance(view.vertices[v]), 0, 1e-12);
          }
        } else {
          const auto& [center, map] = expected.round[round++];
          const Vec3 x = c + G * (center - origin);
          const Mat3 L = G * map;
          if (pieces.kind(p) == PieceKind::ball) {
            EXPECT_NEAR((pieces.ball(p).center - x).norm(), 0, 1e-13);
            EXPECT_EQ(pieces.ball(p).radius, 0.5);
            EXPECT_NE(kind, BodyKind::pseudo_rigid) << "a deformed ball is an ellipsoid";
            EXPECT_EQ(pieces.surface(p), 7);
          } else {
            EXPECT_NEAR((pieces.ellipsoid(p).center - x).norm(), 0, 1e-13);
            EXPECT_NEAR((pieces.ellipsoid(p).map - L).norm(), 0, 1e-14);
          }
          for (int d = 0; d < 3; d++) {
            tight.extend(Vec3(x + L.row(d).norm() * Vec3::Unit(d)));
            tight.extend(Vec3(x - L.row(d).norm() * Vec3::Unit(d)));
          }
        }
        const Box& box = pieces.boxes()[p];
        EXPECT_NEAR((box.lower - tight.lower + Vec3::Constant(margin)).norm(), 0, 1e-12);
        EXPECT_NEAR((box.upper - tight.upper - Vec3::Constant(margin)).norm(), 0, 1e-12);
      }
    }
}

TEST(Pieces, MeshElementsKnowWhatIsInside) {
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::rigid, {block({3, 3, 3})});
  PieceStore pieces;
  pieces.synchronise(bodies);
  pieces.place(bodies, 0);
  EXPECT_EQ(pieces.count(), 26) << "the element in the middle has no surface";
  const std::map<int, Vec3> walls = {{10, -Vec3::UnitZ()}, {11, -Vec3::UnitX()},
                                     {12, Vec3::UnitY()},  {13, Vec3::UnitX()},
                                     {14, -Vec3::UnitY()}, {15, Vec3::UnitZ()}};
  int outer = 0;
  for (int p = 0; p < pieces.count(); p++) {
    const ConvexView view = pieces.polyhedron(p);
    ASSERT_EQ(view.faces(), 6);
    for (int f = 0; f < 6; f++) {
      const Plane& plane = view.planes[f];
      const bool on_wall =
          plane.normal.maxCoeff() > 0.5 ? plane.offset > 1 - 1e-9 : std::abs(plane.offset) < 1e-9;
      EXPECT_EQ(view.internal[f] == 0, on_wall);
      if (!on_wall) continue;
      outer++;
      EXPECT_NEAR((plane.normal - walls.at(view.surface[f])).norm(), 0, 1e-12);
    }
    EXPECT_EQ(view.topology, pieces.polyhedron(0).topology) << "equal loops share a topology";
  }
  EXPECT_EQ(outer, 54);
}

TEST(Pieces, TwistedFacesBulge) {
  // Each quadrilateral of a twisted cube becomes two triangles, folded so that the solid between
  // them is convex.
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::rigid, {block({1, 1, 1}, 0.3)});
  PieceStore pieces;
  pieces.synchronise(bodies);
  pieces.place(bodies, 0);
  const ConvexView view = pieces.polyhedron(0);
  EXPECT_EQ(view.faces(), 2 + 4 * 2);
  for (const Plane& plane : view.planes)
    for (const Vec3& v : view.vertices) EXPECT_LT(plane.distance(v), 1e-12);
  std::map<int, int> faces;
  for (int f = 0; f < view.faces(); f++) faces[view.surface[f]]++;
  EXPECT_EQ(faces, (std::map<int, int>{{10, 1}, {11, 2}, {12, 2}, {13, 2}, {14, 2}, {15, 1}}));
}

// A prism over a polygon whose corners have moved: each face becomes the triangles of its hull.
TEST(Pieces, BentPolygonsBulge) {
  Random random(3);
  for (int corners = 4; corners < 12; corners++) {
    std::vector<Vec3> points;
    for (int k = 0; k < 2 * corners; k++) {
      const double angle = 2 * std::numbers::pi * (k / 2) / corners;
      points.emplace_back(std::cos(angle), std::sin(angle), k % 2);
    }
    Topologies topologies;
    const ReferencePieces pieces({convex_hull(points, 0, 7)}, Vec3::Zero(), nullptr, topologies);
    const ReferencePieces::Polyhedron& prism = pieces.polyhedra()[0];
    std::vector<Vec3> moved = prism.vertices;
    EXPECT_EQ(bent_faces(prism, moved, 2, topologies).topology->faces.count(), corners + 2);
    for (Vec3& v : moved) v.z() += random.uniform(0, 1e-3);
    const auto faces = bent_faces(prism, moved, 2, topologies);
    EXPECT_EQ(faces.topology->faces.count(), 2 * (corners - 2) + corners) << "sides stay plane";
    EXPECT_EQ(faces.surface, std::vector<int>(faces.surface.size(), 7));
    for (int f = 0; f < faces.topology->faces.count(); f++) {
      const Plane plane = face_plane(moved, faces.topology->faces.loop(f));
      for (const Vec3& v : moved) EXPECT_LT(plane.distance(v), 1e-8);
    }
  }
}

TEST(Pieces, NeighboursShareACorner) {
  // Elements of a block, and a brick glued on top of it, corner on corner.
  const Mesh mesh = block({3, 2, 2});
  Polyhedron brick =
      testing::make_box({1.0 / 6, 0.25, 1.25}, {1.0 / 6, 0.25, 0.25}, Mat3::Identity());
  const Shape shape = {mesh, brick, Sphere{{0, 0, 0}, 0.1}, Sphere{{0, 0, 0}, 0.1}};
  Topologies topologies;
  const ReferencePieces pieces(shape, Vec3(0.1, 0.2, 0.3), nullptr, topologies);
  const Expected expected = expected_pieces(shape);
  const int polyhedra = static_cast<int>(expected.polyhedra.size());
  ASSERT_EQ(pieces.items().size(), static_cast<std::size_t>(polyhedra + 2));
  for (int a = 0; a < polyhedra; a++) {
    std::set<int> neighbours;
    for (int b = 0; b < polyhedra; b++)
      for (const Vec3& v : expected.polyhedra[a])
        for (const Vec3& w : expected.polyhedra[b])
          if (a != b && (v - w).norm() < 1e-12) neighbours.insert(b);
    const auto found = pieces.adjacent(a);
    EXPECT_EQ(std::vector<int>(found.begin(), found.end()),
              std::vector<int>(neighbours.begin(), neighbours.end()));
  }
  EXPECT_TRUE(pieces.adjacent(polyhedra).empty()) << "balls have none";
}

TEST(Pieces, FacesInFacesOfOtherSolidsAreInternal) {
  const Mat3 turn = rotation_about(Vec3(1, 2, 3).normalized(), 0.7);
  const auto box = [&](const Vec3& center, const Vec3& half) {
    return testing::make_box(turn * center, half, turn);
  };
  // On a plate: two bricks side by side that leave no vertex on one of it; one that reaches over
  // its side, and one that stands in it.
  const Shape shape = {box({0, 0, -1}, {4, 4, 1}), box({-1, 0, 1}, {1, 1, 1}),
                       box({1, 0, 1}, {1, 1, 1}), box({4, 3, 1}, {0.5, 0.5, 1}),
                       box({-3, 3, 0}, {0.5, 0.5, 1})};
  Topologies topologies;
  const ReferencePieces pieces(shape, Vec3(0.1, 0.2, 0.3), nullptr, topologies);
  std::vector<std::vector<Vec3>> normals;  // of internal faces
  std::vector<std::set<int>> adjacent;
  for (int k = 0; k < 5; k++) {
    const ReferencePieces::Polyhedron& p = pieces.polyhedra()[k];
    normals.emplace_back();
    for (std::size_t f = 0; f < p.normals.size(); f++)
      if (p.faces.internal[f]) normals.back().push_back(turn.transpose() * p.normals[f]);
    const auto found = pieces.adjacent(k);
    adjacent.emplace_back(found.begin(), found.end());
  }
  EXPECT_EQ(adjacent, (std::vector<std::set<int>>{{1, 2}, {0, 2}, {0, 1}, {}, {}}));
  for (int k : {0, 3, 4}) EXPECT_TRUE(normals[k].empty()) << k;
  for (int k : {1, 2}) {
    ASSERT_EQ(normals[k].size(), 2u);
    const Vec3 sum = normals[k][0] + normals[k][1];
    EXPECT_LT((sum - Vec3(k == 1 ? 1 : -1, 0, -1)).norm(), 1e-12);
  }
}

TEST(Pieces, FollowTheSetOfBodies) {
  Random random(2);
  BodyStore bodies;
  for (int k = 0; k < 4; k++)
    testing::add_body(bodies, k == 1 ? BodyKind::pseudo_rigid : BodyKind::rigid,
                      k == 2 ? mixed_shape(random) : testing::ball_shape({1.0 * k, 0, 0}, 0.1));
  PieceStore pieces;
  pieces.synchronise(bodies);
  const auto expect_layout = [&] {
    int next = 0;
    for (int i = 0; i < bodies.total(); i++) {
      EXPECT_EQ(pieces.first(i), next);
      const int count = static_cast<int>(pieces.reference(i).items().size());
      for (int feature = 0; feature < count; feature++) {
        EXPECT_EQ(pieces.body(next + feature), i);
        EXPECT_EQ(pieces.feature(next + feature), feature);
      }
      next += count;
    }
    EXPECT_EQ(pieces.count(), next);
  };
  expect_layout();
  const ReferencePieces* kept = &pieces.reference(2);
  bodies.remove({false, true, false, true});
  pieces.synchronise(bodies);
  expect_layout();
  EXPECT_EQ(&pieces.reference(1), kept) << "what goes on is not made again";
  testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({9, 0, 0}, 0.2));
  pieces.synchronise(bodies);
  expect_layout();
  pieces.place(bodies, 0);
  EXPECT_EQ(pieces.ball(pieces.first(2)).center, Vec3(9, 0, 0));
  bodies.clear();
  pieces.synchronise(bodies);
  EXPECT_EQ(pieces.count(), 0);
}

TEST(Pieces, FollowNewReferenceCentres) {
  // The centre is overwritten, the material stays where it is.
  for (BodyKind kind : {BodyKind::rigid, BodyKind::obstacle}) {
    BodyStore bodies;
    testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({9, 9, 9}, 1));
    const int i = testing::add_body(bodies, kind, testing::ball_shape({1, 2, 3}, 1));
    PieceStore pieces;
    pieces.synchronise(bodies);
    pieces.place(bodies, 0);
    bodies[i].reference.center = bodies.center(i) = Vec3(1, 2, 2.5);
    bodies.update_inertia(i);
    pieces.synchronise(bodies);
    pieces.place(bodies, 0);
    EXPECT_EQ(pieces.ball(1).center, Vec3(1, 2, 3));
  }
}

TEST(Pieces, RestingObstaclesAreFoundWhereTheyAre) {
  // Obstacles at rest need no placing every step; but they may be put elsewhere while at rest.
  BodyStore bodies;
  const int i = testing::add_body(bodies, BodyKind::obstacle, testing::ball_shape({0, 0, 0}, 1));
  PieceStore pieces;
  pieces.synchronise(bodies);
  pieces.place(bodies, 0);
  EXPECT_EQ(pieces.ball(0).center, Vec3(0, 0, 0));
  bodies.center(i) = Vec3(1, 2, 3);
  pieces.place(bodies, 0);
  EXPECT_EQ(pieces.ball(0).center, Vec3(1, 2, 3));
  pieces.place(bodies, 0.5);
  EXPECT_EQ(pieces.boxes()[0].upper, Vec3(2.5, 3.5, 4.5)) << "the margin may change, too";
  // Moving, then stopped.
  bodies.u(i)[3] = 1;
  bodies.center(i) = Vec3(2, 2, 3);
  pieces.place(bodies, 0);
  bodies.u(i)[3] = 0;
  bodies.center(i) = Vec3(3, 2, 3);
  pieces.place(bodies, 0);
  EXPECT_EQ(pieces.ball(0).center, Vec3(3, 2, 3));
}

TEST(Pieces, ContainReferencePoints) {
  Random random(3);
  const Shape shape = mixed_shape(random);
  const Vec3 center(0.1, -0.2, 0.3);
  Topologies topologies;
  const ReferencePieces pieces(shape, center, nullptr, topologies);
  // Features: the polyhedron, the sphere, eight elements, the ellipsoid.
  for (int k = 0; k < 3000; k++) {
    const Vec3 x = random.in_box(1.5);
    const auto inside = [&](int feature) {
      return reference_piece_contains(pieces, feature, x - center, 0);
    };
    EXPECT_EQ(inside(0), contains(shape[0], x));
    EXPECT_EQ(inside(1), contains(shape[1], x));
    bool in_mesh = false;
    for (int e = 2; e < 10; e++) in_mesh = in_mesh || inside(e);
    EXPECT_EQ(in_mesh, contains(shape[2], x));
    EXPECT_EQ(inside(10), contains(shape[3], x));
  }
  EXPECT_TRUE(reference_piece_contains(pieces, 2, Vec3(-1e-4, 0.1, 0.1) - center, 1e-3));
  EXPECT_FALSE(reference_piece_contains(pieces, 2, Vec3(-1e-4, 0.1, 0.1) - center, 1e-5));
}

}  // namespace
}  // namespace solfec::pieces_test
