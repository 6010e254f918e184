// Cohesive contacts: a bond of c = cohesion * area pulls back to -c and no further.
#include <numbers>

#include "support/scene.hpp"

namespace solfec::cohesion_test {
namespace {

using testing::make_box;
using testing::make_brick;
using testing::Scene;

constexpr double kGravity = 9.81, kStep = 1e-3;
const Vec3 kHalf(0.2, 0.2, 0.2);
const double kArea = 4 * kHalf.x() * kHalf.y();

// A cube that hangs under a ceiling, whose lower face is z = 0, by a bond of `strength` weights.
// With several points the way they share the load is not unique; together they hold what one would.
enum class Cube { one_point, box, brick, pseudo_rigid };
constexpr Cube kRigid[] = {Cube::one_point, Cube::box, Cube::brick};
int add_hanging(Scene& scene, Cube cube, double strength) {
  scene.add_obstacle(make_box(Vec3(0, 0, 1), Vec3(5, 5, 1), Mat3::Identity()));
  const Vec3 center(0, 0, -kHalf.z());
  if (cube == Cube::one_point) scene.use_one_point();
  int i = -1;
  switch (cube) {
    case Cube::one_point:
    case Cube::box:
      i = scene.add_rigid(make_box(center, kHalf, Mat3::Identity()));
      break;
    case Cube::brick:
      i = scene.add_rigid(make_brick(center, kHalf, {2, 2, 2}));
      break;
    case Cube::pseudo_rigid:
      i = scene.add_pseudo_rigid(make_box(center, kHalf, Mat3::Identity()), Scheme::def_lim, 0.01);
      break;
  }
  scene.surface().cohesion = strength * scene.mass(i) * kGravity / kArea;
  return i;
}

// The area of faces that touch is that of the overlap grown by the geometric epsilon of 1E-6.
constexpr double kAreaError = 2 * 2e-6 / 0.4;

TEST(Cohesion, HoldsUpToItsLimit) {
  for (Cube cube : kRigid)
    for (double friction : {0.0, 0.5}) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(cube) << ", friction " << friction);
      Scene scene(kStep, Vec3(0, 0, -kGravity));
      scene.surface().friction = friction;
      const int i = add_hanging(scene, cube, 1.0001);
      scene.steps(1000);
      const double weight = scene.mass(i) * kGravity;
      EXPECT_NEAR(scene.contact_force(i).z(), weight, 1e-9 * weight);
      EXPECT_LT(scene.velocity(i).norm(), 1e-10);
      EXPECT_LT((scene.center(i) + Vec3(0, 0, kHalf.z())).norm(), 1e-9);
    }
}

TEST(Cohesion, LetsGoBeyondItsLimit) {
  // In the step that breaks it the bond still pulls with all it has; then the cube falls freely.
  for (Cube cube : kRigid) {
    SCOPED_TRACE(static_cast<int>(cube));
    Scene scene(kStep, Vec3(0, 0, -kGravity));
    scene.surface().friction = 0.5;
    const double strength = 0.98;
    const int i = add_hanging(scene, cube, strength);
    scene.step();
    EXPECT_NEAR(scene.velocity(i).z(), -(1 - strength) * kGravity * kStep,
                kAreaError * kGravity * kStep);
    scene.steps(99);
    EXPECT_NEAR(scene.velocity(i).z(), -(100 - strength) * kGravity * kStep,
                kAreaError * kGravity * kStep);
    EXPECT_TRUE(scene.contacts().empty());
  }
}

TEST(Cohesion, ASmallOverloadBreaksInTime) {
  // Bonds that yield break at a hundredth of what c gives the cube in a step.
  for (Cube cube : kRigid) {
    SCOPED_TRACE(static_cast<int>(cube));
    Scene scene(kStep, Vec3(0, 0, -kGravity));
    const int i = add_hanging(scene, cube, 0.999);
    scene.steps(100);
    EXPECT_TRUE(scene.contacts().empty());
    const double before = scene.velocity(i).z();
    EXPECT_NEAR(before / (-kGravity * kStep), 100 - 10, 2) << "some ten steps";
    scene.steps(100);
    EXPECT_NEAR(scene.velocity(i).z() - before, -kGravity * 100 * kStep, 1e-9);
  }
}

