// A sphere meets a plane with friction: sliding, rolling, oblique impacts.
#include "analytic/solutions/impact.hpp"
#include "analytic/solutions/rolling_sphere.hpp"
#include "support/scene.hpp"

namespace solfec::sphere_on_plane_test {
namespace {

using solutions::ObliqueImpact;
using solutions::RollingSphere;
using testing::make_ball;
using testing::Random;
using testing::Scene;

constexpr double kGravity = 9.81;

TEST(SphereOnPlane, SlidesThenRolls) {
  const double r = 0.25, h = 1e-3;
  for (const RollingSphere& exact :
       {RollingSphere{r, 2, 0, 0.2, kGravity}, RollingSphere{r, 0, 20, 0.2, kGravity},
        RollingSphere{r, 2, -6, 0.3, kGravity}, RollingSphere{r, 1, 20, 0.1, kGravity}}) {
    Scene scene(h, Vec3(0, 0, -kGravity));
    scene.surface().friction = exact.friction;
    scene.add_ground();
    const int i = scene.add_rigid(make_ball(Vec3(0, 0, r), r));
    // Along a direction that is no axis of anything.
    const Vec3 along = Vec3(0.6, 0.8, 0), axle = Vec3::UnitZ().cross(along);
    scene.set_velocity(i, exact.speed * along, exact.spin * axle);
    const double slide = exact.sliding_time();
    scene.steps(static_cast<int>(0.6 * slide / h));
    const double t = scene.simulation.clock.time;
    EXPECT_LT((scene.velocity(i) - exact.speed_at(t) * along).norm(), 1e-10);
    EXPECT_LT((scene.spin(i) - exact.spin_at(t) * axle).norm(), 1e-9);
    EXPECT_NEAR(scene.center(i).dot(along), exact.position_at(t), 1e-10);
    scene.steps(static_cast<int>(2 * slide / h));
    const double end = scene.simulation.clock.time;
    EXPECT_LT((scene.velocity(i) - exact.rolling_speed() * along).norm(), 1e-10);
    EXPECT_LT((scene.spin(i) - exact.rolling_speed() / r * axle).norm(), 1e-9);
    // The step in which it begins to roll is taken whole.
    const double most = exact.friction * kGravity * h * h;
    EXPECT_NEAR(scene.center(i).dot(along), exact.position_at(end), most);
    EXPECT_NEAR(scene.center(i).z(), r, 1e-9);
  }
}

TEST(SphereOnPlane, RollsDownAnIncline) {
  // Without sliding the acceleration is 5/7 g sin a as long as tan a <= 7/2 mu; beyond, the sphere
  // slides with g (sin a - mu cos a) and spins up with 5/2 mu g cos a / r (Galilei's experiment).
  const double r = 0.25, mu = 0.2, h = 1e-3, limit = std::atan(3.5 * mu);
  for (double angle : {0.5 * limit, 0.98 * limit, 1.02 * limit, 1.5 * limit}) {
    const Mat3 tilt = rotation_about(Vec3::UnitY(), angle);
    Scene scene(h, Vec3(0, 0, -kGravity));
    scene.surface().friction = mu;
    scene.add_ground(tilt);
    const int i = scene.add_rigid(make_ball(tilt * Vec3(0, 0, r), r));
    scene.run_to(0.5);
    const bool rolls = angle < limit;
    const double drive = kGravity * std::sin(angle), grip = mu * kGravity * std::cos(angle);
    const double acceleration = rolls ? 5.0 / 7.0 * drive : drive - grip;
    const double angular = rolls ? acceleration / r : 2.5 * grip / r;
    const Vec3 down = tilt * Vec3::UnitX();
    EXPECT_NEAR(scene.velocity(i).dot(down), 0.5 * acceleration, 1e-9 * kGravity);
    EXPECT_LT((scene.spin(i) - 0.5 * angular * Vec3::UnitY()).norm(), 1e-8);
  }
}

TEST(SphereOnPlane, ObliqueImpact) {
  Random random(3);
  int sticking = 0;
  const int count = 400;
  for (int k = 0; k < count; k++) {
    const double r = random.uniform(0.1, 0.5), h = 1e-3;
    Scene scene(h);
    scene.solver.settings = testing::accurate_to(1e-9);  // the merit rounds with R = P / h
    const double mu = random.uniform(0, 0.6), e = random.uniform(0, 1);
    scene.surface().friction = mu;
    scene.surface().restitution = e;
    const Mat3 tilt = random.rotation();
    scene.add_ground(tilt);
    const Vec3 n = tilt.col(2);
    Vec3 v = 3 * random.direction();
    if (v.dot(n) > 0) v = -v;
    const Vec3 w = random.uniform(0, 10) * random.direction();
    // It touches just at the middle of the first step, where contacts are found.
    const int i = scene.add_rigid(make_ball(r * n - 0.5 * h * v, r));
    scene.set_velocity(i, v, w);
    scene.step();
    const ObliqueImpact exact{scene.mass(i), r, e, mu, n, v, w};
    EXPECT_LT((scene.velocity(i) - exact.velocity_after()).norm(), 1e-10) << k;
    EXPECT_LT((scene.spin(i) - exact.spin_after()).norm(), 1e-9) << k;
    if (exact.sticks()) sticking++;
  }
  EXPECT_GT(sticking, count / 5);
  EXPECT_LT(sticking, count * 4 / 5);
}

TEST(SphereOnPlane, BackspinStopsTheBall) {
  // v0 = 2/5 r w0 backwards: the ball comes to rest for good.
  const double r = 0.25;
  Scene scene(1e-3, Vec3(0, 0, -kGravity));
  scene.surface().friction = 0.2;
  scene.add_ground();
  const int i = scene.add_rigid(make_ball(Vec3(0, 0, r), r));
  scene.set_velocity(i, Vec3(1, 0, 0), Vec3(0, -2.5 / r, 0));
  scene.run_to(2);
  EXPECT_LT(scene.velocity(i).norm(), 1e-10);
  EXPECT_LT(scene.spin(i).norm(), 1e-9);
}

}  // namespace
}  // namespace solfec::sphere_on_plane_test
