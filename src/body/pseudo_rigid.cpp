#include "body/pseudo_rigid.hpp"

#include <cmath>
#include <limits>

#include "body/conserving_solution.hpp"
#include "body/dof_views.hpp"
#include "body/linear_implicit.hpp"
#include "core/error.hpp"
#include "math/decompositions.hpp"

namespace solfec {
namespace {

Mat3 green_strain(const Mat3& F) { return 0.5 * (F.transpose() * F - Mat3::Identity()); }

Mat3 symmetric(const Mat3& A) { return 0.5 * (A + A.transpose()); }

// C : e
Mat3 elastic_stress(const Mat3& e, const BulkMaterial& material) {
  return material.lambda() * e.trace() * Mat3::Identity() + 2 * material.mu() * e;
}

// The equation of DEF_IMP for the rate at the end of the step, with all forces but the internal one
// given: residual(u') = M (u' - u) - h (force - internal force).
class ConservingStep {
 public:
  ConservingStep(const Mat3& F_half, const Mat3& rate, const Mat3& tensor, const Mat3& force,
                 const Body& body, const BulkMaterial& material, double h)
      : F_(F_half - 0.5 * h * rate),
        rate_(rate),
        tensor_(tensor),
        force_(force),
        volume_(body.reference.volume),
        eta_(body.damping),
        h_(h),
        material_(material),
        strain_(green_strain(F_)) {}

  // Newton iteration; false when it does not converge.
  bool solve(Mat3& next) const {
    // Of a rate's scale: where it ends; what rounding may leave; where it is lost.
    constexpr double kExact = 1e-12, kRounding = 1e-9, kLost = 1e3;
    constexpr double kSmallStretch = 1e-3;  // in one step: rates below count as that
    constexpr int kMost = 50;
    const double scale = std::max({rate_.norm(), next.norm(), kSmallStretch / h_});
    double last = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kMost; k++) {
      const Mat3 r = residual(next);
      const Vec9 change = tangent(next).partialPivLu().solve(Eigen::Map<const Vec9>(r.data()));
      next -= Eigen::Map<const Mat3>(change.data());
      const double size = change.norm();
      if (size <= kExact * scale) return true;
      if (size >= 0.5 * last && size <= kRounding * scale) return true;
      if (!(size < kLost * scale)) return false;
      last = size;
    }
    return false;
  }

 private:
  Mat3 end(const Mat3& next) const { return F_ + 0.5 * h_ * (rate_ + next); }
  Mat3 middle(const Mat3& next) const { return F_ + 0.25 * h_ * (rate_ + next); }
  // S + eta C : sym(F_m^T w)
  Mat3 stress(const Mat3& next) const {
    const Mat3 mean = 0.5 * (strain_ + green_strain(end(next)));
    const Mat3 speed = symmetric(middle(next).transpose() * (0.5 * (rate_ + next)));
    return elastic_stress(mean + eta_ * speed, material_);
  }
  Mat3 residual(const Mat3& next) const {
    return (next - rate_) * tensor_ - h_ * (force_ - volume_ * middle(next) * stress(next));
  }
  Mat9 tangent(const Mat3& next) const {
    const Mat3 S = stress(next), Fm = middle(next), F1 = end(next), w = 0.5 * (rate_ + next);
    Mat9 T;
    for (int k = 0; k < 9; k++) {
      Mat3 d = Mat3::Zero();
      d(k) = 1;
      const Mat3 strain =
          symmetric(F1.transpose() * (0.25 * h_ * d)) +
          eta_ * symmetric(0.25 * h_ * d.transpose() * w + 0.5 * Fm.transpose() * d);
      const Mat3 column =
          d * tensor_ + h_ * volume_ * (0.25 * h_ * d * S + Fm * elastic_stress(strain, material_));
      T.col(k) = Eigen::Map<const Vec9>(column.data());
    }
    return T;
  }

  Mat3 F_, rate_, tensor_, force_;
  double volume_, eta_, h_;
  const BulkMaterial& material_;
  Mat3 strain_;
};

// Solves the equation of DEF_IMP from the start given; false when it does not converge.
bool solve_conserving(const BodyStore& bodies, const BulkMaterials& materials, int i, double h,
                      const Mat3& force, Mat3& next) {
  const ConservingStep step(bodies.gradient(i), affine_rate_part(bodies.u(i)),
                            bodies.inertia(i).tensor, force, bodies[i],
                            materials[bodies[i].material], h);
  return step.solve(next);
}

}  // namespace