TEST(Cohesion, SeveralBondsHoldTheLimitLoad) {
  // At an arm of half the half width the corners beside the load carry 3/4 of it, and hold c A / 2.
  for (Cube cube : {Cube::box, Cube::brick})
    for (double strength : {1.51, 1.48}) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(cube) << ", strength " << strength);
      Scene scene(kStep);
      scene.surface().friction = 0.5;
      const int i = add_hanging(scene, cube, strength);
      const Vec3 point = scene.center(i) + Vec3(0.5 * kHalf.x(), 0, 0);
      scene.bodies()[i].loads.emplace_back(
          PointForce{Frame::spatial, point, -Vec3::UnitZ(), TimeSeries(scene.mass(i) * kGravity)});
      scene.steps(200);
      if (strength > 1.5)
        EXPECT_LT(scene.velocity(i).norm(), 1e-9);
      else
        EXPECT_LT(scene.velocity(i).z(), -0.1);
    }
}

TEST(Cohesion, BreaksWhenTheLoadHasGrown) {
  // Pulled down by a force that grows with time: c = weight + rate t.
  Scene scene(kStep, Vec3(0, 0, -kGravity));
  const int i = add_hanging(scene, Cube::one_point, 3);
  const double weight = scene.mass(i) * kGravity, rate = 10 * weight, end = 0.2;
  scene.bodies()[i].loads.emplace_back(
      PointForce{Frame::spatial, scene.center(i), -Vec3::UnitZ(), TimeSeries({0, 1}, {0, rate})});
  do {
    scene.step();
    ASSERT_LT(scene.simulation.clock.time, 1);
  } while (scene.velocity(i).z() > -1e-9);
  EXPECT_NEAR(scene.simulation.clock.time, end, 1.1 * kStep);
  scene.steps(5);
  EXPECT_TRUE(scene.contacts().empty());
}

// What is left of the speed of a block that leaves the face where it is glued, or slips off from
// between two such faces; in units of the speed whose energy of motion is their fracture energy.
enum class Mode { opening, shear };
double left_of_speed(double speed, Mode mode, double step) {
  constexpr double kFractureEnergy = 20, kCohesion = 1e5, kOverlap = 1e-5;
  const int faces = mode == Mode::opening ? 1 : 2;
  Scene scene(step);
  scene.use_one_point();
  scene.surface().friction = 0.5;
  scene.surface().cohesion = kCohesion;
  scene.surface().fracture_energy = kFractureEnergy;
  scene.add_ground();
  if (mode == Mode::shear)  // the same above, so that nothing turns it
    scene.add_obstacle(make_box({0, 0, 2 * kHalf.z() + 1}, {5, 5, 1}, Mat3::Identity()));
  const int i = scene.add_rigid(
      make_box(Vec3(0, 0, kHalf.z()), kHalf + kOverlap * Vec3::UnitZ(), Mat3::Identity()));
  const double unit = std::sqrt(2 * faces * kFractureEnergy * kArea / scene.mass(i));
  const Vec3 direction = mode == Mode::opening ? Vec3::UnitZ() : Vec3::UnitX();
  scene.set_velocity(i, speed * unit * direction);
  scene.run_to(0.002);
  return scene.velocity(i).dot(direction) / unit;
}

TEST(Cohesion, BreaksAtItsFractureEnergy) {
  // Of v^2 there is v^2 - 1 left, but for the last step, all of which the glue pulls.
  for (Mode mode : {Mode::opening, Mode::shear}) {
    SCOPED_TRACE(mode == Mode::opening ? "opening" : "shear");
    for (double step : {1e-5, 2.5e-6}) {
      const double left = left_of_speed(std::sqrt(2.0), mode, step);
      EXPECT_LT(left, 1 + 1e-4);
      EXPECT_GT(left, 1 - 1e3 * step);
    }
    EXPECT_NEAR(left_of_speed(0.95, mode, 1e-5), 0, 1e-12);
  }
}

