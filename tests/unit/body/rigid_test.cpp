// One step of each rigid scheme against the formulas in the header, written out once more with
// Eigen's AngleAxis; conservation; accuracy of the implicit solution.
#include "body/rigid.hpp"

#include <gtest/gtest.h>

#include "support/make_bodies.hpp"

namespace solfec::rigid_test {
namespace {

using testing::Random;

Mat3 turn(const Vec3& psi) {
  if (psi.norm() == 0) return Mat3::Identity();
  return Eigen::AngleAxisd(psi.norm(), psi.normalized()).toRotationMatrix();
}

struct Top {
  BodyStore bodies;
  int i;
  Mat3 J;

  Top(Random& random, Scheme scheme, double spin, const Vec3& radii = {0.5, 0.8, 1}) {
    i = testing::add_body(bodies, BodyKind::rigid,
                          {Ellipsoid{random.in_box(1), radii, random.rotation()}}, 100);
    bodies[i].scheme = scheme;
    testing::move_at_random(random, bodies, i);
    omega() = spin * random.direction();
    J = bodies[i].reference.tensor;
  }
  Eigen::Map<Vec3> omega() { return Eigen::Map<Vec3>(bodies.u(i)); }
  Eigen::Map<Vec3> velocity() { return Eigen::Map<Vec3>(bodies.u(i) + 3); }
  Vec3 momentum() { return bodies.gradient(i) * (J * omega()); }
  double energy() { return 0.5 * omega().dot(J * omega()); }
  void step(double h, const std::array<double, 6>& reaction = {}) {
    rigid_move(bodies, i, 0.5 * h);
    rigid_free_velocity(bodies, i, h);
    rigid_end_step(bodies, i, h, reaction.data());
  }
};

TEST(Rigid, StepsFollowTheirFormulas) {
  Random random(1);
  const double h = 0.01;
  for (Scheme scheme : {Scheme::rig_pos, Scheme::rig_neg, Scheme::rig_imp})
    for (int repeat = 0; repeat < 50; repeat++) {
      const bool ball = repeat % 2 == 1;
      Top top(random, scheme, random.uniform(0, 10),
              ball ? Vec3(Vec3::Constant(0.8)) : Vec3(0.5, 0.8, 1));
      const Mat3 J = top.J, L = top.bodies.gradient(top.i);
      const Vec3 w = top.omega(), v = top.velocity(), x = top.bodies.center(top.i);
      const double m = top.bodies[top.i].reference.mass;
      const Vec3 T = random.in_box(50), f = random.in_box(50);
      const Vec3 rT = random.in_box(50), rf = random.in_box(50);
      Eigen::Map<Vec3>(top.bodies.f(top.i)) = T;
      Eigen::Map<Vec3>(top.bodies.f(top.i) + 3) = f;

      const Mat3 L_half = L * turn(0.5 * h * w);
      const Vec3 w_half = J.inverse() * (turn(-0.5 * h * w) * (J * w) + 0.5 * h * T);
      const Vec3 free = w + h * J.inverse() * (T - w_half.cross(J * w_half));
      const Vec3 w1 = free + h * J.inverse() * rT;
      const Vec3 a = turn(-0.5 * h * w) * (J * w) + h * (T + rT);
      const Vec3 v1 = v + h / m * (f + rf);

      rigid_move(top.bodies, top.i, 0.5 * h);
      EXPECT_NEAR((top.bodies.gradient(top.i) - L_half).norm(), 0, 1e-14);
      EXPECT_NEAR((top.bodies.center(top.i) - x - 0.5 * h * v).norm(), 0, 1e-15);
      rigid_free_velocity(top.bodies, top.i, h);
      EXPECT_NEAR((Eigen::Map<Vec3>(top.bodies.b(top.i)) - free).norm(), 0, 1e-13);
      EXPECT_NEAR((Eigen::Map<Vec3>(top.bodies.b(top.i) + 3) - v - h / m * f).norm(), 0, 1e-14);
      const double r[6] = {rT[0], rT[1], rT[2], rf[0], rf[1], rf[2]};
      rigid_end_step(top.bodies, top.i, h, r);

      EXPECT_NEAR((top.velocity() - v1).norm(), 0, 1e-14);
      EXPECT_NEAR((top.bodies.center(top.i) - x - 0.5 * h * (v + v1)).norm(), 0, 1e-14);
      const Vec3 after = top.omega();
      Vec3 increment = w1;
      if (scheme == Scheme::rig_pos) {
        EXPECT_NEAR((after - w1).norm(), 0, 1e-13);
      } else if (scheme == Scheme::rig_neg) {
        EXPECT_NEAR((after - J.inverse() * turn(-0.5 * h * w1) * a).norm(), 0, 1e-13);
      } else {
        EXPECT_NEAR((turn(0.5 * h * after) * (J * after) - a).norm(), 0, 1e-13 * a.norm());
        increment = after;
      }
      EXPECT_NEAR((top.bodies.gradient(top.i) - L_half * turn(0.5 * h * increment)).norm(), 0,
                  1e-13);
    }
}

TEST(Rigid, MomentumAndEnergyOfAFreeTop) {
  // Tumbling about the middle axis, long enough for what builds up to outgrow what goes to and fro.
  for (Scheme scheme : {Scheme::rig_pos, Scheme::rig_neg, Scheme::rig_imp}) {
    Random random(2);
    Top top(random, scheme, 0);
    const Eigen::SelfAdjointEigenSolver<Mat3> principal(top.J);
    top.omega() = principal.eigenvectors() * Vec3(0.5, 10, 0.5);
    const Vec3 momentum = top.momentum();
    const double energy = top.energy();
    for (int k = 0; k < 20000; k++) top.step(0.01);
    const double drift = top.energy() / energy - 1;
    if (scheme == Scheme::rig_pos) {
      EXPECT_GT(drift, 1e-3) << "gains energy";
    } else {
      EXPECT_NEAR((top.momentum() - momentum).norm(), 0, 1e-11 * momentum.norm());
    }
    if (scheme == Scheme::rig_neg) {
      EXPECT_LT(drift, -1e-3) << "loses energy";
    }
    if (scheme == Scheme::rig_imp) {
      EXPECT_NEAR(drift, 0, 1e-4) << "does neither";
    }
    const Mat3 L = top.bodies.gradient(top.i);
    EXPECT_NEAR((L.transpose() * L - Mat3::Identity()).norm(), 0, 1e-14);
  }
}

TEST(Rigid, PrincipalAxesAreSteady) {
  // Spin about a principal axis goes on unchanged, whatever the scheme and the step.
  for (Scheme scheme : {Scheme::rig_pos, Scheme::rig_neg, Scheme::rig_imp})
    for (int axis = 0; axis < 3; axis++) {
      BodyStore bodies;
      const int i = testing::add_body(bodies, BodyKind::rigid,
                                      {Ellipsoid{{0, 0, 0}, {0.5, 0.8, 1}, Mat3::Identity()}});
      bodies[i].scheme = scheme;
      bodies.u(i)[axis] = 3;
      const double h = 0.1;
      const std::array<double, 6> none{};
      for (int k = 0; k < 10; k++) {
        rigid_move(bodies, i, 0.5 * h);
        rigid_free_velocity(bodies, i, h);
        rigid_end_step(bodies, i, h, none.data());
      }
      EXPECT_NEAR((Eigen::Map<Vec3>(bodies.u(i)) - 3 * Vec3::Unit(axis)).norm(), 0, 1e-12);
      EXPECT_NEAR((bodies.gradient(i) - turn(3 * Vec3::Unit(axis))).norm(), 0, 1e-12);
    }
}

TEST(Rigid, ImplicitRotationIsSolvedFromAnyStart) {
  Random random(3);
  for (int repeat = 0; repeat < 2000; repeat++) {
    const Vec3 principal(random.uniform(0.5, 1), random.uniform(0.5, 1), random.uniform(0.5, 1));
    const Mat3 R = random.rotation(), J = R * principal.asDiagonal() * R.transpose();
    const double h = std::pow(10, random.uniform(-4, 0));
    // Half the turn of a step from nothing to more than a right angle.
    const Vec3 a = random.uniform(0, 4) / h * random.direction();
    const Vec3 w = solve_implicit_rotation(J, a, h, random.in_box(10)).value();
    EXPECT_NEAR((turn(0.5 * h * w) * (J * w) - a).norm(), 0, 1e-12 * a.norm());
    EXPECT_NEAR((J * w).norm(), a.norm(), 1e-12 * a.norm());
  }
  EXPECT_EQ(solve_implicit_rotation(Mat3::Identity(), Vec3::Zero(), 1, {1, 2, 3}), Vec3::Zero());
}

}  // namespace
}  // namespace solfec::rigid_test
