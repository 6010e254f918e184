// Velocities of points against differences of their motion, and forces by the principle of virtual
// work.
#include "body/kinematics.hpp"

#include <gtest/gtest.h>

#include "body/integration.hpp"
#include "body/linear_implicit.hpp"
#include "body/pseudo_rigid.hpp"
#include "support/make_bodies.hpp"

namespace solfec::kinematics_test {
namespace {

using testing::Random;
using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic>;

BulkMaterials some_material() {
  BulkMaterials materials;
  materials.store({"rubber", 1e5, 0.3, 1000});
  return materials;
}

int random_body(Random& random, BodyStore& bodies, BodyKind kind) {
  const int i =
      testing::add_body(bodies, kind, {testing::random_polyhedron(random, random.in_box(2), 1)});
  testing::move_at_random(random, bodies, i);
  return i;
}

// H with v(x) = H u, column by column from unit velocities.
Rows velocity_rows(const BodyStore& bodies, int i, const Vec3& x) {
  const int n = bodies.dofs(i);
  Rows H(3, n);
  for (int k = 0; k < n; k++) {
    const Eigen::VectorXd unit = Eigen::VectorXd::Unit(n, k);
    H.col(k) = velocity_at(bodies, i, x, unit.data());
  }
  return H;
}

const std::vector<BodyKind> kKinds = {BodyKind::rigid, BodyKind::pseudo_rigid, BodyKind::obstacle};

TEST(Kinematics, PointsGoAndComeBack) {
  Random random(1);
  for (BodyKind kind : kKinds)
    for (int repeat = 0; repeat < 20; repeat++) {
      BodyStore bodies;
      const int i = random_body(random, bodies, kind);
      const Vec3 X = random.in_box(2), Xc = bodies[i].reference.center;
      const Vec3 x = current_point(bodies, i, X);
      EXPECT_NEAR((x - bodies.center(i) - bodies.gradient(i) * (X - Xc)).norm(), 0, 1e-13);
      EXPECT_NEAR((material_offset(bodies, i, x) - (X - Xc)).norm(), 0, 1e-13);
    }
}

TEST(Kinematics, VelocityIsTheRateOfMotion) {
  Random random(2);
  for (BodyKind kind : kKinds)
    for (int repeat = 0; repeat < 20; repeat++) {
      BodyStore bodies;
      const int i = random_body(random, bodies, kind);
      const Vec3 X = random.in_box(2);
      const Vec3 velocity = velocity_at(bodies, i, current_point(bodies, i, X), bodies.u(i));
      const Mat3 G = bodies.gradient(i);
      const Vec3 c = bodies.center(i);
      const double h = 1e-5;
      const auto point_after = [&](double t) {
        if (kind == BodyKind::pseudo_rigid)
          bodies.gradient(i) = G + t * Eigen::Map<const Mat3>(bodies.u(i));
        else
          bodies.gradient(i) = G * exponential(t * Eigen::Map<const Vec3>(bodies.u(i)));
        bodies.center(i) = c + t * Eigen::Map<const Vec3>(bodies.u(i) + bodies.dofs(i) - 3);
        return current_point(bodies, i, X);
      };
      const Vec3 plus = point_after(h), minus = point_after(-h);
      EXPECT_NEAR(((plus - minus) / (2 * h) - velocity).norm(), 0, 1e-8);
    }
}

TEST(Kinematics, ForcesDoTheirWorkOnTheVelocityOfTheirPoint) {
  Random random(3);
  for (BodyKind kind : kKinds)
    for (int repeat = 0; repeat < 20; repeat++) {
      BodyStore bodies;
      const int i = random_body(random, bodies, kind);
      const Vec3 x = random.in_box(2), F = random.in_box(10);
      Eigen::VectorXd r = Eigen::VectorXd::Constant(bodies.dofs(i), 0.25);
      add_force_at(bodies, i, x, F, r.data());
      const Eigen::VectorXd expected = velocity_rows(bodies, i, x).transpose() * F;
      EXPECT_NEAR((r.array() - 0.25 - expected.array()).matrix().norm(), 0, 1e-12)
          << "H^T F is added";
    }
}

TEST(Kinematics, ScaledRowsAreTheRootOfWForMassMatrices) {
  Random random(4);
  for (BodyKind kind : {BodyKind::rigid, BodyKind::pseudo_rigid})
    for (int repeat = 0; repeat < 20; repeat++) {
      BodyStore bodies;
      const int i = random_body(random, bodies, kind);
      const int n = bodies.dofs(i);
      // M: the inertia for rotations, the Euler tensor for each row of F (column-wise: E (x) I).
      Eigen::MatrixXd M = Eigen::MatrixXd::Zero(n, n);
      const Mat3 tensor = bodies[i].reference.tensor;
      if (kind == BodyKind::rigid) {
        M.topLeftCorner<3, 3>() = tensor;
      } else {
        for (int J = 0; J < 3; J++)
          for (int L = 0; L < 3; L++) M.block<3, 3>(3 * J, 3 * L) = tensor(J, L) * Mat3::Identity();
      }
      M.bottomRightCorner<3, 3>() = bodies[i].reference.mass * Mat3::Identity();
      const Vec3 x1 = random.in_box(2), x2 = random.in_box(2);
      const Mat3 base1 = random.rotation(), base2 = random.rotation();
      Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor> G1(3, n), G2(3, n);
      scaled_rows(bodies, i, x1, base1, G1.data());
      scaled_rows(bodies, i, x2, base2, G2.data());
      const Mat3 dense = base1.transpose() * velocity_rows(bodies, i, x1) * M.inverse() *
                         velocity_rows(bodies, i, x2).transpose() * base2;
      EXPECT_NEAR((G1 * G2.transpose() - dense).norm(), 0, 1e-11 * (1 + dense.norm()));
    }
}

// Their blocks do not turn with them: all contacts of balls have blocks of one form then.
TEST(Kinematics, ScaledRowsOfBallsAreInSpace) {
  Random random(6);
  BodyStore bodies;
  const int ball = testing::add_body(bodies, BodyKind::rigid, {Sphere{random.in_box(1), 0.3}});
  const int other = random_body(random, bodies, BodyKind::rigid);
  for (int i : {ball, other}) {
    const Vec3 x = bodies.center(i) + random.in_box(0.3);
    const Mat3 base = random.rotation();
    Eigen::Matrix<double, 3, 6, Eigen::RowMajor> before, after;
    scaled_rows(bodies, i, x, base, before.data());
    const Vec3 arm = x - bodies.center(i);
    testing::move_at_random(random, bodies, i);
    const Vec3 then = bodies.center(i) + arm;
    scaled_rows(bodies, i, then, base, after.data());
    const double change = (after - before).norm() / before.norm();
    EXPECT_TRUE(i == ball ? change < 1e-14 : change > 1e-2) << change;
    const Rows H = velocity_rows(bodies, i, then);
    Eigen::Matrix<double, 6, 6> M =
        bodies[i].reference.mass * Eigen::Matrix<double, 6, 6>::Identity();
    M.topLeftCorner<3, 3>() = bodies[i].reference.tensor;
    const Mat3 dense = base.transpose() * H * M.inverse() * H.transpose() * base;
    EXPECT_NEAR((after * after.transpose() - dense).norm(), 0, 1e-11 * dense.norm());
  }
}

TEST(Kinematics, ScaledRowsOfTheLinearlyImplicitScheme) {
  Random random(5);
  const BulkMaterials materials = some_material();
  for (int repeat = 0; repeat < 20; repeat++) {
    BodyStore bodies;
    const int i = random_body(random, bodies, BodyKind::pseudo_rigid);
    bodies[i].scheme = Scheme::def_lim;
    bodies[i].damping = 1e-3;
    const double h = 2e-3;
    const Gravity none{{TimeSeries(0), TimeSeries(0), TimeSeries(0)}};
    begin_step(bodies, materials, none, {0, h});  // leaves the factor of A at mid-step
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(12, 12);
    A.topLeftCorner<9, 9>() = linear_implicit(Scheme::def_lim, bodies[i].damping, h).a *
                              bodies[i].reference.volume *
                              material_tangent(bodies.gradient(i), materials[0]);
    for (int J = 0; J < 3; J++)
      for (int L = 0; L < 3; L++)
        A.block<3, 3>(3 * J, 3 * L) += bodies[i].reference.tensor(J, L) * Mat3::Identity();
    A.bottomRightCorner<3, 3>() = bodies[i].reference.mass * Mat3::Identity();
    const Vec3 x1 = random.in_box(2), x2 = random.in_box(2);
    const Mat3 base1 = random.rotation(), base2 = random.rotation();
    Eigen::Matrix<double, 3, 12, Eigen::RowMajor> G1, G2;
    scaled_rows(bodies, i, x1, base1, G1.data());
    scaled_rows(bodies, i, x2, base2, G2.data());
    const Mat3 dense = base1.transpose() * velocity_rows(bodies, i, x1) * A.inverse() *
                       velocity_rows(bodies, i, x2).transpose() * base2;
    EXPECT_NEAR((G1 * G2.transpose() - dense).norm(), 0, 1e-10 * (1 + dense.norm()));
  }
}

TEST(Kinematics, CauchyStress) {
  const BulkMaterials materials = some_material();
  BodyStore bodies;
  const int rigid = testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, 0}, 1));
  const int soft =
      testing::add_body(bodies, BodyKind::pseudo_rigid, testing::ball_shape({0, 0, 0}, 1));
  EXPECT_EQ(cauchy_stress(bodies, materials, rigid, Vec3::Zero()), Mat3::Zero());
  // Stretched along x by s: e = (s^2 - 1) / 2, sigma = F S F^T / det F.
  const double s = 1.1, e = (s * s - 1) / 2;
  const double lambda = materials[0].lambda(), mu = materials[0].mu();
  const Mat3 sigma = Vec3(s * (lambda + 2 * mu) * e, lambda * e / s, lambda * e / s).asDiagonal();
  bodies.gradient(soft) = Vec3(s, 1, 1).asDiagonal();
  EXPECT_NEAR((cauchy_stress(bodies, materials, soft, Vec3::Zero()) - sigma).norm(), 0, 1e-9);
  Random random(6);
  const Mat3 R = random.rotation();
  bodies.gradient(soft) = R * Mat3(Vec3(s, 1, 1).asDiagonal());
  EXPECT_NEAR(
      (cauchy_stress(bodies, materials, soft, Vec3::Zero()) - R * sigma * R.transpose()).norm(), 0,
      1e-9);
}

}  // namespace
}  // namespace solfec::kinematics_test
