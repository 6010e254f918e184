// Axes about which joints to space let a body turn.
#include "body/free_turns.hpp"

#include <gtest/gtest.h>

#include "math/rotation.hpp"
#include "support/make_bodies.hpp"

namespace solfec {
namespace {

TEST(FreeTurns, OfJointsToSpace) {
  BodyStore bodies;
  Body body;
  body.id.value = 1;
  body.kind = BodyKind::finite_element;
  Shape shape = testing::meshed_box({0.1, 0.2, 0.3}, {0.5, 0.3, 0.2}, 1);
  body.reference = reference_mass(shape, 1000, body.kind);
  body.shape = std::make_shared<const Shape>(std::move(shape));
  body.nodes = 8;
  bodies.add(std::move(body));
  const auto hold = [&](ConstraintKind kind, const Vec3& arm, const Vec3& direction = Vec3::UnitZ(),
                        BodyId other = {}) {
    Joint joint;
    joint.kind = kind;
    joint.point = bodies[0].reference.center + arm;
    joint.other_point = joint.point + direction;
    joint.direction = direction;
    joint.other = other;
    bodies[0].joints.push_back(joint);
    return free_turns(bodies, 0);
  };
  const Vec3 along = Vec3(0.1, 0.2, 0).normalized();
  const Mat3 all = Mat3::Identity(), axis = along * along.transpose();
  EXPECT_EQ(free_turns(bodies, 0), all);
  bodies[0].jointed = true;
  EXPECT_TRUE(free_turns(bodies, 0).isZero(0));
  bodies[0].jointed = false;
  EXPECT_TRUE(hold(ConstraintKind::fixed_point, {0.2, 0, 0.1}, Vec3::UnitX(), BodyId{7}).isZero(0));
  EXPECT_NEAR((hold(ConstraintKind::fixed_point, {-0.1, 0, 0}) - all).norm(), 0, 1e-12);
  EXPECT_NEAR((hold(ConstraintKind::fixed_point, {0, 0.2, 0}) - axis).norm(), 0, 1e-12);
  EXPECT_NEAR((hold(ConstraintKind::prescribed_motion3, {0.1, 0.4, 0}) - axis).norm(), 0, 1e-12);
  EXPECT_NEAR((hold(ConstraintKind::rigid_link, {0.1, 0.1, 0}, along) - axis).norm(), 0, 1e-12);
  EXPECT_NEAR(hold(ConstraintKind::fixed_direction, {0.1, 0.1, 0}).norm(), 0, 1e-12);
  bodies[0].joints.clear();
  // Turned as a whole; motion along x is no turn.
  bodies.gradient(0) = rotation_about(Vec3::UnitX(), 1);
  bodies.center(0) = Vec3(1, 2, 3);
  hold(ConstraintKind::fixed_direction, {0.1, 0, 0}, Vec3::UnitY());
  hold(ConstraintKind::fixed_direction, {0.1, 0, 0}, Vec3::UnitZ());
  hold(ConstraintKind::prescribed_motion, {-0.1, 0, 0}, Vec3::UnitY());
  const Mat3 left = hold(ConstraintKind::prescribed_motion, {-0.1, 0, 0}, Vec3::UnitZ());
  EXPECT_NEAR((left - Vec3(1, 0, 0).asDiagonal().toDenseMatrix()).norm(), 0, 1e-12);
}

}  // namespace
}  // namespace solfec
