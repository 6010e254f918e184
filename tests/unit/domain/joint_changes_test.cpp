// What impulses of joints change of velocities of points, and what of it contacts have.
#include "domain/joint_changes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "body/dof_views.hpp"
#include "support/make_bodies.hpp"

namespace solfec::joint_changes_test {
namespace {

constexpr TimeStep kStep{0, 1e-2};

struct Bodies {
  BodyStore bodies;
  JointChanges changes;

  Bodies() {
    for (const BodyKind kind : {BodyKind::rigid, BodyKind::rigid, BodyKind::obstacle})
      testing::add_body(bodies, kind, testing::box_shape({1, 2, 3}, {1, 1, 1}));
    rigid_linear_part(bodies.u(1)) = Vec3(5, 6, 7);
    changes.begin(bodies, {1}, kStep);
  }
  void change(double share) {
    rigid_linear_part(bodies.u(1)) += Vec3(0.1, 0, 0);
    angular_part(bodies.u(1)) += Vec3(0, 0, 0.2);
    changes.finish(bodies, [share](int) { return share; });
  }
};

TEST(JointChanges, AreThoseOfPointsOfJointedBodies) {
  Bodies b;
  b.change(0.5);
  const Vec3 expected = 0.5 * Vec3(0.1, 0.2, 0);  // omega x (1, 0, 0) is along y
  EXPECT_LT((b.changes.at(b.bodies, 1, Vec3(2, 2, 3), false).share - expected).norm(), 1e-15);
  EXPECT_EQ(b.changes.at(b.bodies, 0, Vec3(2, 2, 3), false).change, Vec3::Zero());
  EXPECT_EQ(b.changes.at(b.bodies, 2, Vec3(2, 2, 3), false).change, Vec3::Zero());
  b.changes.clear();
  EXPECT_EQ(b.changes.at(b.bodies, 1, Vec3(2, 2, 3), false).change, Vec3::Zero());
}

TEST(JointChanges, ArcsAreOfBodiesThatTurn) {
  Bodies b;
  b.change(1);
  angular_part(b.bodies.u(1)) = Vec3(0, 0, 3);
  const Vec3 arc = b.changes.at(b.bodies, 1, Vec3(2, 2, 3), true).arc;
  EXPECT_EQ(b.changes.at(b.bodies, 1, Vec3(2, 2, 3), false).arc, Vec3::Zero());
  const double half = 0.5 * kStep.h, angle = half * 3;
  EXPECT_NEAR(arc.x(), (std::cos(angle) - 1) / half, 1e-12) << "on a circle of radius 1";
  EXPECT_NEAR(arc.y(), (std::sin(angle) - angle) / half, 1e-12);
  EXPECT_EQ(b.changes.at(b.bodies, 0, Vec3(2, 2, 3), true).arc, Vec3::Zero()) << "without a joint";
}

TEST(JointChanges, ContactsThatJointsHoldAreKnownByTheArc) {
  const Vec3 c(0, 0, 1e-3);
  EXPECT_TRUE(makes_up_for_arc({c, Vec3::Zero(), -0.55 * c}, 0));
  EXPECT_FALSE(makes_up_for_arc({c, Vec3::Zero(), -0.45 * c}, 0));
  EXPECT_TRUE(makes_up_for_arc({c, Vec3::Zero(), -0.45 * c}, 1e-3));
  EXPECT_FALSE(makes_up_for_arc({c, Vec3::Zero(), Vec3::Zero()}, 0)) << "an arm pulls";
  EXPECT_FALSE(makes_up_for_arc({Vec3::Zero(), Vec3::Zero(), c}, 0)) << "it rolls";
  EXPECT_TRUE(makes_up_for_arc({}, 0)) << "at rest";
}

}  // namespace
}  // namespace solfec::joint_changes_test
