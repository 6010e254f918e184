// Stress as the gradient of the strain energy, tangents as the gradient of the stress, both by
// differences; the two schemes against their equations solved densely; the stability limit.
#include "body/pseudo_rigid.hpp"

#include <gtest/gtest.h>

#include "body/linear_implicit.hpp"
#include "core/error.hpp"
#include "support/make_bodies.hpp"

namespace solfec::pseudo_rigid_test {
namespace {

using testing::Random;

const BulkMaterial kRubber{"rubber", 1e4, 0.3, 1000};

TEST(PseudoRigid, LameConstants) {
  // From the definition of Young's modulus and Poisson's ratio: uniaxial stress E gives the strain
  // (1, -nu, -nu).
  const double nu = kRubber.poisson;
  const Vec3 strain(1, -nu, -nu);
  const Vec3 stress = kRubber.lambda() * strain.sum() * Vec3::Ones() + 2 * kRubber.mu() * strain;
  EXPECT_NEAR((stress - Vec3(kRubber.young, 0, 0)).norm(), 0, 1e-11);
}

TEST(PseudoRigid, StressIsTheGradientOfTheEnergy) {
  Random random(1);
  for (int repeat = 0; repeat < 50; repeat++) {
    const Mat3 F = testing::random_gradient(random, 0.3);
    const Mat3 P = first_piola_stress(F, kRubber);
    for (int k = 0; k < 9; k++) {
      Mat3 plus = F, minus = F;
      plus(k) += 1e-5;
      minus(k) -= 1e-5;
      const double slope =
          (strain_energy_density(plus, kRubber) - strain_energy_density(minus, kRubber)) / 2e-5;
      EXPECT_NEAR(P(k), slope, 1e-5);
    }
  }
}

TEST(PseudoRigid, EnergyIsObjective) {
  Random random(2);
  for (int repeat = 0; repeat < 50; repeat++) {
    const Mat3 F = testing::random_gradient(random, 0.3), R = random.rotation();
    EXPECT_NEAR(strain_energy_density(R * F, kRubber), strain_energy_density(F, kRubber), 1e-9);
    EXPECT_NEAR((first_piola_stress(R * F, kRubber) - R * first_piola_stress(F, kRubber)).norm(), 0,
                1e-9);
    EXPECT_NEAR(first_piola_stress(R, kRubber).norm(), 0, 1e-9) << "rotations cost nothing";
    // P F^T symmetric: the internal force exerts no torque.
    const Mat3 torque = first_piola_stress(F, kRubber) * F.transpose();
    EXPECT_NEAR((torque - torque.transpose()).norm(), 0, 1e-9);
  }
}

TEST(PseudoRigid, TangentIsTheGradientOfTheStress) {
  Random random(3);
  for (int repeat = 0; repeat < 50; repeat++) {
    const Mat3 F = testing::random_gradient(random, 0.3);
    const Mat9 K = full_tangent(F, kRubber);
    for (int k = 0; k < 9; k++) {
      Mat3 plus = F, minus = F;
      plus(k) += 1e-5;
      minus(k) -= 1e-5;
      const Mat3 slope =
          (first_piola_stress(plus, kRubber) - first_piola_stress(minus, kRubber)) / 2e-5;
      EXPECT_NEAR((K.col(k) - Eigen::Map<const Vec9>(slope.data())).norm(), 0, 1e-4);
    }
    EXPECT_NEAR((K - K.transpose()).norm(), 0, 1e-10);
  }
}

TEST(PseudoRigid, MaterialTangentIsSemidefiniteAndExertsNoTorque) {
  Random random(4);
  for (int repeat = 0; repeat < 50; repeat++) {
    const Mat3 F = testing::random_gradient(random, 0.4);
    const Mat9 K = material_tangent(F, kRubber);
    EXPECT_NEAR((K - K.transpose()).norm(), 0, 1e-10);
    const Eigen::SelfAdjointEigenSolver<Mat9> eigen(K);
    EXPECT_GT(eigen.eigenvalues()[0], -1e-9) << "also under compression";
    // No work on rotations dF = skew F, and K dF F^T symmetric for every dF.
    const Mat3 spin = skew(random.in_box(1)) * F;
    EXPECT_NEAR((K * Eigen::Map<const Vec9>(spin.data())).norm(), 0, 1e-9);
    const Mat3 dF = testing::random_gradient(random, 1);
    const Vec9 force = K * Eigen::Map<const Vec9>(dF.data());
    const Mat3 torque = Eigen::Map<const Mat3>(force.data()) * F.transpose();
    EXPECT_NEAR((torque - torque.transpose()).norm(), 0, 1e-9);
  }
  // In the reference configuration both are the tangent of linear elasticity.
  EXPECT_NEAR(
      (full_tangent(Mat3::Identity(), kRubber) - material_tangent(Mat3::Identity(), kRubber))
          .norm(),
      0, 1e-12);
}

struct Soft {
  BodyStore bodies;
  BulkMaterials materials;
  int i;

