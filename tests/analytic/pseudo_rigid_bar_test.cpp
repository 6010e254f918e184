// Vibration and spin of free pseudo-rigid bodies, by all schemes.
#include "analytic/solutions/pseudo_rigid_bar.hpp"

#include <numbers>

#include "body/pseudo_rigid.hpp"
#include "support/scene.hpp"

namespace solfec::pseudo_rigid_bar_test {
namespace {

using solutions::LargeStretching;
using solutions::StretchingModes;
using testing::expect_second_order;
using testing::make_box;
using testing::Random;
using testing::Scene;

constexpr Scheme kSchemes[] = {Scheme::def_exp, Scheme::def_lim, Scheme::def_imp};
const Vec3 kSides(2, 0.4, 0.2);

int add_bar(Scene& scene, Scheme scheme, double poisson) {
  scene.bulk().young = 1e6;
  scene.bulk().poisson = poisson;
  return scene.add_pseudo_rigid(make_box(Vec3(1, 2, 3), 0.5 * kSides, Mat3::Identity()), scheme);
}

TEST(PseudoRigidBar, SlenderBarsFrequency) {
  const BulkMaterial material{"", 2e11, 0.3, 7800};
  const StretchingModes modes(Vec3(1, 1e-3, 1e-3), material);
  EXPECT_NEAR(modes.omega(0), std::sqrt(12 * material.young / material.density),
              1e-5 * modes.omega(0));
}

TEST(PseudoRigidBar, SmallVibrations) {
  for (Scheme scheme : kSchemes)
    for (int mode = 0; mode < 3; mode++) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(scheme) << ", mode " << mode);
      const double small = 1e-7;
      const auto error = [&](double part) {
        Scene scene(1);
        const int i = add_bar(scene, scheme, 0.3);
        const StretchingModes modes(kSides, scene.bulk());
        // Steps that are a part of the fastest period.
        scene.simulation.settings.step = part * 2 * std::numbers::pi / modes.omega(2);
        scene.bodies().gradient(i) += small * Mat3(modes.shape(mode).asDiagonal());
        scene.steps(static_cast<int>(std::lround(10.25 / part)));
        const double t = scene.simulation.clock.time;
        EXPECT_NEAR(t, 20.5 * std::numbers::pi / modes.omega(2), 1e-9 * t);  // no shorter steps
        const Vec3 exact = std::cos(modes.omega(mode) * t) * modes.shape(mode);
        const Vec3 strain = (scene.gradient(i).diagonal() - Vec3::Ones()) / small;
        return (strain - exact).norm();
      };
      expect_second_order(error, 1.0 / 64, 0.15);
    }
}

TEST(PseudoRigidBar, LargeVibrations) {
  for (Scheme scheme : kSchemes) {
    const auto error = [&](double part) {
      Scene scene(1);
      const int i = add_bar(scene, scheme, 0);
      const LargeStretching exact(scene.bulk().young, scene.bulk().density, kSides.x(), 1.2);
      scene.simulation.settings.step = part * exact.period();
      scene.bodies().gradient(i)(0, 0) = 1.2;
      scene.steps(static_cast<int>(std::lround(2.3 / part)));
      const double t = scene.simulation.clock.time;
      EXPECT_NEAR(
          t, scene.simulation.settings.step * static_cast<double>(scene.simulation.clock.steps),
          1e-9);
      return std::abs(scene.gradient(i)(0, 0) - exact.stretch_at(t)) +
             std::abs(scene.bodies().u(i)[0] - exact.rate_at(t)) * exact.period();
    };
    SCOPED_TRACE(static_cast<int>(scheme));
    expect_second_order(error, 1.0 / 160, 0.1);
    expect_second_order(error, 1.0 / 320, 0.05);
  }
}

