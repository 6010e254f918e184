// Balls in a row: Newton's cradle, with gaps (impacts one after another) and without (all at once).
#include "analytic/solutions/impact.hpp"
#include "support/scene.hpp"

namespace solfec::cradle_test {
namespace {

using solutions::central_impact;
using solutions::TouchingRow;
using testing::make_ball;
using testing::Scene;

constexpr double kRadius = 0.1;

std::vector<int> add_row(Scene& scene, int count, double gap) {
  std::vector<int> balls;
  for (int k = 0; k < count; k++)
    balls.push_back(scene.add_rigid(make_ball(Vec3(k * (2 * kRadius + gap), 0, 0), kRadius)));
  return balls;
}

double speed(const Scene& scene, int i) { return scene.velocity(i).x(); }

TEST(Cradle, TwoBalls) {
  for (double radius2 : {0.05, 0.1, 0.3})
    for (double e : {0.0, 0.25, 0.5, 1.0})
      for (double v2 : {-2.0, 0.0, 0.5}) {
        Scene scene(1e-3);
        scene.surface().restitution = e;
        const int i = scene.add_rigid(make_ball(Vec3(0, 0, 0), 0.1));
        const int j = scene.add_rigid(make_ball(Vec3(0.11 + radius2, 0, 0), radius2));
        scene.set_velocity(i, Vec3(1, 0, 0));
        scene.set_velocity(j, Vec3(v2, 0, 0));
        scene.run_to(0.1);
        const auto exact = central_impact(scene.mass(i), 1, scene.mass(j), v2, e);
        EXPECT_NEAR(speed(scene, i), exact[0], 1e-12);
        EXPECT_NEAR(speed(scene, j), exact[1], 1e-12);
        EXPECT_EQ(scene.contacts().empty(), e > 0);  // e = 0: they stay together
      }
}

TEST(Cradle, ImpactsOneAfterAnother) {
  // Gaps over 2 v h keep the impacts in different steps: the speed is handed on without a rest.
  const double h = 1e-3, v = 1.5;
  Scene scene(h);
  scene.surface().restitution = 1;
  const std::vector<int> balls = add_row(scene, 5, 2.2 * v * h);
  scene.set_velocity(balls[0], Vec3(v, 0, 0));
  scene.steps(100);
  for (int k = 0; k < 4; k++) EXPECT_NEAR(speed(scene, balls[k]), 0, 1e-12);
  EXPECT_NEAR(speed(scene, balls[4]), v, 1e-12);
}

TEST(Cradle, TwoBallsInTwoBallsOut) {
  const double h = 1e-3, v = 1.5;
  Scene scene(h);
  scene.surface().restitution = 1;
  const std::vector<int> balls = add_row(scene, 5, 2.2 * v * h);
  for (int k : {0, 1}) scene.set_velocity(balls[k], Vec3(v, 0, 0));
  scene.steps(100);
  for (int k = 0; k < 3; k++) EXPECT_NEAR(speed(scene, balls[k]), 0, 1e-12);
  for (int k : {3, 4}) EXPECT_NEAR(speed(scene, balls[k]), v, 1e-12);
}

TEST(Cradle, PlasticImpactsOneAfterAnother) {
  // e = 0: each impact joins one more ball to the lump.
  const double h = 1e-3, v = 1.5;
  Scene scene(h);
  const std::vector<int> balls = add_row(scene, 5, 2.2 * v * h);
  scene.set_velocity(balls[0], Vec3(v, 0, 0));
  scene.steps(200);
  for (int i : balls) EXPECT_NEAR(speed(scene, i), v / 5, 1e-12);
}

TEST(Cradle, TouchingBallsRespondTogether) {
  const double v = 2;
  for (int count : {2, 3, 5, 8})
    for (double e : {0.0, 0.5, 1.0}) {
      SCOPED_TRACE(::testing::Message() << count << " balls, restitution " << e);
      Scene scene(1e-3);
      scene.solver.settings = testing::accurate_to(1e-13);
      scene.surface().restitution = e;
      const std::vector<int> balls = add_row(scene, count, 0);
      scene.set_velocity(balls[0], Vec3(v, 0, 0));
      const testing::Momentum before = scene.momentum();
      const double energy = scene.energy().kinetic;
      scene.step();
      const TouchingRow exact{count, v, e};
      EXPECT_NEAR(speed(scene, balls[0]), exact.first(), 1e-10);
      for (int k = 1; k < count; k++)
        EXPECT_NEAR(speed(scene, balls[k]), exact.others(), 1e-10) << k;
      const Vec3 change = scene.momentum().linear - before.linear;
      EXPECT_LT(change.norm(), 1e-14 * before.linear.norm());
      const double m = scene.mass(balls[0]);
      const double left =
          0.5 * m * (exact.first() * exact.first() + (count - 1) * exact.others() * exact.others());
      EXPECT_NEAR(scene.energy().kinetic, left, 1e-10 * energy);
      if (e == 1) {
        EXPECT_NEAR(scene.energy().kinetic, energy, 1e-10 * energy);
      }
      // Nothing else happens afterwards.
      scene.steps(50);
      EXPECT_NEAR(speed(scene, balls[0]), exact.first(), 1e-9);
      EXPECT_NEAR(speed(scene, balls.back()), exact.others(), 1e-9);
    }
}

}  // namespace
}  // namespace solfec::cradle_test
