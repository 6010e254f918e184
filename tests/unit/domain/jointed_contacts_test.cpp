// Which contacts of jointed bodies stay.
#include "domain/jointed_contacts.hpp"

#include <gtest/gtest.h>

#include "domain/joints.hpp"
#include "support/make_bodies.hpp"

namespace solfec::jointed_contacts_test {
namespace {

constexpr int kOther = 0, kSpace = -1;

// A cube of edge 2 on another one: they touch at four corners in z = 1.
struct Pair {
  Domain domain;

  explicit Pair(BodyKind lower = BodyKind::rigid) {
    domain.surface_materials.store({});
    domain.bulk_materials.store({"stone", 1e9, 0.3, 1000});
    domain.detection_settings.mode = ContactMode::many;
    testing::add_body(domain.bodies, lower, testing::box_shape({0, 0, 0}, {1, 1, 1}));
    testing::add_body(domain.bodies, BodyKind::rigid, testing::box_shape({0, 0, 2}, {1, 1, 1}));
  }
  Joint& fix(double x, double y, int to = kOther) {
    Joint& joint = joints.emplace_back();
    joint.point = joint.other_point = {x, y, 1};
    if (to >= 0) joint.other = domain.bodies.id(to);
    return joint;
  }
  int contacts() {
    add_joints(domain, 1, std::exchange(joints, {}));
    detect_contacts(domain, false);
    const auto& all = domain.constraints.all();
    return static_cast<int>(std::ranges::count_if(all, &Constraint::is_contact));
  }
  // Of all rows.
  int jointed() const { return static_cast<int>(std::ranges::count(domain.jointed, 1)); }

  std::vector<Joint> joints;
};

TEST(JointedContacts, StayWithoutJoints) {
  Pair pair;
  EXPECT_EQ(pair.contacts(), 4);
  EXPECT_TRUE(pair.domain.jointed.empty());
}

TEST(JointedContacts, GoWhereFixedPointsHoldTheBodies) {
  Pair point, short_lever, corners, edge, all;
  point.fix(1, 1);
  EXPECT_EQ(point.contacts(), 3);
  EXPECT_EQ(point.jointed(), 3);
  short_lever.fix(0.99, 1);
  EXPECT_EQ(short_lever.contacts(), 3);
  corners.fix(1, 1), corners.fix(-1, 1);
  EXPECT_EQ(corners.contacts(), 2);
  edge.fix(0.2, 1), edge.fix(-0.1, 1);
  EXPECT_EQ(edge.contacts(), 2) << "corners are on the line through the points";
  all.fix(0.2, 0.1), all.fix(-0.1, 0.3), all.fix(0.4, -0.2);
  EXPECT_EQ(all.contacts(), 0);
}

TEST(JointedContacts, StayWhereOtherJointsAre) {
  Pair far, breakable, direction, moved;
  far.fix(0.5, 0.5);
  EXPECT_EQ(far.contacts(), 4);
  EXPECT_EQ(far.jointed(), 4);
  breakable.fix(1, 1).strength = 1e3;
  EXPECT_EQ(breakable.contacts(), 4);
  EXPECT_EQ(breakable.jointed(), 4);
  direction.fix(1, 1, kSpace).kind = ConstraintKind::fixed_direction;
  EXPECT_EQ(direction.contacts(), 4);
  EXPECT_EQ(direction.jointed(), 0) << "the lower body moves";
  moved.fix(1, 1, kSpace).kind = ConstraintKind::prescribed_motion;
  EXPECT_EQ(moved.contacts(), 4);
  EXPECT_EQ(moved.jointed(), 0);
}

TEST(JointedContacts, ObstaclesAtRestAreAsSpace) {
  for (const int to : {kSpace, kOther}) {
    Pair resting(BodyKind::obstacle);
    resting.fix(1, 1, to);
    EXPECT_EQ(resting.contacts(), 3) << to;
  }
  Pair moving(BodyKind::obstacle);
  moving.domain.bodies.u(0)[3] = 1;
  moving.fix(1, 1, kSpace);
  EXPECT_EQ(moving.contacts(), 4);
  EXPECT_EQ(moving.jointed(), 0);
}

}  // namespace
}  // namespace solfec::jointed_contacts_test
