// A ball dropped on the ground: Newton's law of restitution, U_N = -e V_N with V_N the velocity at
// the start of the step, for rigid and pseudo-rigid balls, and boxes falling flat.
#include "support/scene.hpp"

namespace solfec::bouncing_ball_test {
namespace {

using testing::make_ball;
using testing::make_box;
using testing::Scene;

constexpr double kGravity = 9.81;

TEST(BouncingBall, VelocityAfterImpactIsExact) {
  for (double e : {0.0, 0.3, 0.5, 0.8, 1.0}) {
    Scene scene(1e-3, Vec3(0, 0, -kGravity));
    scene.surface().restitution = e;
    scene.add_ground();
    const int i = scene.add_rigid(make_ball(Vec3(0, 0, 1.2), 0.2));
    int impacts = 0;
    for (int k = 0; k < 1000; k++) {
      const Vec3 before = scene.velocity(i);
      scene.step();
      const bool impact = !scene.contacts().empty() && before.z() < -0.5;
      if (impact) {
        EXPECT_NEAR(scene.velocity(i).z(), -e * before.z(), 1e-12);
        EXPECT_NEAR(scene.contacts()[0].V.z(), before.z(), 1e-12);
        EXPECT_NEAR(scene.contacts()[0].U.z(), -e * before.z(), 1e-12);
        impacts++;
      } else if (scene.contacts().empty()) {
        EXPECT_NEAR(scene.velocity(i).z(), before.z() - 1e-3 * kGravity, 1e-12);
      }
      EXPECT_NEAR(scene.velocity(i).head<2>().norm(), 0, 1e-12);
      EXPECT_NEAR(scene.referential_spin(i).norm(), 0, 1e-12);
    }
    EXPECT_GE(impacts, 1);
  }
}

TEST(BouncingBall, BounceHeights) {
  // Impacts happen within a step of length h, during which the ball moves by v h at most: each
  // bounce may miss its height e^2 H by 3 v h.
  const double height = 1, h = 1e-4, speed = std::sqrt(2 * kGravity * height);
  for (double e : {0.5, 1.0}) {
    Scene scene(h, Vec3(0, 0, -kGravity));
    scene.surface().restitution = e;
    scene.add_ground();
    const int i = scene.add_rigid(make_ball(Vec3(0, 0, 0.2 + height), 0.2));
    double expected = height;
    for (int bounce = 1; bounce <= 4; bounce++) {
      while (scene.velocity(i).z() <= 0 && !HasFatalFailure()) scene.step();
      while (scene.velocity(i).z() > 0 && !HasFatalFailure()) scene.step();
      expected *= e * e;
      EXPECT_NEAR(scene.center(i).z() - 0.2, expected, 3 * speed * h * bounce) << e;
    }
  }
}

TEST(BouncingBall, ComesToRest) {
  // Bounces of e < 1 end after the time  sqrt(2 H / g) (1 + e) / (1 - e).
  for (double e : {0.0, 0.5}) {
    const double height = 0.5, h = 1e-3;
    const double end = std::sqrt(2 * height / kGravity) * (1 + e) / (1 - e);
    Scene scene(h, Vec3(0, 0, -kGravity));
    scene.surface().restitution = e;
    scene.add_ground();
    const int i = scene.add_rigid(make_ball(Vec3(0, 0, 0.2 + height), 0.2));
    while (scene.simulation.clock.time < 0.9 * end) scene.step();
    if (e > 0) {
      EXPECT_GT(std::abs(scene.velocity(i).z()), 0.01);
    }
    while (scene.simulation.clock.time < 1.1 * end) scene.step();
    const double level = scene.center(i).z();
    EXPECT_LT(std::abs(level - 0.2), h * std::sqrt(2 * kGravity * height));
    scene.steps(2000);
    EXPECT_LT(scene.velocity(i).norm(), 1e-12);
    EXPECT_NEAR(scene.center(i).z(), level, 1e-6) << "its overlap is corrected";
    EXPECT_NEAR(scene.contact_force(i).z(), scene.mass(i) * kGravity, 1e-9 * scene.mass(i));
  }
}

TEST(BouncingBall, ElasticImpactKeepsEnergy) {
  Scene scene(1e-3, Vec3(0, 0, -kGravity));
  scene.surface().restitution = 1;
  scene.add_ground();
  const int i = scene.add_rigid(make_ball(Vec3(0, 0, 1.2), 0.2));
  double work = 0;
  while (scene.simulation.clock.time < 10) scene.step();
  work = scene.energy(i).contact;
  // The contact has done no work in all of its impacts.
  EXPECT_NEAR(work, 0, 1e-10 * scene.mass(i) * kGravity);
  EXPECT_NEAR(scene.energy(i).kinetic, scene.energy(i).external, 1e-9 * scene.mass(i));
}

TEST(BouncingBall, PseudoRigidBallStoresEnergy) {
  // Restitution acts on the point of contact only. Once the ball has left, its centre and its
  // vibration together have no more than what it came with.
  Scene scene(1e-4);
  scene.bulk().young = 1e7;
  scene.surface().restitution = 0;
  scene.add_ground();
  const int i = scene.add_pseudo_rigid(make_ball(Vec3(0, 0, 0.2001), 0.2), Scheme::def_exp);
  scene.set_velocity(i, Vec3(0, 0, -1));
  const double before = scene.energy(i).kinetic;
  while (scene.velocity(i).z() <= 0 || !scene.contacts().empty()) {
    scene.step();
    ASSERT_LT(scene.simulation.clock.time, 1);
    const Energy now = scene.energy(i);
    ASSERT_LE(now.kinetic + now.internal, before * (1 + 1e-3));
  }
  const double rebound = scene.velocity(i).z();
  EXPECT_GT(rebound, 0.3);
  EXPECT_LT(rebound, 1);
}

TEST(BouncingBall, BoxFallsFlat) {
  // Four points share the impact; the box neither turns nor gains or loses anything.
  for (double e : {0.0, 0.5, 1.0}) {
    Scene scene(1e-3);
    scene.surface().restitution = e;
    scene.surface().friction = 0.4;
    scene.add_ground();
    const int i =
        scene.add_rigid(make_box(Vec3(3, -2, 0.3), Vec3(0.3, 0.2, 0.1), Mat3::Identity()));
    scene.set_velocity(i, Vec3(0, 0, -2));
    scene.run_to(0.3);
    EXPECT_LT((scene.velocity(i) - Vec3(0, 0, 2 * e)).norm(), 1e-10) << e;
    EXPECT_LT(scene.referential_spin(i).norm(), 1e-10) << e;
  }
}

}  // namespace
}  // namespace solfec::bouncing_ball_test