Mat3 second_piola_stress(const Mat3& F, const BulkMaterial& material) {
  return elastic_stress(green_strain(F), material);
}

Mat3 first_piola_stress(const Mat3& F, const BulkMaterial& material) {
  return F * second_piola_stress(F, material);
}

double strain_energy_density(const Mat3& F, const BulkMaterial& material) {
  const Mat3 e = green_strain(F);
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

Mat9 stress_stiffening(const Inertia& inertia, const Mat3& weighted_stress, double factor) {
  const Mat3 scaled = inertia.inverse_root * weighted_stress * inertia.inverse_root;
  const double slack = 0.75 / factor;
  Mat9 K = Mat9::Zero();
  if (scaled.norm() <= slack) return K;
  const SymmetricEigen3 eigen = symmetric_eigen(scaled);
  const Mat3 root = inertia.tensor * inertia.inverse_root * eigen.vectors;
  const Mat3 G =
      root * (eigen.values.array() - slack).cwiseMax(0).matrix().asDiagonal() * root.transpose();
  for (int J = 0; J < 3; J++)
    for (int L = 0; L < 3; L++) K.block<3, 3>(3 * J, 3 * L).diagonal().setConstant(G(J, L));
  return K;
}

void leave_turns_alone(const Inertia& inertia, const Mat3& F, Mat9& K) {
  if (K.isZero(0)) return;
  Eigen::Matrix<double, 9, 3> T, MT;
  for (int k = 0; k < 3; k++) {
    const Mat3 turn = skew(Vec3::Unit(k)) * F, moment = turn * inertia.tensor;
    T.col(k) = turn.reshaped();
    MT.col(k) = moment.reshaped();
  }
  const Mat3 J = T.transpose() * MT;
  const Mat9 P = Mat9::Identity() - T * J.inverse() * MT.transpose();
  K = (P.transpose() * K * P).eval();
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
  // Of this size, without the heap: once a step for each body.
  const Eigen::SelfAdjointEigenSolver<Mat9> eigen(scaled, Eigen::EigenvaluesOnly);
  const double omega2 = eigen.eigenvalues()[8];
  if (!(omega2 > 0)) return std::numeric_limits<double>::infinity();
  return explicit_limit(omega2, bodies[i].damping);
}

Mat9 implicit_matrix(const Inertia& inertia, const Mat9& K, double a) {
  Mat9 A = a * K;
  for (int J = 0; J < 3; J++)
    for (int L = 0; L < 3; L++)
      A.block<3, 3>(3 * J, 3 * L).diagonal().array() += inertia.tensor(J, L);
  return A.llt().matrixL();
}

void solve_implicit(const Mat9& factor, Mat3& rate) {
  Eigen::Map<Vec9> x(rate.data());
  factor.triangularView<Eigen::Lower>().solveInPlace(x);
  factor.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
}

void pseudo_rigid_move(BodyStore& bodies, int i, double duration) {
  bodies.gradient(i) += duration * affine_rate_part(bodies.u(i));
  bodies.center(i) += duration * affine_linear_part(bodies.u(i));
}

namespace {

// The rotation in a rate of F.
Turning turning_of(const Inertia& inertia, const Mat3& F, const Mat3& rate, double h) {
  const Mat3 second = F * inertia.tensor * F.transpose(),
             moment = F * inertia.tensor * rate.transpose();
  return {second.trace() * Mat3::Identity() - second, -2 * axial(moment), h};
}

// u' - u without reactions, and A.
Mat3 implicit_change(BodyStore& bodies, const BulkMaterial& material, int i,
                     const LinearImplicit& step, double h) {
  const Inertia& inertia = bodies.inertia(i);
  const double volume = bodies[i].reference.volume;
  const Mat3 F = bodies.gradient(i);
  const auto rate = affine_rate_part(bodies.u(i));
  const Turning turning = turning_of(inertia, F, rate, h);
  const Mat3 w = turning.middle() * F, D = (turning.after() - turning.before()) * F;

  Mat3 strain = green_strain(F) + turning_strain(step, h) * w.transpose() * w;
  if (step.eta > 0) strain += step.eta * symmetric(F.transpose() * rate);
  Mat3 force = affine_rate_part(bodies.f(i)) - volume * F * elastic_stress(strain, material);
  const double square = linear_implicit(bodies[i].scheme, 0, h).a;
  Mat9 G = stress_stiffening(inertia, volume * second_piola_stress(F - 0.5 * h * rate, material),
                             square);
  leave_turns_alone(inertia, F, G);
  if (!G.isZero(0)) force.reshaped() += square / h * G * D.reshaped();

  Mat9& factor = bodies.implicit_factor(i);
  factor = implicit_matrix(inertia, volume * material_tangent(F, material) + square / step.a * G,
                           step.a);
  Mat3 v = rate - turning.before() * F;
  for (int k = 0; k < step.sharpness; k++) {
    Mat3 kept = v * inertia.tensor;
    solve_implicit(factor, kept);
    v -= kept;
  }
  // A^-1 (A - M) v = v - A^-1 M v
  Mat3 change = h * force + step.decay * v * inertia.tensor;
  solve_implicit(factor, change);
  return change - step.decay * v;
}

}  // namespace

void pseudo_rigid_free_velocity(BodyStore& bodies, const BulkMaterials& materials, int i,
                                double h) {
  const Body& body = bodies[i];
  const Inertia& inertia = bodies.inertia(i);
  const BulkMaterial& material = materials[body.material];
  const Mat3 F = bodies.gradient(i);
  const double volume = body.reference.volume;
  const double eta = body.damping;
  const auto rate = affine_rate_part(bodies.u(i));
  const auto velocity = affine_linear_part(bodies.u(i));

  affine_linear_part(bodies.b(i)) =
      velocity + h * inertia.inverse_mass * affine_linear_part(bodies.f(i));
  auto free_rate = affine_rate_part(bodies.b(i));
  const auto external = affine_rate_part(bodies.f(i));
  if (body.scheme == Scheme::def_imp) {
    Mat3 next = rate;
    if (!solve_conserving(bodies, materials, i, h, external, next))
      throw RunError(no_conserving_motion(bodies, i));
    free_rate = next;
    const Mat3 middle = F + 0.25 * h * (next - rate);
    bodies.implicit_factor(i) =
        implicit_matrix(inertia, volume * material_tangent(middle, material),
                        linear_implicit(body.scheme, eta, h).a);
    return;
  }

  if (body.scheme == Scheme::def_exp) {
    const Mat3 stress =
        elastic_stress(green_strain(F) + eta * symmetric(F.transpose() * rate), material);
    free_rate = rate + h * (external - volume * F * stress) * inertia.inverse;
    return;
  }
  const LinearImplicit step = linear_implicit(body.scheme, eta, h);
  free_rate = rate + implicit_change(bodies, material, i, step, h);
}

namespace {

// Rate of b + h A^-1 r
Mat3 linear_end(const BodyStore& bodies, int i, double h, const Mat3& reaction) {
  Mat3 change = h * reaction;
  if (bodies[i].scheme == Scheme::def_exp)
    change = (change * bodies.inertia(i).inverse).eval();
  else
    solve_implicit(bodies.implicit_factor(i), change);
  return affine_rate_part(bodies.b(i)) + change;
}

}  // namespace

bool pseudo_rigid_correction(const BodyStore& bodies, const BulkMaterials& materials, int i,
                             double h, const double* r, double* correction) {
  const auto reaction = affine_rate_part(r);
  const Mat3 linear = linear_end(bodies, i, h, reaction);
  auto added = affine_rate_part(correction);
  Mat3 next = linear + added;
  const bool found =
      solve_conserving(bodies, materials, i, h, affine_rate_part(bodies.f(i)) + reaction, next);
  added = next - linear;
  return found;
}

void pseudo_rigid_end_step(BodyStore& bodies, const BulkMaterials& materials, int i, double h,
                           const double* r) {
  const auto reaction = affine_rate_part(r);
  Mat3 next = linear_end(bodies, i, h, reaction);
  if (bodies[i].scheme == Scheme::def_imp && !reaction.isZero(0) &&
      !solve_conserving(bodies, materials, i, h, affine_rate_part(bodies.f(i)) + reaction, next))
    throw RunError(no_conserving_motion(bodies, i));
  affine_rate_part(bodies.u(i)) = next;
  auto velocity = affine_linear_part(bodies.u(i));
  velocity =
      affine_linear_part(bodies.b(i)) + h * bodies.inertia(i).inverse_mass * affine_linear_part(r);
  pseudo_rigid_move(bodies, i, 0.5 * h);
}

}  // namespace solfec
