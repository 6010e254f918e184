#include "body/inversion.hpp"

#include <gtest/gtest.h>

#include "support/make_bodies.hpp"

namespace solfec::inversion_test {
namespace {

const Vec3 kHalf(0.5, 0.3, 0.2);

TEST(Inversion, OfPseudoRigidBodies) {
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::pseudo_rigid, testing::box_shape(Vec3::Zero(), kHalf));
  Eigen::Map<Mat3> F(bodies.q(0));
  EXPECT_FALSE(is_inside_out(bodies, 0));
  for (auto [stretch, inverted] :
       {std::pair(1e-3, false), {3.0, false}, {0.0, true}, {-1e-3, true}}) {
    F = Vec3(1, stretch, 1).asDiagonal();
    EXPECT_EQ(is_inside_out(bodies, 0), inverted) << stretch;
  }
  F = -Mat3::Identity();
  EXPECT_TRUE(is_inside_out(bodies, 0));
  F = Vec3(-1, -1, 1).asDiagonal();  // half a turn
  EXPECT_FALSE(is_inside_out(bodies, 0));
}

// One node of 27 is pushed down, through the opposite faces of the elements that have it.
TEST(Inversion, OfAnElement) {
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::finite_element, testing::meshed_box(Vec3::Zero(), kHalf, 2));
  EXPECT_FALSE(is_inside_out(bodies, 0));
  double* corner = bodies.x(0) + 3 * 26;  // of an element of 0.5 x 0.3 x 0.2
  EXPECT_NEAR(corner[2], 0.2, 1e-15);
  corner[2] -= 0.2;
  EXPECT_FALSE(is_inside_out(bodies, 0));
  corner[2] -= 3;
  EXPECT_TRUE(is_inside_out(bodies, 0));
  for (int i = 0; i < bodies.x.count(0); i++) bodies.x(0)[i] *= 0;
  EXPECT_TRUE(is_inside_out(bodies, 0));
}

TEST(Inversion, NotOfOthers) {
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::rigid, testing::ball_shape(Vec3::Zero(), 1));
  testing::add_body(bodies, BodyKind::obstacle, testing::ball_shape({3, 0, 0}, 1));
  EXPECT_FALSE(is_inside_out(bodies, 0));
  EXPECT_FALSE(is_inside_out(bodies, 1));
}

}  // namespace
}  // namespace solfec::inversion_test
