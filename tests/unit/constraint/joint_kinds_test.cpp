// Each kind of joint, without a step: where it is, how far from closed, its law, when it breaks.
#include "constraint/joint_kinds.hpp"

#include <gtest/gtest.h>

namespace solfec::joint_kinds_test {
namespace {

const Vec3 kPoint1(0.2, 0.3, -0.1), kPoint2(2.5, 0.1, 0.4);

// Two rigid bodies, and a joint of the first one with the second or with space.
struct Pair {
  BodyStore bodies;
  Joint joint;
  Constraint constraint;

  Pair(ConstraintKind kind, bool space) {
    for (std::uint32_t k : {0u, 1u}) {
      Body body;
      body.id = BodyId{k};
      body.scheme = Scheme::rig_neg;
      Sphere sphere{Vec3(3.0 * k, 0, 0), 1};
      body.shape = std::make_shared<Shape>(Shape{sphere});
      body.reference = reference_mass(*body.shape, 1000, body.kind);
      bodies.add(std::move(body));
    }
    joint.kind = kind;
    joint.point = kPoint1;
    joint.other = space ? BodyId() : BodyId{1};
    joint.other_point = kPoint2;
    joint.direction = Vec3(2, -1, 2) / 3;
    constraint.kind = kind;
    constraint.body1 = 0;
    constraint.body2 = space ? -1 : 1;
  }
  void place() { place_joint(bodies, constraint, joint); }
  // Takes rest position or length here, and goes on from there.
  void measure_now() {
    place();
    measure(bodies, constraint, joint);
  }
  Vec3 gap(double time, const Vec3& displacement = Vec3::Zero()) const {
    return joint_gap(bodies, constraint, joint, displacement, time);
  }
  RowLaw law(const Vec3& V, const TimeStep& step, bool correct) const {
    return joint_law(bodies, constraint, joint, V, step, correct);
  }
};

const TimeStep kDynamic{1, 0.1}, kStatic{1, 0.1, Analysis::quasi_static};

TEST(JointKinds, FixedPointHoldsAPoint) {
  Pair p(ConstraintKind::fixed_point, true);
  p.measure_now();
  EXPECT_EQ(p.joint.other_point, kPoint1);
  EXPECT_EQ(p.constraint.base(), Mat3(Mat3::Identity()));
  const Vec3 move(0.01, -0.02, 0.03), V(1, 2, 3);
  p.bodies.center(0) += move;
  p.place();
  EXPECT_TRUE(p.constraint.point.isApprox(kPoint1 + move, 1e-14));
  EXPECT_TRUE(p.gap(7).isApprox(move, 1e-12));
  EXPECT_TRUE(p.gap(7, Vec3(-move)).isZero(1e-14));
  EXPECT_TRUE(p.law(V, kDynamic, true).target.isApprox(-move / 0.05, 1e-12));
  EXPECT_TRUE(p.law(V, kStatic, true).target.isApprox(-move / 0.1, 1e-12));
  EXPECT_EQ(p.law(V, kDynamic, false).target, Vec3(-V));
}

TEST(JointKinds, FixedPointOfTwoBodiesIsHalfWay) {
  Pair p(ConstraintKind::fixed_point, false);
  p.joint.other_point = kPoint1;
  p.measure_now();
  p.bodies.center(1) += Vec3(0, 0, 0.2);
  p.place();
  EXPECT_TRUE(p.constraint.point.isApprox(kPoint1 + Vec3(0, 0, 0.1), 1e-14));
  EXPECT_TRUE(p.constraint.arm.isZero());
  EXPECT_TRUE(p.gap(0).isApprox(Vec3(0, 0, -0.2), 1e-12));
}

TEST(JointKinds, FixedDirectionKeepsTheDistanceAlongIt) {
  Pair p(ConstraintKind::fixed_direction, false);
  const Vec3 n = p.joint.direction;
  p.measure_now();
  EXPECT_NEAR(p.joint.rest, n.dot(kPoint1 - kPoint2), 1e-14);
  EXPECT_TRUE(p.constraint.normal.isApprox(n, 1e-14));
  p.bodies.center(0) += 0.03 * n + p.constraint.base().col(0);
  p.place();
  EXPECT_NEAR(p.gap(0).z(), 0.03, 1e-13);
  const RowLaw law = p.law({4, 5, 6}, kDynamic, true);
  EXPECT_EQ(law.kind, LawKind::fixed_direction);
  EXPECT_EQ(law.target.head<2>(), Vec2::Zero());
  EXPECT_NEAR(law.target.z(), -0.03 / 0.05, 1e-12);
  EXPECT_EQ(p.law({4, 5, 6}, kDynamic, false).target, Vec3(0, 0, -6));
}

TEST(JointKinds, MotionIsThatOfItsSeries) {
  Pair p(ConstraintKind::prescribed_motion, true);
  const Vec3 n = p.joint.direction;
  p.joint.motion = Motion(Motion::Given::acceleration, TimeSeries(2.0));
  p.joint.start = 1;
  p.measure_now();
  EXPECT_EQ(joint_displacement(p.joint, 3), Vec3(0, 0, 9));
  EXPECT_EQ(joint_velocity(p.joint, 3), Vec3(0, 0, 6));
  p.bodies.center(0) += 0.5 * n;
  p.place();
  EXPECT_NEAR(p.gap(3).z(), 0.5 - (9 - 1), 1e-12);
  EXPECT_NEAR(p.law(Vec3::Zero(), kDynamic, false).target.z(), 2 * 1.1, 1e-12);
  EXPECT_NEAR(p.law(Vec3::Zero(), kStatic, false).target.z(), (1.1 * 1.1 - 1) / 0.1, 1e-12);
  EXPECT_EQ(joint_displacement(Pair(ConstraintKind::glue, false).joint, 3), Vec3(Vec3::Zero()));
}

TEST(JointKinds, LinkKeepsTheLength) {
  Pair p(ConstraintKind::rigid_link, false);
  p.measure_now();
  const Vec3 apart = kPoint1 - kPoint2;
  EXPECT_NEAR(p.joint.rest, apart.norm(), 1e-14);
  p.bodies.center(0) += 0.1 * apart.normalized();
  p.place();
  EXPECT_TRUE(p.constraint.normal.isApprox(apart.normalized(), 1e-12));
  EXPECT_NEAR(p.gap(0).z(), 0.1, 1e-13);
  const RowLaw law = p.law(Vec3::Zero(), kDynamic, true);
  EXPECT_EQ(law.kind, LawKind::rigid_link);
  EXPECT_NEAR(law.span, apart.norm() + 0.1, 1e-13);
  EXPECT_NEAR(law.length, apart.norm(), 1e-14);
  EXPECT_EQ(law.remaining, 0.05);
}

TEST(JointKinds, SpringHasAStrokeAndStops) {
  Pair p(ConstraintKind::spring, false);
  p.joint.spring = {0, SpringAxis::line, -0.2, 0.5};
  p.measure_now();
  p.bodies.center(0) += 0.1 * (kPoint1 - kPoint2).normalized();
  p.place();
  const RowLaw line = p.law(Vec3::Zero(), kDynamic, true);
  EXPECT_EQ(line.kind, LawKind::spring);
  EXPECT_NEAR(line.gap, 0.1, 1e-13);
  EXPECT_NEAR(line.low, -0.3 / 0.1, 1e-11);
  EXPECT_NEAR(line.high, 0.4 / 0.1, 1e-11);
  // A direction of the first body turns with it.
  Pair q(ConstraintKind::spring, false);
  q.joint.spring.axis = SpringAxis::body1;
  Mat3 turn;
  turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  q.bodies.gradient(0) = turn;
  q.place();
  EXPECT_TRUE(q.constraint.normal.isApprox(turn * q.joint.direction, 1e-14));
}

TEST(JointKinds, BreakAboveTheirStrength) {
  Pair point(ConstraintKind::fixed_point, true), link(ConstraintKind::rigid_link, false);
  point.joint.strength = link.joint.strength = 5;
  point.constraint.R = Vec3(3, 4, 0.1);
  EXPECT_TRUE(breaks(point.constraint, point.joint));
  point.constraint.R = Vec3(3, 3.9, 0);
  EXPECT_FALSE(breaks(point.constraint, point.joint));
  link.constraint.R = Vec3(0, 0, -5.1);  // in tension only
  EXPECT_TRUE(breaks(link.constraint, link.joint));
  link.constraint.R = Vec3(0, 0, 50);
  EXPECT_FALSE(breaks(link.constraint, link.joint));
}

TEST(JointKinds, SpringsAreNotClosed) {
  EXPECT_TRUE(closes_exactly(Pair(ConstraintKind::rigid_link, false).bodies,
                             Pair(ConstraintKind::rigid_link, false).constraint));
  const Pair rigid(ConstraintKind::fixed_point, false), spring(ConstraintKind::spring, false);
  EXPECT_TRUE(closes_exactly(rigid.bodies, rigid.constraint));
  EXPECT_FALSE(closes_exactly(spring.bodies, spring.constraint));
}

}  // namespace
}  // namespace solfec::joint_kinds_test
