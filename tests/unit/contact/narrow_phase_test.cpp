// Which algorithm a pair of pieces goes to: all nine pairs of kinds stand one above the other at
// one depth, so that every one of them must report the same gap, normal and surfaces.
#include "contact/narrow_phase.hpp"

#include <gtest/gtest.h>

#include "support/make_bodies.hpp"

namespace solfec::narrow_phase_test {
namespace {

constexpr double kEpsilon = 1e-6;

// A solid that reaches from z - 1 to z + 1 about (0, 0, z).
Shape solid(PieceKind kind, double z, int surface) {
  switch (kind) {
    case PieceKind::ball:
      return {Sphere{{0, 0, z}, 1, 0, surface}};
    case PieceKind::ellipsoid:
      return {Ellipsoid{{0, 0, z}, {0.5, 0.7, 1}, Mat3::Identity(), 0, surface}};
    case PieceKind::polyhedron:
      return testing::box_shape({0, 0, z}, {0.5, 0.5, 1}, surface);
  }
  return {};
}

struct Pair {
  BodyStore bodies;
  PieceStore pieces;
  NarrowPhase narrow_phase;

  Pair(PieceKind lower, PieceKind upper, double depth, BodyKind kind) {
    testing::add_body(bodies, kind, solid(lower, 0, 3));
    testing::add_body(bodies, kind, solid(upper, 2 - depth, 5));
    pieces.synchronise(bodies);
    pieces.place(bodies, 0);
  }
  ContactPoints find(int first, int second, ContactMode mode = ContactMode::one) {
    return narrow_phase.find(pieces, first, second, kEpsilon, mode);
  }
};

constexpr PieceKind kKinds[] = {PieceKind::ball, PieceKind::ellipsoid, PieceKind::polyhedron};

TEST(NarrowPhase, EveryPairOfKinds) {
  for (PieceKind lower : kKinds)
    for (PieceKind upper : kKinds)
      for (BodyKind kind : {BodyKind::rigid, BodyKind::pseudo_rigid})
        for (double depth : {0.0, 1e-3, 0.05}) {
          Pair pair(lower, upper, depth, kind);
          const ContactPoints c = pair.find(1, 0);
          ASSERT_EQ(c.count, 1);
          const ContactPoint& p = c.points[0];
          EXPECT_NEAR(p.gap, -depth, 1e-12);
          EXPECT_NEAR((p.normal - Vec3::UnitZ()).norm(), 0, 1e-9) << "outward of the second";
          EXPECT_NEAR((p.point - Vec3(0, 0, 1 - depth / 2)).norm(), 0, 2e-6);
          EXPECT_EQ(p.surface1, 5);
          EXPECT_EQ(p.surface2, 3);
          const ContactPoints e = pair.find(0, 1);
          ASSERT_EQ(e.count, 1);
          EXPECT_NEAR((e.points[0].normal + p.normal).norm(), 0, 1e-12);
          EXPECT_NEAR(e.points[0].gap, p.gap, 1e-12);
          EXPECT_NEAR((e.points[0].point - p.point).norm(), 0, 1e-12);
          EXPECT_NEAR(e.points[0].area, p.area, 1e-12);
          EXPECT_EQ(e.points[0].surface1, 3);
          EXPECT_EQ(e.points[0].surface2, 5);
        }
}

TEST(NarrowPhase, NothingBeyondTheTolerance) {
  for (PieceKind lower : kKinds)
    for (PieceKind upper : kKinds) {
      EXPECT_EQ(Pair(lower, upper, -0.9e-6, BodyKind::rigid).find(1, 0).count, 1);
      EXPECT_EQ(Pair(lower, upper, -1.1e-6, BodyKind::rigid).find(1, 0).count, 0);
    }
}

TEST(NarrowPhase, ManyPointsForPolyhedraOnly) {
  for (PieceKind lower : kKinds)
    for (PieceKind upper : kKinds) {
      const bool polyhedra = lower == PieceKind::polyhedron && upper == PieceKind::polyhedron;
      EXPECT_EQ(Pair(lower, upper, 1e-3, BodyKind::rigid).find(1, 0, ContactMode::many).count,
                polyhedra ? 4 : 1);
    }
}

}  // namespace
}  // namespace solfec::narrow_phase_test
