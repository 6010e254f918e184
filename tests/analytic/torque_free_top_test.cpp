// Free rotation of a body with three different moments of inertia, by the three rigid schemes.
#include "analytic/solutions/torque_free_top.hpp"

#include "body/rigid.hpp"
#include "core/error.hpp"
#include "support/scene.hpp"

namespace solfec::torque_free_top_test {
namespace {

using solutions::JacobiFunctions;
using solutions::TorqueFreeTop;
using testing::expect_second_order;
using testing::make_box;
using testing::Random;
using testing::Scene;

constexpr Scheme kSchemes[] = {Scheme::rig_pos, Scheme::rig_neg, Scheme::rig_imp};

const Vec3 kInertia(1, 2, 2.5);

int add_top(Scene& scene, Scheme scheme, const Mat3& J, const Vec3& spin) {
  const int i = scene.add_rigid(make_box(Vec3::Zero(), Vec3::Ones(), Mat3::Identity()), scheme);
  scene.bodies()[i].reference.tensor = J;
  scene.bodies().update_inertia(i);
  scene.set_velocity(i, Vec3::Zero(), spin);
  return i;
}

double kinetic(const Scene& scene, int i) { return scene.energy(i).kinetic; }

TEST(TorqueFreeTop, JacobiFunctions) {
  // Identities, special values, and the derivative sn' = cn dn.
  for (double k : {0.1, 0.5, 0.9, 0.999}) {
    const double K = std::comp_ellint_1(k);
    const JacobiFunctions quarter(K, k);
    EXPECT_NEAR(quarter.sn, 1, 1e-12);
    EXPECT_NEAR(quarter.dn, std::sqrt(1 - k * k), 1e-8);
    for (double u : {-1.3, 0.2, 2.7, 9.0}) {
      const JacobiFunctions f(u, k), left(u - 1e-5, k), right(u + 1e-5, k), turn(u + 4 * K, k);
      EXPECT_NEAR(f.sn * f.sn + f.cn * f.cn, 1, 1e-14);
      EXPECT_NEAR((right.sn - left.sn) / 2e-5, f.cn * f.dn, 1e-9);
      EXPECT_NEAR(turn.sn, f.sn, 1e-11);
    }
  }
}

TEST(TorqueFreeTop, ReferenceSolvesEulersEquations) {
  const TorqueFreeTop exact(kInertia, 1, 2);
  const Mat3 J = kInertia.asDiagonal();
  const Vec3 momentum = J * exact.angular_velocity_at(0);
  for (double t : {0.0, 0.7, 3.0, 11.0}) {
    const Vec3 w = exact.angular_velocity_at(t);
    const Vec3 rate =
        (exact.angular_velocity_at(t + 1e-5) - exact.angular_velocity_at(t - 1e-5)) / 2e-5;
    EXPECT_LT((J * rate + w.cross(J * w)).norm(), 1e-8);
    EXPECT_LT((exact.rotation_at(t) * (J * w) - momentum).norm(), 1e-11);
  }
}

TEST(TorqueFreeTop, SecondOrder) {
  const TorqueFreeTop exact(kInertia, 1, 2);
  const double end = 4;
  const Vec3 w = exact.angular_velocity_at(end);
  const Mat3 L = exact.rotation_at(end);
  for (Scheme scheme : kSchemes) {
    const auto error = [&](double h, bool rotation) {
      Scene scene(h);
      const int i = add_top(scene, scheme, kInertia.asDiagonal(), exact.angular_velocity_at(0));
      scene.run_to(end);
      return rotation ? (scene.gradient(i) - L).norm() : (scene.referential_spin(i) - w).norm();
    };
    SCOPED_TRACE(static_cast<int>(scheme));
    expect_second_order([&](double h) { return error(h, false); }, 1.0 / 128);
    expect_second_order([&](double h) { return error(h, true); }, 1.0 / 128);
  }
}

TEST(TorqueFreeTop, MomentumInSpace) {
  Random random(7);
  for (int k = 0; k < 20; k++) {
    const Mat3 axes = random.rotation();
    const Mat3 J = axes * kInertia.asDiagonal() * axes.transpose();
    const Vec3 spin = random.in_box(3);
    for (Scheme scheme : kSchemes) {
      Scene scene(0.02);
      const int i = add_top(scene, scheme, J, spin);
      const Vec3 before = scene.spin_momentum(i);
      scene.steps(2000);
      const double change = (scene.spin_momentum(i) - before).norm() / before.norm();
      if (scheme != Scheme::rig_pos)
        EXPECT_LT(change, 1e-12) << k;
      else
        EXPECT_GT(change, 1e-9) << k;  // not what this scheme is for
      EXPECT_LT((scene.gradient(i).transpose() * scene.gradient(i) - Mat3::Identity()).norm(),
                1e-14);
    }
  }
}

// Relative changes of the kinetic energy over a hundred turns or so.
struct Drift {
  double end, lowest = 0, highest = 0;
};
Drift energy_drift(Scheme scheme, const Vec3& spin, double h, int steps) {
  Scene scene(h);
  const int i = add_top(scene, scheme, kInertia.asDiagonal(), spin);
  const double before = kinetic(scene, i);
  Drift drift;
  for (int k = 0; k < steps; k++) {
    scene.step();
    drift.end = kinetic(scene, i) / before - 1;
    drift.lowest = std::min(drift.lowest, drift.end);
    drift.highest = std::max(drift.highest, drift.end);
  }
  return drift;
}

// How much the second half of a long run has more energy than the first, relative.
double secular_drift(Scheme scheme, const Vec3& spin, double h, int steps) {
  Scene scene(h);
  const int i = add_top(scene, scheme, kInertia.asDiagonal(), spin);
  const double before = kinetic(scene, i);
  double mean[2] = {0, 0};
  for (int k = 0; k < steps; k++) {
    scene.step();
    mean[2 * k / steps] += kinetic(scene, i) / before / (steps / 2);
  }
  return mean[1] - mean[0];
}

TEST(TorqueFreeTop, EnergyDriftOfExplicitSchemes) {
  // Motions about the axis of the largest moment and next to the unstable one.
  for (const Vec3& spin : {Vec3(1, 0, 2), Vec3(1, 1, 1), Vec3(0.1, 0.2, 3), Vec3(0.01, 2, 0.02)}) {
    const double pos = secular_drift(Scheme::rig_pos, spin, 0.02, 20000);
    const double neg = secular_drift(Scheme::rig_neg, spin, 0.02, 20000);
    EXPECT_GT(pos, 1e-5);
    EXPECT_LT(neg, -1e-5);
    // The drift of a given time is of third order.
    const double coarse = secular_drift(Scheme::rig_pos, spin, 0.04, 10000);
    EXPECT_NEAR(std::log2(coarse / pos), 3, 0.4) << spin.transpose();
  }
  // About the axis of the smallest moment it is the other way round, and small.
  for (const Vec3& spin : {Vec3(2, 0.5, 0.3), Vec3(3, 0.01, 0.2)}) {
    const double pos = secular_drift(Scheme::rig_pos, spin, 0.02, 20000);
    const double neg = secular_drift(Scheme::rig_neg, spin, 0.02, 20000);
    EXPECT_LT(pos, -1e-6);
    EXPECT_GT(neg, 1e-6);
    EXPECT_LT(neg, 3e-5);
  }
}

TEST(TorqueFreeTop, EnergyOfImplicitSchemeIsBounded) {
  // The scheme is symmetric in time: the energy swings by O(h^2) and comes back, as far in the
  // first tenth of the run as in all.
  const double h = 0.02;
  const int steps = 20000;
  for (const Vec3& spin : {Vec3(1, 0, 2), Vec3(2, 0.5, 0.3), Vec3(0.1, 2, 0.1), Vec3(1, 1, 1)}) {
    const Drift part = energy_drift(Scheme::rig_imp, spin, h, steps / 10),
                whole = energy_drift(Scheme::rig_imp, spin, h, steps),
                coarse = energy_drift(Scheme::rig_imp, spin, 2 * h, steps / 10);
    const double swing = part.highest - part.lowest;
    EXPECT_LT(swing, 1e-4);
    EXPECT_LT(whole.highest - part.highest, 0.01 * swing);
    EXPECT_LT(part.lowest - whole.lowest, 0.01 * swing);
    EXPECT_NEAR(std::log2((coarse.highest - coarse.lowest) / swing), 2, 0.1);
    EXPECT_LT(std::abs(secular_drift(Scheme::rig_imp, spin, h, steps)), 0.05 * swing);
  }
}

TEST(TorqueFreeTop, ImplicitSchemeIsReversible) {
  // A step back with the velocity turned round undoes a step.
  Scene scene(0.1);
  const Vec3 spin(3, 4, -5);
  const int i = add_top(scene, Scheme::rig_imp, kInertia.asDiagonal(), spin);
  scene.steps(50);
  scene.set_velocity(i, Vec3::Zero(), -scene.spin(i));
  scene.steps(50);
  EXPECT_LT((scene.referential_spin(i) + spin).norm(), 1e-11);
  EXPECT_LT((scene.gradient(i) - Mat3::Identity()).norm(), 1e-11);
}

// A random tensor of inertia: mass on three axes, so that no moment exceeds the sum of the others,
// from balls to needles and discs of extreme thinness.
Mat3 random_inertia(Random& random, double decades) {
  Vec3 euler;
  for (int d = 0; d < 3; d++) euler[d] = std::pow(10, random.uniform(-decades, 0));
  const Mat3 axes = random.rotation();
  return axes * (euler.sum() * Mat3::Identity() - Mat3(euler.asDiagonal())) * axes.transpose();
}

// One step from random velocities: what is found solves  exp(h w / 2) J w = a.
void expect_convergence(std::uint64_t seed, double decades, double most_angle, int count) {
  Random random(seed);
  for (int k = 0; k < count; k++) {
    const Mat3 J = random_inertia(random, decades);
    const double angle = most_angle * std::pow(10, random.uniform(-6, 0));  // h |w|
    const double h = std::pow(10, random.uniform(-5, 0));
    const Vec3 start = angle / h * random.direction();
    const Vec3 a = exponential(-0.5 * h * start) * (J * start);
    const auto w = solve_implicit_rotation(J, a, h, start);
    ASSERT_TRUE(w) << "case " << k << ", h |w| = " << angle;
    const double missed = (exponential(0.5 * h * *w) * (J * *w) - a).norm();
    // The matrix products here leave rounding of their own.
    ASSERT_LE(missed, 1.1 * kImplicitRotationAccuracy * a.norm())
        << "case " << k << ", h |w| = " << angle;
  }
}

TEST(TorqueFreeTop, ImplicitSchemeConvergesForAnyFreeMotion) {
  expect_convergence(11, 6, 10, 20000);   // extreme shapes, up to 1.6 turns in a step
  expect_convergence(12, 1, 100, 20000);  // up to 16 turns in a step
}

TEST(TorqueFreeTop, ImplicitSchemeConvergesFromAnyStart) {
  // With torques the start is no solution of anything; a may be turned right round.
  Random random(17);
  for (int k = 0; k < 20000; k++) {
    const Mat3 J = random_inertia(random, 3);
    const Vec3 start = random.uniform(0, 10) * random.direction();
    const Vec3 a = random.uniform(0, 10) * J.norm() * random.direction();
    const auto w = solve_implicit_rotation(J, a, 0.3, start);
    ASSERT_TRUE(w) << k;
    ASSERT_LT((exponential(0.15 * *w) * (J * *w) - a).norm(), 1.1e-12 * a.norm()) << k;
  }
}

TEST(TorqueFreeTop, ImplicitSchemeRunsAtLargeSteps) {
  Random random(13);
  for (int k = 0; k < 200; k++) {
    const Mat3 J = random_inertia(random, 4);
    Scene scene(0.1);
    const int i = add_top(scene, Scheme::rig_imp, J, random.uniform(1, 60) * random.direction());
    const Vec3 before = scene.spin_momentum(i);
    scene.steps(200);
    ASSERT_LT((scene.spin_momentum(i) - before).norm(), 1e-11 * before.norm()) << k;
  }
}

TEST(TorqueFreeTop, ImplicitSchemeDoesNotHideFailure) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Mat3 J = kInertia.asDiagonal();
  EXPECT_FALSE(solve_implicit_rotation(J, Vec3(1, nan, 0), 0.1, Vec3::Zero()));
  EXPECT_FALSE(solve_implicit_rotation(nan * J, Vec3(1, 0, 0), 0.1, Vec3::Zero()));
  Scene scene(0.1);
  const int i = add_top(scene, Scheme::rig_imp, J, Vec3(nan, 1, 1));
  const std::string id = std::to_string(scene.bodies().id(i).value);
  try {
    scene.steps(1);
    FAIL() << "the step has gone through";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("body " + id), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("state that is not finite"), std::string::npos)
        << error.what();
  }
}

TEST(TorqueFreeTop, ImplicitSchemeIsAccurateOrSaysSo) {
  // The most extreme shapes at a fast spin: a result either has the accuracy or is none.
  Random random(19);
  for (int k = 0; k < 2000; k++) {
    const Mat3 J = random_inertia(random, 8);
    const Vec3 start = 50 * random.direction();
    const Vec3 a = exponential(-0.05 * start) * (J * start);
    if (const auto w = solve_implicit_rotation(J, a, 0.1, start)) {
      ASSERT_LE((exponential(0.05 * *w) * (J * *w) - a).norm(), 1.1e-12 * a.norm()) << k;
    }
  }
}

}  // namespace
}  // namespace solfec::torque_free_top_test
