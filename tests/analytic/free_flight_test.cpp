// Bodies that touch nothing: gravity, spin about a principal axis, forces that change in time.
#include "analytic/solutions/projectile.hpp"
#include "support/scene.hpp"

namespace solfec::free_flight_test {
namespace {

using solutions::HarmonicForcing;
using solutions::Projectile;
using solutions::RampForcing;
using testing::expect_second_order;
using testing::make_ball;
using testing::make_box;
using testing::Scene;

constexpr Scheme kRigidSchemes[] = {Scheme::rig_pos, Scheme::rig_neg, Scheme::rig_imp};
constexpr Scheme kDeformableSchemes[] = {Scheme::def_exp, Scheme::def_lim, Scheme::def_lim2,
                                         Scheme::def_imp};

Polyhedron brick() { return make_box(Vec3(1, -2, 3), Vec3(0.5, 0.3, 0.2), Mat3::Identity()); }

// One body of every kind and scheme, all on top of each other, which is no matter: they are
// excluded from contact.
std::vector<int> one_of_each(Scene& scene) {
  std::vector<int> all;
  for (Scheme scheme : kRigidSchemes) all.push_back(scene.add_rigid(brick(), scheme));
  for (Scheme scheme : kDeformableSchemes) all.push_back(scene.add_pseudo_rigid(brick(), scheme));
  scene.domain().exclusions.exclude_surfaces(1, 1);
  return all;
}

TEST(FreeFlight, ConstantGravityIsExact) {
  Scene scene(1.0 / 64);
  const Projectile exact{Vec3(1, -2, 3), Vec3(3, -1, 7), Vec3(1, 2, -9.81)};
  scene.set_gravity(exact.gravity);
  const std::vector<int> all = one_of_each(scene);
  for (int i : all) scene.set_velocity(i, exact.velocity);
  scene.bulk().young = 1e4;  // soft enough for the explicit scheme at this step
  scene.run_to(2);
  for (int i : all) {
    EXPECT_LT((scene.center(i) - exact.position_at(2)).norm(), 1e-12) << i;
    EXPECT_LT((scene.velocity(i) - exact.velocity_at(2)).norm(), 1e-12) << i;
    EXPECT_LT((scene.gradient(i) - Mat3::Identity()).norm(), 1e-12) << i;
    // The work of gravity is the kinetic energy gained.
    const double work = scene.energy(i).external;
    const double gain =
        0.5 * scene.mass(i) * (exact.velocity_at(2).squaredNorm() - exact.velocity.squaredNorm());
    EXPECT_NEAR(work, gain, 1e-10 * std::abs(gain)) << i;
  }
}

TEST(FreeFlight, SpinAboutPrincipalAxisIsExact) {
  for (Scheme scheme : kRigidSchemes)
    for (int axis : {0, 1, 2}) {
      Scene scene(0.01, Vec3(0, 0, -10));
      const int i = scene.add_rigid(brick(), scheme);
      const Vec3 spin = 5.0 * Vec3::Unit(axis);
      scene.set_velocity(i, Vec3(1, 0, 10), spin);
      scene.run_to(2);
      EXPECT_LT((scene.gradient(i) - exponential(2 * spin)).norm(), 1e-12);
      EXPECT_LT((scene.spin(i) - spin).norm(), 1e-12);
    }
}

TEST(FreeFlight, TumblingBallIsExact) {
  // Every axis of a ball is principal, so the axis may point anywhere.
  for (Scheme scheme : kRigidSchemes) {
    Scene scene(0.01);
    const int i = scene.add_rigid(make_ball(Vec3(0, 0, 0), 0.3), scheme);
    const Vec3 spin(30, -20, 50);
    scene.set_velocity(i, Vec3::Zero(), spin);
    scene.run_to(2);
    EXPECT_LT((scene.gradient(i) - exponential(2 * spin)).norm(), 1e-11);
    EXPECT_LT((scene.spin(i) - spin).norm(), 1e-11);
  }
}

TEST(FreeFlight, ObstacleFollowsItsVelocity) {
  Scene scene(0.01, Vec3(0, 0, -10));
  const int i = scene.add_obstacle(brick());
  const Vec3 spin(0.3, 1, -2);
  const Vec3 start = scene.center(i);
  scene.set_velocity(i, Vec3(1, 2, 3), spin);
  scene.run_to(3);
  EXPECT_LT((scene.center(i) - start - Vec3(3, 6, 9)).norm(), 1e-12);
  EXPECT_LT((scene.gradient(i) - exponential(3 * spin)).norm(), 1e-12);
}

TEST(FreeFlight, RampForceMissesByWhatTheMidpointRuleMisses) {
  // The same from a series of a force and from a series of gravity.
  const RampForcing exact{2.5};
  const double h = 1.0 / 32;
  for (const bool by_gravity : {false, true}) {
    Scene scene(h);
    scene.bulk().young = 1e4;
    const std::vector<int> all = one_of_each(scene);
    const TimeSeries ramp({0, 10}, {0, 10 * exact.jerk});
    if (by_gravity) scene.domain().gravity.component[0] = ramp;
    for (int i : all)
      if (!by_gravity) {
        const TimeSeries force({0, 10}, {0, 10 * exact.jerk * scene.mass(i)});
        const Vec3 center = scene.center(i);
        scene.bodies()[i].loads.emplace_back(
            PointForce{Frame::spatial, center, Vec3::UnitX(), force});
      }
    scene.run_to(4);
    for (int i : all) {
      EXPECT_NEAR(scene.velocity(i).x(), exact.velocity_at(4), 1e-11);
      EXPECT_NEAR(scene.center(i).x() - 1, exact.midpoint_position_at(4, h), 1e-11);
    }
  }
}

TEST(FreeFlight, ForceFunctionIsOfSecondOrder) {
  const HarmonicForcing exact{3.0, 5.0};
  const auto flown = [&](double h, std::vector<int>& all) {
    auto scene = std::make_unique<Scene>(h);
    scene->bulk().young = 1e4;
    all = one_of_each(*scene);
    for (int i : all) {
      const double amplitude = scene->mass(i) * exact.acceleration, omega = exact.omega;
      const bool rigid = scene->bodies().kind(i) == BodyKind::rigid;
      auto& functions = scene->domain().user_forces;
      functions.push_back(
          [=](std::span<const double>, std::span<const double>, double t, double,
              std::span<double> out) { out[rigid ? 0 : 9] = amplitude * std::cos(omega * t); });
      const int number = static_cast<int>(functions.size()) - 1;
      scene->bodies()[i].loads.emplace_back(UserForce{number, functions.back()});
    }
    scene->run_to(2);
    return scene;
  };
  for (std::size_t k = 0; k < 5; k++) {
    std::vector<int> all;
    expect_second_order(
        [&](double h) {
          const auto scene = flown(h, all);
          return std::abs(scene->center(all[k]).x() - 1 - exact.position_at(2));
        },
        1.0 / 32, 0.02);
    expect_second_order(
        [&](double h) {
          const auto scene = flown(h, all);
          return std::abs(scene->velocity(all[k]).x() - exact.velocity_at(2));
        },
        1.0 / 32, 0.02);
  }
}

TEST(FreeFlight, TorqueAboutPrincipalAxis) {
  // J phi'' = T: a constant torque is exact, one that grows in time runs ahead as the ramp force.
  const double h = 1.0 / 32, constant = 2, jerk = 0.7;
  for (Scheme scheme : kRigidSchemes)
    for (Frame frame : {Frame::spatial, Frame::convected}) {
      Scene scene(h);
      const int i = scene.add_rigid(brick(), scheme);
      const double J = scene.bodies().inertia(i).tensor(2, 2);
      const TimeSeries series({0, 10}, {constant * J, (constant + 10 * jerk) * J});
      scene.bodies()[i].loads.emplace_back(Torque{frame, Vec3::UnitZ(), series});
      scene.run_to(2);
      const RampForcing ramp{jerk};
      EXPECT_LT((scene.spin(i) - (2 * constant + ramp.velocity_at(2)) * Vec3::UnitZ()).norm(),
                1e-11);
      const double angle = 0.5 * constant * 4 + ramp.midpoint_position_at(2, h);
      EXPECT_LT((scene.gradient(i) - exponential(angle * Vec3::UnitZ())).norm(), 1e-11);
    }
}

TEST(FreeFlight, ConvectedForceTurnsWithTheBody) {
  // A force fixed in a body that spins at w about its centre: x'' = a (cos wt, sin wt), so
  // x' = a / w (sin wt, 1 - cos wt).
  const double w = 3, a = 2;
  for (Scheme scheme : kRigidSchemes)
    expect_second_order(
        [&](double h) {
          Scene scene(h);
          const int i = scene.add_rigid(brick(), scheme);
          scene.set_velocity(i, Vec3::Zero(), Vec3(0, 0, w));
          const Vec3 center = scene.center(i);
          scene.bodies()[i].loads.emplace_back(
              PointForce{Frame::convected, center, Vec3::UnitX(), TimeSeries(a * scene.mass(i))});
          scene.run_to(1);
          const Vec3 exact = a / w * Vec3(std::sin(w), 1 - std::cos(w), 0);
          return (scene.velocity(i) - exact).norm();
        },
        1.0 / 16, 0.02);
}

}  // namespace
}  // namespace solfec::free_flight_test