TEST(PseudoRigidBar, ExplicitSchemeIsStableUpToTheCriticalStep) {
  // At rest that is 2 / omega of the fastest mode; the run takes half of it by itself.
  for (double factor : {0.98, 1.02}) {
    Scene scene(1);
    const int i = add_bar(scene, Scheme::def_exp, 0.3);
    const StretchingModes modes(kSides, scene.bulk());
    const double critical = critical_step(scene.bodies(), scene.domain().bulk_materials, i);
    EXPECT_NEAR(stable_step(scene.bodies(), scene.domain().bulk_materials), 0.5 * critical,
                1e-12 * critical);
    EXPECT_NEAR(critical, 2 / modes.omega(2), 1e-9 * critical);
    scene.bodies().gradient(i) += 1e-9 * Mat3(modes.shape(2).asDiagonal());
    for (int k = 0; k < 50; k++) {
      begin_step(scene.bodies(), scene.domain().bulk_materials, Gravity(), {0, factor * critical});
      end_step(scene.bodies(), scene.domain().bulk_materials, {0, factor * critical});
    }
    const double size = (scene.gradient(i).diagonal() - Vec3::Ones()).norm() / 1e-9;
    if (factor < 1)
      EXPECT_LT(size, 10);
    else
      EXPECT_GT(size, 1000);
  }
}

TEST(PseudoRigidBar, ImplicitSchemesAreStableAtAnyStep) {
  for (Scheme scheme : {Scheme::def_lim, Scheme::def_lim2, Scheme::def_imp}) {
    Scene scene(1);
    const int i = add_bar(scene, scheme, 0.3);
    const StretchingModes modes(kSides, scene.bulk());
    scene.simulation.settings.step = 50 / modes.omega(2);
    scene.bodies().gradient(i) += 1e-6 * Mat3::Identity();
    scene.steps(1000);
    EXPECT_LT((scene.gradient(i) - Mat3::Identity()).norm(), 1e-5);
  }
}

TEST(PseudoRigidBar, DissipativeSchemeIsBackwardEuler) {
  // For small vibrations, with the positions half a step on; it shrinks a mode of frequency w by
  // 1 / sqrt(1 + h^2 w^2) in a step.
  const double small = 1e-7;
  for (int mode : {0, 2})
    for (double part : {0.01, 0.1, 1.0, 10.0}) {
      Scene scene(1);
      const int i = add_bar(scene, Scheme::def_lim2, 0.3);
      const StretchingModes modes(kSides, scene.bulk());
      const double w = modes.omega(mode), h = part / w;
      const Vec3 shape = modes.shape(mode);
      scene.simulation.settings.step = h;
      scene.bodies().gradient(i) += small * Mat3(shape.asDiagonal());
      double q = 1, u = 0;
      for (int k = 0; k < 20; k++) {
        scene.steps(1);
        u = (u - h * w * w * q) / (1 + part * part);
        q += h * u;
        EXPECT_NEAR(q * q + u * u / (w * w), std::pow(1 + part * part, -k - 1), 1e-12);
        const Vec3 stretch = (scene.gradient(i).diagonal() - Vec3::Ones()) / small,
                   rate = Eigen::Map<const Mat3>(scene.bodies().u(i)).diagonal() / small;
        const double size = shape.squaredNorm(), v = rate.dot(shape) / size;
        EXPECT_NEAR(v, u, 1e-5 * w);
        EXPECT_NEAR(stretch.dot(shape) / size + 0.5 * h * v, q, 1e-5);
      }
    }
}

TEST(PseudoRigidBar, ConservingSchemeKeepsEnergyAndExplicitBoundsIt) {
  // Large stretching and spin, 100,000 steps.
  for (Scheme scheme : {Scheme::def_imp, Scheme::def_exp}) {
    Scene scene(1);
    const int i = add_bar(scene, scheme, 0.3);
    const StretchingModes modes(kSides, scene.bulk());
    scene.simulation.settings.step = (scheme == Scheme::def_imp ? 0.5 : 0.2) / modes.omega(2);
    scene.bodies().gradient(i)(0, 0) = 1.2;
    Eigen::Map<Mat3>(scene.bodies().u(i)) = skew(Vec3(10, 20, 30)) * scene.gradient(i);
    const auto total = [&] { return scene.energy(i).kinetic + scene.energy(i).internal; };
    const double before = total();
    double least = before, most = before;
    for (int k = 0; k < 100; k++) {
      scene.steps(1000);
      least = std::min(least, total());
      most = std::max(most, total());
    }
    EXPECT_LT(most - least, (scheme == Scheme::def_imp ? 1e-8 : 2e-2) * before)
        << static_cast<int>(scheme);
  }
}

