// Overlap of bodies at rest is corrected by positions alone.
#include "domain/overlap_correction.hpp"

#include <gtest/gtest.h>

#include "body/integration.hpp"
#include "body/kinematics.hpp"
#include "domain/joints.hpp"
#include "support/make_bodies.hpp"

namespace solfec::overlap_correction_test {
namespace {

constexpr double kStep = 1e-3, kSlop = 1e-5;  // without gravity

// Balls of radius 1 in a row along x, each with a part of the next one, all contacts pressed.
struct Row {
  Domain domain;
  double overlap;

  Row(int count, double depth, BodyKind kind = BodyKind::rigid) : overlap(depth) {
    domain.surface_materials.store({});
    domain.bulk_materials.store({"rubber", 1e5, 0.3, 1000});
    for (int k = 0; k < count; k++)
      testing::add_body(domain.bodies, kind, testing::ball_shape({k * (2 - depth), 0, 0}, 1));
  }
  void apply() {
    detect_contacts(domain, false);
    for (Constraint& c : domain.constraints.all())
      if (c.is_contact()) c.R = Vec3(0, 0, 1);
    assemble(domain, {0, kStep});
    domain.overlap_correction.apply(domain, {0, kStep});
  }
  double deepest() const {
    double most = 0;
    for (int i = 0; i + 1 < domain.bodies.total(); i++)
      most = std::max(most, 2 - (domain.bodies.center(i + 1) - domain.bodies.center(i)).norm());
    return most;
  }
};

TEST(OverlapCorrection, TakesAPartOfTheOverlapOfAPair) {
  Row row(2, 0.01);
  for (int k = 0; k < 6; k++) row.domain.bodies.u(1)[k] = 0.1 * k;
  row.apply();
  EXPECT_NEAR(row.deepest(), 0.01 - 0.2 * (0.01 - kSlop), 1e-12);
  EXPECT_NEAR((row.domain.bodies.center(0) + row.domain.bodies.center(1)).x(), 2 - 0.01, 1e-14)
      << "the mass centre of both stays";
  for (int k = 0; k < 6; k++) EXPECT_EQ(row.domain.bodies.u(1)[k], 0.1 * k);
}

TEST(OverlapCorrection, TakesThatOfManyWithoutGoingTooFar) {
  Row row(10, 0.01);
  for (int step = 0; step < 4000; step++) {
    row.apply();
    ASSERT_LE(row.deepest(), 0.011) << "the ends go first, and press a little on the others";
  }
  EXPECT_NEAR(row.deepest(), kSlop, 1e-7);
  for (int i = 0; i + 1 < 10; i++)
    EXPECT_GT(2 - (row.domain.bodies.center(i + 1) - row.domain.bodies.center(i)).norm(),
              kSlop - 1e-7);
}

TEST(OverlapCorrection, LeavesWhatItMustNotMove) {
  Row deformable(2, 0.01, BodyKind::pseudo_rigid);
  deformable.apply();
  EXPECT_NEAR(deformable.deepest(), 0.01, 1e-14);

  Row off(2, 0.01);
  off.domain.contact_correction = ContactCorrection::off;
  off.apply();
  EXPECT_NEAR(off.deepest(), 0.01, 1e-14);

  // What a joint holds does not move, the other one does.
  Row jointed(3, 0.01);
  Joint joint;
  joint.point = joint.other_point = Vec3(0, 0, 0);
  add_joint(jointed.domain, 0, joint);
  const Vec3 before = jointed.domain.bodies.center(0);
  jointed.apply();
  EXPECT_EQ(jointed.domain.bodies.center(0), before);
  EXPECT_GT(jointed.domain.bodies.center(2).x(), 2 * (2 - 0.01));

  // An impact presses for the first time.
  Row impact(2, 0.01);
  detect_contacts(impact.domain, false);
  assemble(impact.domain, {0, kStep});
  impact.domain.constraints.all()[0].R = Vec3(0, 0, 1);
  impact.domain.overlap_correction.apply(impact.domain, {0, kStep});
  EXPECT_NEAR(impact.deepest(), 0.01, 1e-14);
}

}  // namespace
}  // namespace solfec::overlap_correction_test
