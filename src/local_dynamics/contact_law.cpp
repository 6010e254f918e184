#include "local_dynamics/contact_law.hpp"

namespace solfec {

void give_convex_law(std::span<RowLaw> laws) {
  for (RowLaw& law : laws)
    if (law.kind == LawKind::signorini_coulomb) law.kind = LawKind::convex_coulomb;
}

CoulombFriction coulomb_friction(const Mat2& W, const Vec2& free, double bound) {
  constexpr int kMostSteps = 50;
  CoulombFriction f;
  f.inverse = W.inverse();
  f.R = -f.inverse * free;
  if (!(f.R.norm() > bound)) return f;
  f.slides = true;
  if (!(bound > 0)) {
    f.R.setZero();
    f.inverse.setZero();
    return f;
  }
  // Newton's method for 1 / |R| = 1 / bound, which is nearly linear in lambda, and convex: from 0
  // it rises to the root.
  double lambda = 0, size = f.R.norm();
  for (int k = 0; k < kMostSteps && size > bound * (1 + 1e-15); k++) {
    lambda += size * size / f.R.dot(f.inverse * f.R) * (size / bound - 1);
    f.inverse = (W + lambda * Mat2::Identity()).inverse();
    f.R = -f.inverse * free;
    size = f.R.norm();
  }
  f.R *= bound / size;
  return f;
}

Vec3 spring_dashpot_reaction(const RowLaw& law, double h, const Mat3& W, const Vec3& B, double V_N,
                             const Vec3& R, bool explicit_normal) {
  const double s = law.spring, d = law.dashpot;
  Vec3 result = R;
  if (explicit_normal) {
    result.z() = -s * law.gap - d * V_N;
  } else {
    const double b = B.z() + W(2, 0) * R.x() + W(2, 1) * R.y();
    // Mean values over the step; quasi-static: those of its end.
    const double end = law.remaining / h, start = 1 - end;
    const double gap = law.gap + law.remaining * (end * b - start * V_N);
    result.z() =
        (-s * gap - d * (end * b + start * V_N)) / (1 + (s * law.remaining + d) * end * W(2, 2));
  }
  if (result.z() < -law.cohesion) {
    if (law.cohesion == 0) return Vec3::Zero();
    result.z() = -law.cohesion;
  }
  const Vec2 free = B.head<2>() + W.topRightCorner<2, 1>() * result.z();
  result.head<2>() = coulomb_friction(W.topLeftCorner<2, 2>(), free, friction_bound(law, result)).R;
  return result;
}

BondLimits limits_of_bond(const RowLaw& law, const Vec3& R) {
  // That of others than springs is what a solver leaves.
  const double slack = law.kind == LawKind::spring_dashpot ? 1e-8 : 1e-3;
  return {.tension = R.z() + law.cohesion<slack * law.cohesion, .shear = law.friction> 0 &&
                     tangent_norm(R) >= (1 - slack) * friction_bound(law, R)};
}

bool breaks_bond(const RowLaw& law, const Vec3& R, const Vec3& Ubar, const Mat3& W) {
  constexpr double kYields = 1e-2;
  const BondLimits reached = limits_of_bond(law, R);
  if (law.kind == LawKind::spring_dashpot) return reached.tension || reached.shear;
  const double least = kYields * law.cohesion;
  return (reached.tension && Ubar.z() > least * W(2, 2)) ||
         (reached.shear && tangent_norm(Ubar) > 0.5 * least * (W(0, 0) + W(1, 1)));
}

double bond_power(const RowLaw& law, const Vec3& R, const Vec3& U) {
  const BondLimits reached = limits_of_bond(law, R);
  const double shear = law.friction * std::max(law.cohesion + std::min(R.z(), 0.0), 0.0);
  return (reached.tension ? law.cohesion * std::max(U.z(), 0.0) : 0.0) +
         (reached.shear ? shear * tangent_norm(U) : 0.0);
}

}  // namespace solfec