TEST(Cohesion, HoldsBodiesThatStartWithAVelocity) {
  // They are glued where they touch at the start, however far they move in half a step.
  for (double speed : {1e-4, 0.01, 1.0}) {
    Scene scene(kStep);
    scene.add_ground();
    const int i = scene.add_rigid(make_box(Vec3(0, 0, kHalf.z()), kHalf, Mat3::Identity()));
    const double strength = 2 * scene.mass(i) * speed / kStep;
    scene.surface().cohesion = strength / kArea;
    scene.set_velocity(i, speed * Vec3::UnitZ());
    scene.surface().fracture_energy = strength * speed * kStep / kArea;
    scene.steps(20);
    EXPECT_LT(scene.velocity(i).norm(), 1e-9 * speed);
    EXPECT_LT(std::abs(scene.center(i).z() - kHalf.z()), 2 * speed * kStep);
    EXPECT_NEAR(scene.simulation.clock.time, 19 * kStep, 1e-12)
        << "the second step ends on the grid";
    EXPECT_FALSE(scene.contacts().empty());
  }
}

TEST(Cohesion, ABrokenBondDoesNotHeal) {
  // Torn off, pushed back to the ceiling, let go: nothing holds it any more.
  Scene scene(kStep, Vec3(0, 0, -kGravity));
  const int i = add_hanging(scene, Cube::box, 0.5);
  scene.steps(20);
  EXPECT_LT(scene.velocity(i).z(), -0.1);
  scene.set_gravity(Vec3(0, 0, kGravity));
  scene.steps(100);
  EXPECT_NEAR(scene.contact_force(i).z(), -scene.mass(i) * kGravity, 1e-6);
  scene.set_gravity(Vec3(0, 0, -1e-3 * kGravity));
  scene.steps(100);
  EXPECT_NEAR(scene.velocity(i).z(), -1e-3 * kGravity * 100 * kStep, 1e-9);
}

TEST(Cohesion, OnlyContactsOfTheFirstStepAreGlued) {
  Scene scene(kStep, Vec3(0, 0, kGravity));
  const int i = add_hanging(scene, Cube::box, 10);
  scene.bodies().center(i).z() -= 0.01;
  scene.steps(100);  // up to the ceiling
  EXPECT_NEAR(scene.velocity(i).z(), 0, 1e-10);
  scene.set_gravity(Vec3(0, 0, -kGravity));
  scene.steps(100);
  EXPECT_NEAR(scene.velocity(i).z(), -kGravity * 100 * kStep, 1e-9);
}

TEST(Cohesion, PseudoRigidCubeHangs) {
  // Let go suddenly it swings, up to twice its weight, and comes to rest with its weight.
  Scene scene(kStep, Vec3(0, 0, -kGravity));
  scene.solver.settings = testing::accurate_to(1e-8);
  scene.surface().friction = 0.5;
  const int i = add_hanging(scene, Cube::pseudo_rigid, 2.5);
  scene.steps(1000);
  const double weight = scene.mass(i) * kGravity;
  EXPECT_NEAR(scene.contact_force(i).z(), weight, 1e-5 * weight);
  EXPECT_LT(scene.velocity(i).norm(), 1e-6);
}

TEST(Cohesion, FrictionOfABondHoldsOnASteepPlane) {
  // |R_T| <= mu (R_N + c): a block sticks far beyond the angle of friction, and slides with its
  // friction alone once the bond is gone.
  const double mu = 0.3, angle = 60 * std::numbers::pi / 180;
  const Mat3 tilt = rotation_about(Vec3::UnitY(), angle);
  const Vec3 half(0.4, 0.3, 0.05);
  const double limit = (std::sin(angle) - mu * std::cos(angle)) / mu;  // c in weights
  for (double factor : {1.02, 0.98}) {
    Scene scene(kStep, Vec3(0, 0, -kGravity));
    scene.surface().friction = mu;
    scene.add_ground(tilt);
    const int i = scene.add_rigid(make_box(tilt * Vec3(0, 0, half.z()), half, tilt));
    scene.surface().cohesion =
        factor * limit * scene.mass(i) * kGravity / (4 * half.x() * half.y());
    scene.run_to(0.1);
    const double before = (tilt.transpose() * scene.velocity(i)).x();
    scene.run_to(0.3);
    const double gained = (tilt.transpose() * scene.velocity(i)).x() - before;
    if (factor > 1)
      EXPECT_NEAR(before + gained, 0, 1e-9);
    else
      EXPECT_NEAR(gained / 0.2, kGravity * (std::sin(angle) - mu * std::cos(angle)),
                  1e-6 * kGravity);
  }
}

}  // namespace
}  // namespace solfec::cohesion_test
