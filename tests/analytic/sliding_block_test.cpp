// Blocks on inclined and moving planes against Coulomb's law.
#include "analytic/solutions/sliding_block.hpp"

#include <numbers>

#include "support/scene.hpp"

namespace solfec::sliding_block_test {
namespace {

using solutions::ConveyorBelt;
using solutions::InclinedPlane;
using testing::accurate_to;
using testing::make_box;
using testing::make_brick;
using testing::Scene;

constexpr double kGravity = 9.81;
constexpr double kFriction = 0.5;  // the friction angle is 26.565 degrees
const Vec3 kHalf(0.4, 0.3, 0.1);

// A low block, so that it does not topple, in the ways it can stand on a plane.
enum class Block { rigid_box, rigid_brick, pseudo_rigid_box, pseudo_rigid_brick };
constexpr Block kBlocks[] = {Block::rigid_box, Block::rigid_brick, Block::pseudo_rigid_box,
                             Block::pseudo_rigid_brick};

// One-piece boxes stand on the corners of their faces; bricks of several elements on a point per
// element.
int add_block(Scene& scene, Block block, const Vec3& center, const Mat3& rotation) {
  scene.bulk().young = 1e9;
  const auto box = [&] { return make_box(center, kHalf, rotation); };
  const auto brick = [&] { return make_brick(center, kHalf, {2, 2, 1}, rotation); };
  switch (block) {
    case Block::rigid_box:
      return scene.add_rigid(box());
    case Block::rigid_brick:
      return scene.add_rigid(brick());
    case Block::pseudo_rigid_box:
      return scene.add_pseudo_rigid(box(), Scheme::def_lim, 1e-3);
    case Block::pseudo_rigid_brick:
      return scene.add_pseudo_rigid(brick(), Scheme::def_lim, 1e-3);
  }
  return -1;
}

double degrees(double angle) { return angle * std::numbers::pi / 180; }

TEST(SlidingBlock, OnInclinedPlane) {
  for (Block block : kBlocks)
    for (double angle : {10.0, 26.0, 26.5, 26.6, 27.0, 35.0, 45.0}) {
      SCOPED_TRACE(::testing::Message() << "block " << static_cast<int>(block) << ", " << angle);
      const InclinedPlane exact{degrees(angle), kFriction, kGravity};
      const Mat3 tilt = rotation_about(Vec3::UnitY(), exact.angle);  // down along +x
      Scene scene(0.002, Vec3(0, 0, -kGravity));
      scene.surface().friction = kFriction;
      scene.add_ground(tilt);
      const bool rigid = block == Block::rigid_box || block == Block::rigid_brick;
      scene.solver.settings = accurate_to(rigid ? 1e-10 : 1e-6);
      const int i = add_block(scene, block, tilt * Vec3(0, 0, kHalf.z()), tilt);
      const Vec3 start = scene.center(i);
      const double end = 0.5;
      // A deformable block settles first; its acceleration is taken between two times.
      scene.run_to(0.5 * end);
      const Vec3 middle = scene.velocity(i);
      scene.run_to(end);
      const Vec3 acceleration = tilt.transpose() * (scene.velocity(i) - middle) / (0.5 * end);
      const double tolerance = rigid ? 1e-9 : 1e-4;
      EXPECT_NEAR(acceleration.x() / kGravity, exact.acceleration() / kGravity, tolerance);
      EXPECT_NEAR(acceleration.y() / kGravity, 0, tolerance);
      EXPECT_NEAR(acceleration.z() / kGravity, 0, tolerance);
      // The plane carries what it has to, and the block has moved as far as it should.
      const Vec3 force = tilt.transpose() * scene.contact_force(i);
      const double normal = exact.normal_force(scene.mass(i));
      EXPECT_NEAR(force.z(), normal, tolerance * normal);
      const double path = 0.5 * exact.acceleration() * end * end;
      const Vec3 moved = tilt.transpose() * (scene.center(i) - start);
      EXPECT_NEAR(moved.x(), path, rigid ? 1e-9 : 1e-4);
      if (exact.acceleration() == 0) {
        EXPECT_LT(scene.velocity(i).norm(), 1e-6);
      }
      for (const Constraint& c : scene.contacts())
        EXPECT_TRUE(in_friction_cone(c.R, kFriction, 1e-12 * normal));
    }
}

TEST(SlidingBlock, StopsAfterItsDistance) {
  for (Block block : {Block::rigid_box, Block::rigid_brick}) {
    const double speed = 2, h = 0.001;
    Scene scene(h, Vec3(0, 0, -kGravity));
    scene.surface().friction = kFriction;
    scene.add_ground();
    const int i = add_block(scene, block, Vec3(0, 0, kHalf.z()), Mat3::Identity());
    scene.set_velocity(i, Vec3(0.6 * speed, 0.8 * speed, 0));
    scene.run_to(1);
    const Vec3 travelled = scene.center(i) - Vec3(0, 0, kHalf.z());
    EXPECT_NEAR(travelled.norm(), solutions::stopping_distance(speed, kFriction, kGravity), 1e-5);
    EXPECT_NEAR(travelled.y() / travelled.x(), 0.8 / 0.6, 1e-10);  // straight on, without a turn
    EXPECT_LT(scene.velocity(i).norm(), 1e-12);
    EXPECT_LT((scene.gradient(i) - Mat3::Identity()).norm(), 1e-10);
    // The work of friction is the kinetic energy lost.
    EXPECT_NEAR(scene.energy(i).friction, -0.5 * scene.mass(i) * speed * speed,
                1e-10 * scene.mass(i));
    EXPECT_NEAR(scene.energy(i).contact, 0, 1e-10);
  }
}

TEST(SlidingBlock, OnConveyorBelt) {
  for (Block block : kBlocks) {
    SCOPED_TRACE(static_cast<int>(block));
    const ConveyorBelt exact{1.5, kFriction, kGravity};
    const double h = 0.001;
    Scene scene(h, Vec3(0, 0, -kGravity));
    scene.surface().friction = kFriction;
    const int belt = scene.add_ground();
    scene.set_velocity(belt, Vec3(exact.speed, 0, 0));
    const int i = add_block(scene, block, Vec3(0, 0, kHalf.z()), Mat3::Identity());
    const bool rigid = block == Block::rigid_box || block == Block::rigid_brick;
    const double tolerance = rigid ? 1e-10 : 1e-3;
    scene.run_to(0.2);
    EXPECT_NEAR(scene.velocity(i).x(), exact.velocity_at(0.2), tolerance * exact.speed);
    scene.run_to(1);
    EXPECT_NEAR(scene.velocity(i).x(), exact.speed, 1e-9);
    // The step in which it begins to stick is taken whole: a part of the displacement of one step.
    EXPECT_NEAR(scene.center(i).x(), exact.position_at(1), 0.2 * h * exact.speed);
    // The belt may stop during the run.
    scene.set_velocity(belt, Vec3::Zero());
    scene.run_to(1.2);
    EXPECT_NEAR(scene.velocity(i).x(), exact.speed - kFriction * kGravity * 0.2,
                tolerance * exact.speed);
    scene.run_to(2);
    EXPECT_LT(scene.velocity(i).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace solfec::sliding_block_test
