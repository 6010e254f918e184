// Contacts that are a spring and a damper, against the exact damped oscillator.
#include <numbers>

#include "analytic/solutions/impact.hpp"
#include "solver/penalty.hpp"
#include "support/scene.hpp"

namespace solfec::spring_dashpot_test {
namespace {

using solutions::DampedImpact;
using testing::make_ball;
using testing::make_box;
using testing::Scene;

constexpr double kRadius = 0.2, kSpring = 1e6, kSpeed = 1;

enum class How { penalty_implicit, penalty_explicit, gauss_seidel };
constexpr How kAll[] = {How::penalty_implicit, How::penalty_explicit, How::gauss_seidel};

void make_spring(Scene& scene, double damping_ratio, double mass) {
  SurfaceMaterial& surface = scene.surface();
  surface.model = ContactModel::spring_dashpot;
  surface.spring = kSpring;
  surface.dashpot = damping_ratio * 2 * std::sqrt(kSpring * mass);
}

void step(Scene& scene, How how) {
  Penalty penalty(how == How::penalty_explicit);
  if (how == How::gauss_seidel)
    scene.step();
  else
    scene.advance(penalty);
}

struct Rebound {
  double speed, duration, depth;
};

Rebound impact(How how, double damping_ratio, double steps_per_contact) {
  Scene scene(1);
  scene.add_ground();
  const int i = scene.add_rigid(make_ball(Vec3(0, 0, kRadius), kRadius));
  make_spring(scene, damping_ratio, scene.mass(i));
  const DampedImpact exact{scene.mass(i), kSpring, scene.surface().dashpot, kSpeed};
  const double h = exact.duration() / steps_per_contact;
  scene.simulation.settings.step = h;
  scene.set_velocity(i, Vec3(0, 0, -kSpeed));
  Rebound result{0, 0, 0};
  for (int k = 0; k < 3 * steps_per_contact; k++) {
    step(scene, how);
    result.depth = std::max(result.depth, kRadius - scene.center(i).z());
    if (!scene.contacts().empty() && scene.contact_force(i).z() > 0) result.duration += h;
  }
  result.speed = scene.velocity(i).z();
  EXPECT_TRUE(scene.contacts().empty());
  return result;
}

TEST(SpringDashpot, ImpactFollowsTheOscillator) {
  for (How how : kAll)
    for (double ratio : {0.0, 0.1, 0.4, 0.8}) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(how) << ", damping " << ratio);
      const double mass = 1000 * 4 * std::numbers::pi / 3 * std::pow(kRadius, 3);
      const DampedImpact exact{mass, kSpring, ratio * 2 * std::sqrt(kSpring * mass), kSpeed};
      const double peak = std::atan2(std::sqrt(1 - ratio * ratio), ratio) / exact.damped_omega();
      const auto errors = [&](double steps) {
        const Rebound r = impact(how, ratio, steps);
        return Vec3(r.speed - exact.rebound_speed(), r.duration / exact.duration() - 1,
                    r.depth / exact.depth_at(peak) - 1);
      };
      // Of second order but for the damper of the explicit form, which is of first.
      const Vec3 coarse = errors(250.5), fine = errors(2000.5);
      const bool second = how != How::penalty_explicit || ratio == 0;
      EXPECT_LT(std::abs(coarse.x()), second ? 5e-5 : 1e-2);
      EXPECT_LT(std::abs(coarse.z()), second ? 3e-5 : 7e-3);
      EXPECT_NEAR(std::log2(coarse.x() / fine.x()) / 3, second ? 2 : 1, 0.05);
      EXPECT_NEAR(std::log2(coarse.z() / fine.z()) / 3, second ? 2 : 1, 0.05);
      EXPECT_NEAR(fine.y(), 0, (second ? 1.0 : 2.0) / 2000);  // counted in whole steps
    }
}

TEST(SpringDashpot, RestsAtTheDepthOfItsWeight) {
  for (How how : kAll) {
    Scene scene(2e-4, Vec3(0, 0, -9.81));
    scene.add_ground();
    const int i = scene.add_rigid(make_ball(Vec3(0, 0, kRadius), kRadius));
    make_spring(scene, 0.5, scene.mass(i));
    for (int k = 0; k < 4000; k++) step(scene, how);
    EXPECT_LT(scene.velocity(i).norm(), 1e-9);
    EXPECT_NEAR(kRadius - scene.center(i).z(), scene.mass(i) * 9.81 / kSpring, 1e-9);
  }
}

TEST(SpringDashpot, FrictionIsCoulombs) {
  // A ball that skids on its spring: decelerates by mu g, and rolls at 5/7 of its speed.
  for (How how : kAll) {
    Scene scene(2e-4, Vec3(0, 0, -9.81));
    scene.surface().friction = 0.2;
    scene.add_ground();
    const double mass = 1000 * 4 * std::numbers::pi / 3 * std::pow(kRadius, 3);
    const int i = scene.add_rigid(make_ball(Vec3(0, 0, kRadius - mass * 9.81 / kSpring), kRadius));
    make_spring(scene, 0.5, scene.mass(i));
    scene.set_velocity(i, Vec3(0, 2, 0));
    for (int k = 0; k < 500; k++) step(scene, how);
    EXPECT_NEAR(scene.velocity(i).y(), 2 - 0.2 * 9.81 * 0.1, 1e-6);
    for (int k = 0; k < 4500; k++) step(scene, how);
    EXPECT_NEAR(scene.velocity(i).y(), 2 * 5.0 / 7, 2e-3);  // the arm is shorter by the depth
  }
}

}  // namespace
}  // namespace solfec::spring_dashpot_test
