// Contacts of nodes against positions, areas and distances worked out here.
#include "contact/node_contact.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/contact_scene.hpp"

namespace solfec::node_contact_test {
namespace {

constexpr double kDepth = 1e-4;

struct Scene : testing::ContactScene {
  int mesh(const Vec3& center, const Vec3& half, int n, bool nodes = true) {
    const int i =
        testing::add_body(bodies, BodyKind::finite_element, testing::meshed_box(center, half, n));
    bodies[i].node_contact = nodes;
    return i;
  }
};

double total_area(const std::vector<DetectedContact>& contacts) {
  double sum = 0;
  for (const DetectedContact& c : contacts) sum += c.geometry.area;
  return sum;
}

TEST(NodeContact, EachNodeOfAFlatSurfaceHasItsShare) {
  Scene scene;
  scene.mesh({0, 0, 0.5 - kDepth}, {0.5, 0.5, 0.5}, 3);
  testing::add_body(scene.bodies, BodyKind::obstacle, testing::box_shape({0, 0, -1}, {2, 2, 1}, 7));
  const auto& contacts = scene.find();
  ASSERT_EQ(contacts.size(), 16u);
  for (const DetectedContact& c : contacts) {
    const Vec3& p = c.geometry.point;
    EXPECT_NEAR(p.z(), -0.5 * kDepth, 1e-12);
    EXPECT_NEAR(c.geometry.gap, -kDepth, 1e-12);
    EXPECT_EQ(c.geometry.normal, Vec3::UnitZ());
    EXPECT_EQ(c.geometry.surface2, 7);
    double share = 1.0 / 9;
    for (int d : {0, 1})
      if (std::abs(p[d]) > 0.4) share /= 2;
    EXPECT_NEAR(c.geometry.area, share, 1e-12);
  }
  EXPECT_NEAR(total_area(contacts), 1, 1e-12);
}

// Flush blocks: their sides are nearer to the nodes at the edges than the faces that touch.
TEST(NodeContact, NodesAtCommonEdgesTouchTheFaceTheyArePressedOn) {
  for (int turn = 0; turn < 3; turn++) {
    Scene scene;
    Vec3 up = Vec3::Zero();
    up[turn] = 1;
    scene.mesh((1 - kDepth) * up, {0.5, 0.5, 0.5}, 2);
    scene.mesh(Vec3::Zero(), {0.5, 0.5, 0.5}, 2, false);
    const auto& contacts = scene.find();
    EXPECT_EQ(contacts.size(), 9u);
    EXPECT_NEAR(total_area(contacts), 1, 1e-12);
    for (const DetectedContact& c : contacts) {
      EXPECT_NEAR((c.geometry.normal - up).norm(), 0, 1e-12);
      EXPECT_NEAR(c.geometry.gap, -kDepth, 1e-12);
    }
  }
}

TEST(NodeContact, OfTheSecondBodyIsTheSameSeenFromTheOtherSide) {
  Scene one, two;
  one.mesh({0.1, 0.2, 1 - kDepth}, {0.4, 0.3, 0.5}, 2);
  one.mesh({0, 0, 0}, {0.5, 0.5, 0.5}, 3, false);
  two.mesh({0, 0, 0}, {0.5, 0.5, 0.5}, 3, false);
  two.mesh({0.1, 0.2, 1 - kDepth}, {0.4, 0.3, 0.5}, 2);
  const auto &first = one.find(), &second = two.find();
  ASSERT_EQ(first.size(), 9u);
  ASSERT_EQ(second.size(), 9u);
  for (const DetectedContact& c : first) {
    const auto same = std::ranges::find_if(second, [&](const DetectedContact& d) {
      return (d.geometry.point - c.geometry.point).norm() < 1e-12;
    });
    ASSERT_NE(same, second.end());
    EXPECT_EQ(same->geometry.normal, -c.geometry.normal);
    EXPECT_EQ(same->geometry.gap, c.geometry.gap);
    EXPECT_EQ(same->geometry.area, c.geometry.area);
  }
}

TEST(NodeContact, BothBodiesMayHaveIt) {
  Scene scene;
  scene.mesh({0, 0, 1 - kDepth}, {0.3, 0.3, 0.5}, 2);
  scene.mesh({0, 0, 0}, {0.5, 0.5, 0.5}, 4);
  // 9 nodes of the upper block; of the lower one those under it, the middle one in common.
  EXPECT_EQ(scene.find().size(), 9u + 9u - 1u);
}

// Of meshes that meet, each node of both has half of its area, two at one place the whole.
TEST(NodeContact, AreasOfBothAreThatOfTheFace) {
  for (int n : {2, 3, 4}) {
    Scene scene;
    scene.mesh({0, 0, 1 - kDepth}, {0.5, 0.5, 0.5}, n);
    scene.mesh({0, 0, 0}, {0.5, 0.5, 0.5}, 2);
    EXPECT_NEAR(total_area(scene.find()), 1, 1e-12) << n;
  }
}

// Corners beside the other block by a small part of their size stand on it.
TEST(NodeContact, NodesBesideAFaceByNextToNothingStandOnIt) {
  for (const auto& [beside, contacts] : {std::pair(1e-5, 9u), {1e-3, 9u}, {1e-2, 4u}}) {
    Scene scene;
    scene.mesh({beside, beside, 1 - kDepth}, {0.5, 0.5, 0.5}, 2);
    scene.mesh({0, 0, 0}, {0.5, 0.5, 0.5}, 2, false);
    const auto& found = scene.find();
    EXPECT_EQ(found.size(), contacts) << beside;
    for (const DetectedContact& c : found) EXPECT_NEAR(c.geometry.gap, -kDepth, 1e-12);
  }
  // Nor are blocks side by side in contact by that.
  Scene apart;
  apart.mesh({1 + 1e-5, 0, 0.5}, {0.5, 0.5, 0.5}, 2);
  apart.mesh({0, 0, 0}, {0.5, 0.5, 0.5}, 2, false);
  EXPECT_EQ(apart.find().size(), 0u);
}

TEST(NodeContact, WithBallsAndEllipsoids) {
  const Vec3 radii(0.6, 0.5, 0.4);
  for (bool ball : {true, false}) {
    Scene scene;
    const int i = scene.mesh({0, 0, 0.5}, {0.5, 0.5, 0.5}, 2);
    const Shape shape = ball ? testing::ball_shape({0, 0, -0.49}, 0.5, 3)
                             : Shape{Ellipsoid{{0, 0, -0.39}, radii, Mat3::Identity(), 0, 3}};
    testing::add_body(scene.bodies, BodyKind::obstacle, shape);
    auto x = Eigen::Map<Eigen::Matrix3Xd>(scene.bodies.x(i), 3, 27);
    x.row(0).array() += 0.03;  // the middle node off the axis
    const auto& contacts = scene.find();
    ASSERT_EQ(contacts.size(), 1u);
    const ContactPoint& c = contacts[0].geometry;
    EXPECT_EQ(c.surface2, 3);
    // The point of the surface on the far side of the gap is on it, with the same normal.
    const Vec3 on = Vec3(0.03, 0, 0) - c.gap * c.normal - Vec3(0, 0, ball ? -0.49 : -0.39);
    const Vec3 r = ball ? Vec3::Constant(0.5) : radii;
    EXPECT_NEAR(on.cwiseQuotient(r).norm(), 1, 1e-9);
    EXPECT_NEAR(on.cwiseQuotient(r.cwiseAbs2()).normalized().dot(c.normal), 1, 1e-12);
    EXPECT_NEAR(c.area, 0.25 * c.normal.z(), 1e-12);
  }
}

TEST(NodeContact, DeformedFacesAndSurfaces) {
  Scene scene;
  const int i = scene.mesh({0, 0, 0.5 - kDepth}, {0.5, 0.5, 0.5}, 1);
  testing::add_body(scene.bodies, BodyKind::obstacle, testing::box_shape({0, 0, -1}, {2, 2, 1}));
  auto x = Eigen::Map<Eigen::Matrix3Xd>(scene.bodies.x(i), 3, 8);
  x.row(0) *= 1.5;
  EXPECT_NEAR(total_area(scene.find()), 1.5, 1e-12);
  // One corner is lifted.
  for (int k = 0; k < 8; k++)
    if (x(0, k) > 0 && x(1, k) > 0 && x(2, k) < 0) x(2, k) = 0.1;
  EXPECT_EQ(scene.find().size(), 3u);
  scene.exclusions.exclude_surfaces(0, 0);
  EXPECT_TRUE(scene.find().empty());
}

TEST(NodeContact, NothingBetweenTheNodes) {
  Scene scene;
  scene.mesh({0, 0, 0.5 - kDepth}, {0.5, 0.5, 0.5}, 1);
  testing::add_body(scene.bodies, BodyKind::obstacle, testing::ball_shape({0, 0, -0.2}, 0.2));
  EXPECT_TRUE(scene.find().empty());
  scene.bodies[0].node_contact = false;
  EXPECT_EQ(scene.find().size(), 1u);
}

}  // namespace
}  // namespace solfec::node_contact_test