TEST(PseudoRigidBar, DampingDecays) {
  // With stiffness-proportional damping eta a mode decays as exp(-eta omega^2 t / 2).
  for (Scheme scheme : kSchemes) {
    Scene scene(1);
    const int i = add_bar(scene, scheme, 0.3);
    const StretchingModes modes(kSides, scene.bulk());
    const double w = modes.omega(0), ratio = 0.05, eta = 2 * ratio / w;
    scene.bodies()[i].damping = eta;
    scene.simulation.settings.step = 0.001 * 2 * std::numbers::pi / w;
    scene.bodies().gradient(i) += 1e-6 * Mat3(modes.shape(0).asDiagonal());
    scene.steps(5000);
    const double t = scene.simulation.clock.time, wd = w * std::sqrt(1 - ratio * ratio);
    const double exact =
        std::exp(-ratio * w * t) *
        (std::cos(wd * t) + ratio / std::sqrt(1 - ratio * ratio) * std::sin(wd * t));
    const double amplitude = (scene.gradient(i).diagonal() - Vec3::Ones()).dot(modes.shape(0));
    EXPECT_NEAR(amplitude / 1e-6, exact, 2e-3 * std::exp(-ratio * w * t) + 1e-4);
  }
}

TEST(PseudoRigidBar, SpinKeepsAngularMomentum) {
  Random random(2);
  for (Scheme scheme : kSchemes)
    for (double damping : {0.0, 1e-3}) {
      Scene scene(1e-3);
      const int i = add_bar(scene, scheme, 0.3);
      scene.bodies()[i].damping = damping;
      scene.set_velocity(i, Vec3(1, 2, 3), 5 * random.direction());
      const testing::Momentum before = scene.momentum();
      scene.steps(2000);
      const testing::Momentum after = scene.momentum();
      EXPECT_LT((after.linear - before.linear).norm(), 1e-12 * before.linear.norm());
      // DEF_IMP iterates to 1E-12 in each step.
      const double accuracy = scheme == Scheme::def_imp ? 1e-10 : 1e-12;
      EXPECT_LT((after.angular - before.angular).norm(), accuracy * before.angular.norm());
      // It did stretch under the centrifugal forces.
      const Mat3 F = scene.gradient(i);
      EXPECT_GT((F.transpose() * F - Mat3::Identity()).norm(), 1e-4);
    }
}

TEST(PseudoRigidBar, EnergyOfFreeMotion) {
  // Without damping kinetic and internal energy together are kept to O(h^2); DEF_IMP: see above.
  for (Scheme scheme : {Scheme::def_exp, Scheme::def_lim}) {
    const auto error = [&](double h) {
      Scene scene(h);
      const int i = add_bar(scene, scheme, 0.3);
      scene.set_velocity(i, Vec3::Zero(), Vec3(1, 2, -3));
      const double before = scene.energy(i).kinetic;
      double worst = 0;
      while (scene.simulation.clock.time < 0.5 && !HasFatalFailure()) {
        scene.step();
        const Energy e = scene.energy(i);
        worst = std::max(worst, std::abs(e.kinetic + e.internal - before) / before);
      }
      return worst;
    };
    SCOPED_TRACE(static_cast<int>(scheme));
    expect_second_order(error, 5e-4, 0.3);
    EXPECT_LT(error(1e-4), 1e-4);
  }
}

}  // namespace
}  // namespace solfec::pseudo_rigid_bar_test
