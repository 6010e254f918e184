#include "body/pseudo_rigid.hpp"

#include <cmath>
#include <limits>

namespace solfec {
namespace {

Mat3 second_piola_stress(const Mat3& F, const BulkMaterial& material) {
  const Mat3 e = 0.5 * (F.transpose() * F - Mat3::Identity());
  return material.lambda() * e.trace() * Mat3::Identity() + 2 * material.mu() * e;
}

// x <- (L L^T)^-1 x, on column-wise gradients.
void solve_implicit(const Mat9& factor, Mat3& x) {
  Eigen::Map<Vec9> v(x.data());
  factor.triangularView<Eigen::Lower>().solveInPlace(v);
  factor.triangularView<Eigen::Lower>().transpose().solveInPlace(v);
}

}  // namespace

Mat3 first_piola_stress(const Mat3& F, const BulkMaterial& material) {
  return F * second_piola_stress(F, material);
}

double strain_energy_density(const Mat3& F, const BulkMaterial& material) {
  const Mat3 e = 0.5 * (F.transpose() * F - Mat3::Identity());
  return 0.5 * material.lambda() * e.trace() * e.trace() + material.mu() * e.squaredNorm();
}

Mat9 material_tangent(const Mat3& F, const BulkMaterial& material) {
  // dP_iJ = [ lambda F_iJ F_kL + mu ((F F^T)_ik delta_JL + F_iL F_kJ) ] dF_kL
  const double lambda = material.lambda(), mu = material.mu();
  const Mat3 C = mu * F * F.transpose();
  Mat9 K;
  for (int J = 0; J < 3; J++)
    for (int L = 0; L < 3; L++) {
      Mat3 block = lambda * F.col(J) * F.col(L).transpose() + mu * F.col(L) * F.col(J).transpose();
      if (J == L) block += C;
      K.block<3, 3>(3 * J, 3 * L) = block;
    }
  return K;
}

Mat9 full_tangent(const Mat3& F, const BulkMaterial& material) {
  Mat9 K = material_tangent(F, material);
  const Mat3 S = second_piola_stress(F, material);
  for (int J = 0; J < 3; J++)
    for (int L = 0; L < 3; L++) K.block<3, 3>(3 * J, 3 * L).diagonal().array() += S(J, L);
  return K;
}

double critical_step(const BodyStore& bodies, const BulkMaterials& materials, int i) {
  const Inertia& inertia = bodies.inertia(i);
  const ReferenceMass& reference = bodies[i].reference;
  const Mat9 K = reference.volume * full_tangent(bodies.gradient(i), materials[bodies[i].material]);
  // M = E (x) I column-wise: scale with its root from both sides.
  Mat9 root = Mat9::Zero();
  for (int J = 0; J < 3; J++)
    for (int L = 0; L < 3; L++)
      root.block<3, 3>(3 * J, 3 * L).diagonal().setConstant(inertia.inverse_root(J, L));
  const Mat9 scaled = root * K * root;
  const Eigen::SelfAdjointEigenSolver<Mat9> eigen(scaled, Eigen::EigenvaluesOnly);
  const double omega2 = eigen.eigenvalues()[8];
  if (!(omega2 > 0)) return std::numeric_limits<double>::infinity();
  const double eta = bodies[i].damping;
  return std::sqrt(eta * eta + 4 / omega2) - eta;
}

void pseudo_rigid_free_velocity(BodyStore& bodies, const BulkMaterials& materials, int i,
                                double h) {
  const Body& body = bodies[i];
  const Inertia& inertia = bodies.inertia(i);
  const BulkMaterial& material = materials[body.material];
  const Mat3 F = bodies.gradient(i);
  const double volume = body.reference.volume;
  const double eta = body.damping;
  const Eigen::Map<const Mat3> rate(bodies.u(i));
  const Eigen::Map<const Vec3> velocity(bodies.u(i) + 9);

  Mat3 force = Eigen::Map<const Mat3>(bodies.f(i)) - volume * first_piola_stress(F, material);
  if (eta > 0) {
    // K Fdot = V F C:sym(F^T Fdot)
    const Mat3 e = 0.5 * (F.transpose() * rate + rate.transpose() * F);
    force -= eta * volume * F *
             (material.lambda() * e.trace() * Mat3::Identity() + 2 * material.mu() * e);
  }
  Eigen::Map<Vec3>(bodies.b(i) + 9) =
      velocity + h * inertia.inverse_mass * Eigen::Map<const Vec3>(bodies.f(i) + 9);

  Eigen::Map<Mat3> free_rate(bodies.b(i));
  if (body.scheme == Scheme::def_exp) {
    free_rate = rate + h * force * inertia.inverse;
    return;
  }
  Mat9 A = (0.5 * eta * h + 0.25 * h * h) * volume * material_tangent(F, material);
  for (int J = 0; J < 3; J++)
    for (int L = 0; L < 3; L++)
      A.block<3, 3>(3 * J, 3 * L).diagonal().array() += inertia.tensor(J, L);
  Mat9& factor = bodies.implicit_factor(i);
  factor = A.llt().matrixL();
  Mat3 change = h * force;
  solve_implicit(factor, change);
  free_rate = rate + change;
}

void pseudo_rigid_end_step(BodyStore& bodies, int i, double h, const double* r) {
  const Inertia& inertia = bodies.inertia(i);
  Eigen::Map<Mat3> rate(bodies.u(i));
  Eigen::Map<Vec3> velocity(bodies.u(i) + 9);
  Mat3 change = h * Eigen::Map<const Mat3>(r);
  if (bodies[i].scheme == Scheme::def_exp)
    change = (change * inertia.inverse).eval();
  else
    solve_implicit(bodies.implicit_factor(i), change);
  rate = Eigen::Map<const Mat3>(bodies.b(i)) + change;
  velocity = Eigen::Map<const Vec3>(bodies.b(i) + 9) +
             h * inertia.inverse_mass * Eigen::Map<const Vec3>(r + 9);
  bodies.gradient(i) += 0.5 * h * rate;
  bodies.center(i) += 0.5 * h * velocity;
}

}  // namespace solfec
