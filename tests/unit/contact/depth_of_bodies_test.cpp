#include "contact/depth_of_bodies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/contact_scene.hpp"

namespace solfec::depth_of_bodies_test {
namespace {

constexpr double kDepth = 1e-2;

// A floor of elements that have a node at the origin, and a box on its edge over a line of them.
struct Scene : testing::ContactScene {
  Scene() {
    floor = testing::add_body(bodies, BodyKind::obstacle,
                              testing::meshed_box({0, 0, -1}, {1, 1, 1}, 2));
    const Mat3 tilt = Eigen::AngleAxisd(M_PI / 4, Vec3::UnitY()).matrix();
    box = testing::add_body(
        bodies, BodyKind::rigid,
        {testing::make_box({0, 0, std::sqrt(0.5) - kDepth}, {0.5, 0.3, 0.5}, tilt)});
    pieces.synchronise(bodies);
    pieces.place(bodies, 0);
    tree.build(pieces.boxes());
  }
  double depth(const Vec3& normal, bool flat = false, const Vec3& shift = Vec3::Zero()) const {
    int element = pieces.first(floor);  // one of those at the top
    while (pieces.boxes()[element].center().z() < -0.5) element++;
    DepthOfBodies depth;
    depth.take({pieces, tree, exclusions}, pieces.first(box), element);
    Box place;
    place.extend(Vec3::Zero());
    place.grow(2 * kDepth);
    return depth.along({normal, shift, place, flat, std::numeric_limits<double>::infinity()});
  }

  BoxTree tree;
  int floor, box;
};

TEST(DepthOfBodies, AnEdgeOverAJointHasToLeaveTheWholeFloor) {
  Scene scene;
  const Vec3 up = Vec3::UnitZ(), face = Vec3(1, 0, 1).normalized();
  EXPECT_NEAR(scene.depth(up), kDepth, 1e-12);
  EXPECT_NEAR(scene.depth(face), std::sqrt(2) * kDepth, 1e-12);
  EXPECT_NEAR(scene.depth(up, true), kDepth, 1e-12);
  EXPECT_GT(scene.depth(face, true), 0.5);
}

TEST(DepthOfBodies, IsThatOfThePieceWhereItHasBeenMoved) {
  Scene scene;
  const Vec3 up = Vec3::UnitZ(), shift(0.1, 0.2, -0.5 * kDepth);
  EXPECT_NEAR(scene.depth(up, false, shift), 1.5 * kDepth, 1e-12);
  EXPECT_NEAR(scene.depth(up, true, shift), 1.5 * kDepth, 1e-12);
}

TEST(DepthOfBodies, BodiesThatMustNotTouchGoOnAsOne) {
  Scene scene;
  // A block within the floor, and higher.
  const int block = testing::add_body(scene.bodies, BodyKind::obstacle,
                                      testing::box_shape({0, 0, -0.4}, {1, 1, 0.5}));
  scene.pieces.synchronise(scene.bodies);
  scene.pieces.place(scene.bodies, 0);
  scene.tree.build(scene.pieces.boxes());
  EXPECT_NEAR(scene.depth(Vec3::UnitZ()), kDepth, 1e-12);
  scene.exclusions.exclude_bodies(scene.bodies.id(block), scene.bodies.id(scene.floor));
  EXPECT_NEAR(scene.depth(Vec3::UnitZ()), 0.1 + kDepth, 1e-12);
}

}  // namespace
}  // namespace solfec::depth_of_bodies_test
