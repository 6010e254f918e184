// Both bodies of a joint are told what it holds of them.
#include "domain/joint_holds.hpp"

#include <gtest/gtest.h>

#include "body/finite_elements.hpp"
#include "domain/joints.hpp"
#include "math/rotation.hpp"
#include "support/make_bodies.hpp"

namespace solfec::joint_holds_test {
namespace {

struct Blocks {
  Domain domain;

  explicit Blocks(Form form) {
    domain.bulk_materials.store({"rubber", 1e4, 0.3, 1000});
    for (double x : {0.5, 1.5}) {
      const int i = testing::add_body(domain.bodies, BodyKind::finite_element,
                                      testing::meshed_box({x, 0.5, 0.5}, {0.5, 0.5, 0.5}, 1));
      domain.bodies[i].form = form;
    }
  }
  void join(ConstraintKind kind, const Vec3& point, BodyId other, const Vec3& direction) {
    Joint joint;
    joint.kind = kind;
    joint.point = joint.other_point = point;
    if (kind == ConstraintKind::rigid_link) joint.other_point += direction;
    joint.direction = direction;
    joint.other = other;
    add_joint(domain, 0, joint);
  }
};

TEST(JointHolds, OfBothBodiesInTheirAxes) {
  Blocks blocks(Form::body_corotational);
  BodyStore& bodies = blocks.domain.bodies;
  EXPECT_TRUE(has_corotated_bodies(bodies));
  blocks.join(ConstraintKind::fixed_point, {1, 0.5, 0.5}, BodyId{2}, Vec3::UnitX());
  blocks.join(ConstraintKind::rigid_link, {0, 0, 0}, BodyId(), Vec3::UnitY());
  blocks.join(ConstraintKind::spring, {0, 1, 0}, BodyId(), Vec3::UnitY());
  // The whole scene is turned.
  const Mat3 R = rotation_about(Vec3(1, 2, -1), 0.7);
  for (int i : {0, 1}) {
    for (int k = 0; k < bodies.x.count(i); k += 3)
      Eigen::Map<Vec3>(bodies.x(i) + k) = R * Eigen::Map<const Vec3>(bodies.x(i) + k);
    bodies.finite_elements(i, blocks.domain.bulk_materials).fit(bodies.x(i), bodies.q(i));
  }
  for (int repeat = 0; repeat < 2; repeat++) {
    find_holds(blocks.domain);
    ASSERT_EQ(bodies.holds(0).size(), 4u);
    ASSERT_EQ(bodies.holds(1).size(), 3u);
    for (int i : {0, 1}) {
      Mat3 directions = Mat3::Zero();
      for (const Hold& hold : bodies.holds(i)) {
        if (!hold.neighbour.valid()) {
          EXPECT_NEAR((hold.point - Vec3(-0.5, -0.5, -0.5)).norm(), 0, 1e-12);
          const Vec3 there = R.transpose() * Vec3(0, 1, 0);
          EXPECT_NEAR(std::abs(hold.direction.dot(there.normalized())), 1, 1e-12);
          continue;
        }
        EXPECT_EQ(hold.neighbour, BodyId{i == 0 ? 2u : 1u});
        EXPECT_NEAR((hold.point - Vec3(i == 0 ? 0.5 : -0.5, 0, 0)).norm(), 0, 1e-12);
        directions += hold.direction * hold.direction.transpose();
      }
      EXPECT_NEAR((directions - Mat3::Identity()).norm(), 0, 1e-12);
    }
  }
}

TEST(JointHolds, OfNoOtherForm) {
  Blocks blocks(Form::total_lagrangian);
  EXPECT_FALSE(has_corotated_bodies(blocks.domain.bodies));
  blocks.join(ConstraintKind::fixed_point, {1, 0.5, 0.5}, BodyId{2}, Vec3::UnitX());
  find_holds(blocks.domain);
  EXPECT_TRUE(blocks.domain.bodies.holds(0).empty());
}

}  // namespace
}  // namespace solfec::joint_holds_test