  Soft(Random& random, Scheme scheme, double damping) {
    materials.store(kRubber);
    i = testing::add_body(bodies, BodyKind::pseudo_rigid,
                          {testing::random_polyhedron(random, random.in_box(1), 1)});
    bodies[i].scheme = scheme;
    bodies[i].damping = damping;
  }
  Mat9 mass() const {
    Mat9 M;
    for (int J = 0; J < 3; J++)
      for (int L = 0; L < 3; L++)
        M.block<3, 3>(3 * J, 3 * L) = bodies[i].reference.tensor(J, L) * Mat3::Identity();
    return M;
  }
};

// Moments about the centre of what is at F X, with the masses of the reference.
Turning turning_of(const BodyStore& bodies, int i, double h) {
  const Mat3 F = bodies.gradient(i), rate = Eigen::Map<const Mat3>(bodies.u(i));
  const Eigen::SelfAdjointEigenSolver<Mat3> masses(bodies[i].reference.tensor);
  Mat3 J = Mat3::Zero();
  Vec3 L = Vec3::Zero();
  for (int k = 0; k < 3; k++) {
    const Vec3 X = masses.eigenvectors().col(k), x = F * X;
    const double m = masses.eigenvalues()[k];
    J -= m * skew(x) * skew(x);
    L += m * x.cross(rate * X);
  }
  return {J, L, h};
}

TEST(PseudoRigid, StepsFollowTheirEquations) {
  Random random(5);
  for (Scheme scheme : {Scheme::def_exp, Scheme::def_lim, Scheme::def_lim2})
    for (double eta : {0.0, 1e-3})
      for (int repeat = 0; repeat < 20; repeat++) {
        Soft soft(random, scheme, eta);
        BodyStore& bodies = soft.bodies;
        const int i = soft.i;
        testing::move_at_random(random, bodies, i);
        Vec9 f, r;
        for (int k = 0; k < 12; k++) bodies.f(i)[k] = random.uniform(-100, 100);
        f = Eigen::Map<const Vec9>(bodies.f(i));
        std::array<double, 12> reaction;
        for (double& x : reaction) x = random.uniform(-100, 100);
        r = Eigen::Map<const Vec9>(reaction.data());
        const double h = 1e-3, V = bodies[i].reference.volume, m = bodies[i].reference.mass;
        const Mat3 F = bodies.gradient(i);
        const Vec3 x = bodies.center(i), v = Eigen::Map<const Vec3>(bodies.u(i) + 9);
        const Vec9 u = Eigen::Map<const Vec9>(bodies.u(i));
        const Mat9 K = V * material_tangent(F, kRubber);
        const LinearImplicit step = linear_implicit(scheme, eta, h);
        const bool implicit = scheme != Scheme::def_exp;
        const Mat9 A = soft.mass() + (implicit ? step.a : 0) * K;
        Mat3 S = second_piola_stress(F, kRubber);
        Vec9 v_rest = u;
        if (implicit) {
          const Turning turning = turning_of(bodies, i, h);
          const Mat3 w = turning.middle() * F, turned = turning.before() * F;
          const Mat3 e = turning_strain(step, h) * w.transpose() * w;
          S += kRubber.lambda() * e.trace() * Mat3::Identity() + 2 * kRubber.mu() * e;
          v_rest -= Eigen::Map<const Vec9>(turned.data());
          for (int k = 0; k < step.sharpness; k++)
            v_rest = (v_rest - A.lu().solve(soft.mass() * v_rest)).eval();
        }
        const Mat3 internal = V * F * S;
        const Vec9 force = f - Eigen::Map<const Vec9>(internal.data()) - eta * K * u;
        const Vec9 damped = implicit ? Vec9(step.decay * (A - soft.mass()) * v_rest) : Vec9::Zero();
        const Vec9 free = u + A.lu().solve(h * force - damped);
        pseudo_rigid_free_velocity(bodies, soft.materials, i, h);
        const double size = 1 + free.norm();
        EXPECT_NEAR((Eigen::Map<Vec9>(bodies.b(i)) - free).norm(), 0, 1e-11 * size);
        const Vec3 v_free = v + h / m * Eigen::Map<const Vec3>(bodies.f(i) + 9);
        EXPECT_NEAR((Eigen::Map<Vec3>(bodies.b(i) + 9) - v_free).norm(), 0, 1e-13);
        pseudo_rigid_end_step(bodies, soft.materials, i, h, reaction.data());
        const Vec9 after = free + h * A.lu().solve(r);
        const Vec3 v_after = v_free + h / m * Eigen::Map<const Vec3>(&reaction[9]);
        EXPECT_NEAR((Eigen::Map<Vec9>(bodies.u(i)) - after).norm(), 0, 1e-11 * size);
        EXPECT_NEAR((Eigen::Map<Vec3>(bodies.u(i) + 9) - v_after).norm(), 0, 1e-13);
        EXPECT_NEAR(
            (bodies.gradient(i) - F - 0.5 * h * Eigen::Map<const Mat3>(after.data())).norm(), 0,
            1e-13 * size);
        EXPECT_NEAR((bodies.center(i) - x - 0.5 * h * v_after).norm(), 0, 1e-13);
      }
}

// DEF_IMP against its own equation, with loads, reactions and damping.
TEST(PseudoRigid, ConservingStepSolvesItsEquation) {
  Random random(11);
  for (double eta : {0.0, 1e-3})
    for (int repeat = 0; repeat < 20; repeat++) {
      Soft soft(random, Scheme::def_imp, eta);
      BodyStore& bodies = soft.bodies;
      const int i = soft.i;
      const double h = 1e-2;
      std::array<double, 12> reaction{};
      for (int k = 0; k < 9; k++) {
        bodies.f(i)[k] = random.uniform(-10, 10);
        reaction[k] = repeat % 2 == 0 ? random.uniform(-10, 10) : 0;
        bodies.u(i)[k] = random.uniform(-3, 3);
      }
      const Mat3 u = Eigen::Map<const Mat3>(bodies.u(i)), half = bodies.gradient(i);
      const Mat3 f = Eigen::Map<const Mat3>(bodies.f(i)),
                 r = Eigen::Map<const Mat3>(reaction.data());
      pseudo_rigid_free_velocity(bodies, soft.materials, i, h);
      pseudo_rigid_end_step(bodies, soft.materials, i, h, reaction.data());
      const Mat3 next = Eigen::Map<const Mat3>(bodies.u(i)), F1 = bodies.gradient(i);
      const Mat3 F0 = half - 0.5 * h * u, Fm = 0.5 * (F0 + F1), w = 0.5 * (u + next);
      EXPECT_NEAR((F1 - F0 - h * w).norm(), 0, 1e-13);
      const auto strain = [](const Mat3& F) {
        return Mat3(0.5 * (F.transpose() * F - Mat3::Identity()));
      };
      const Mat3 rate = 0.5 * (Fm.transpose() * w + w.transpose() * Fm);
      const Mat3 e = 0.5 * (strain(F0) + strain(F1)) + eta * rate;
      const Mat3 S = kRubber.lambda() * e.trace() * Mat3::Identity() + 2 * kRubber.mu() * e;
      const Mat3 force = f + r - bodies[i].reference.volume * Fm * S;
      const Mat3 missing = (next - u) * bodies[i].reference.tensor - h * force;
      EXPECT_NEAR(missing.norm(), 0, 1e-10 * (1 + h * force.norm()));
    }
}

TEST(PseudoRigid, ConservingStepSaysWhenThereIsNone) {
  Random random(12);
  Soft soft(random, Scheme::def_imp, 0);
  for (int k = 0; k < 9; k++) soft.bodies.f(soft.i)[k] = 1e30;
  try {
    pseudo_rigid_free_velocity(soft.bodies, soft.materials, soft.i, 1);
    FAIL() << "no error";
  } catch (const RunError& error) {
    EXPECT_NE(std::string(error.what()).find("is found; reduce the step"), std::string::npos)
        << error.what();
  }
}

// Growth of a small disturbance of the reference configuration over free steps.
double growth(Soft& soft, double h, int steps) {
  BodyStore& bodies = soft.bodies;
  const int i = soft.i;
  bodies.gradient(i).setIdentity();
  std::fill_n(bodies.u(i), 12, 0.0);
  Random random(9);
  for (int k = 0; k < 9; k++) bodies.u(i)[k] = 1e-9 * random.uniform(-1, 1);
  const double before = Eigen::Map<Vec9>(bodies.u(i)).norm();
  const std::array<double, 12> none{};
  for (int k = 0; k < steps; k++) {
    std::fill_n(bodies.f(i), 12, 0.0);
    bodies.gradient(i) += 0.5 * h * Eigen::Map<const Mat3>(bodies.u(i));
    pseudo_rigid_free_velocity(bodies, soft.materials, i, h);
    pseudo_rigid_end_step(bodies, soft.materials, i, h, none.data());
  }
  return Eigen::Map<Vec9>(bodies.u(i)).norm() / before;
}

TEST(PseudoRigid, CriticalStepIsTheEdgeOfStability) {
  Random random(6);
  for (double eta : {0.0, 1e-3, 1e-2})
    for (int repeat = 0; repeat < 3; repeat++) {
      Soft soft(random, Scheme::def_exp, eta);
      const double critical = critical_step(soft.bodies, soft.materials, soft.i);
      // Without damping 2 / omega, omega^2 the largest eigenvalue of M^-1 K.
      const Eigen::GeneralizedSelfAdjointEigenSolver<Mat9> eigen(
          soft.bodies[soft.i].reference.volume * full_tangent(Mat3::Identity(), kRubber),
          soft.mass());
      const double omega = std::sqrt(eigen.eigenvalues()[8]);
      EXPECT_NEAR(critical, std::sqrt(eta * eta + 4 / (omega * omega)) - eta, 1e-9 * critical);
      EXPECT_LT(growth(soft, 0.99 * critical, 500), 50);
      EXPECT_FALSE(growth(soft, 1.05 * critical, 60) < 1e3) << "grows, beyond all numbers at last";
      for (Scheme scheme : {Scheme::def_lim, Scheme::def_lim2, Scheme::def_imp}) {
        soft.bodies[soft.i].scheme = scheme;
        EXPECT_LT(growth(soft, 20 * critical, 500), 50) << "no such limit";
      }
    }
}

TEST(PseudoRigid, AngularMomentumIsConserved) {
  // int rho x x xdot = sum over columns of (F E Fdot^T): skew part.
  Random random(7);
  for (Scheme scheme : {Scheme::def_exp, Scheme::def_lim, Scheme::def_lim2, Scheme::def_imp}) {
    Soft soft(random, scheme, 1e-3);
    BodyStore& bodies = soft.bodies;
    const int i = soft.i;
    const Mat3 spin = skew(Vec3(3, -2, 1));
    Eigen::Map<Mat3>(bodies.u(i)) = spin;
    const auto momentum = [&] {
      const Mat3 L = bodies.gradient(i) * bodies[i].reference.tensor *
                     Eigen::Map<const Mat3>(bodies.u(i)).transpose();
      return Mat3(L - L.transpose());
    };
    const Mat3 before = momentum();
    const double h = 0.5 * critical_step(bodies, soft.materials, i);
    const std::array<double, 12> none{};
    for (int k = 0; k < 1000; k++) {
      std::fill_n(bodies.f(i), 12, 0.0);
      bodies.gradient(i) += 0.5 * h * Eigen::Map<const Mat3>(bodies.u(i));
      pseudo_rigid_free_velocity(bodies, soft.materials, i, h);
      pseudo_rigid_end_step(bodies, soft.materials, i, h, none.data());
    }
    EXPECT_NEAR((momentum() - before).norm(), 0, 1e-11 * before.norm());
  }
}

}  // namespace
}  // namespace solfec::pseudo_rigid_test
