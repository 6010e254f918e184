#include "local_dynamics/linearization.hpp"

#include <cmath>

#include "core/error.hpp"
#include "local_dynamics/joint_law.hpp"
#include "math/smoothed_cone.hpp"

namespace solfec {
namespace {

// C = F + m(scale S - F):  X = (I - dm) dF/dU,  Y = scale dm
RowLinearization linearize_contact(const RowLaw& law, const Vec3& U, const Vec3& R, const Vec3& V,
                                   double omega, double scale) {
  Vec3 F = U + velocity_offset(law, V);
  const SmoothedNorm slip = smoothed_norm(F.head<2>(), omega);
  F.z() += law.friction * slip.value;
  const SmoothedValue m =
      smoothed_polar_projection(scale * shifted_reaction(law, R) - F, law.friction, omega);
  Mat3 dF = Mat3::Identity();
  dF.bottomLeftCorner<1, 2>() = law.friction * slip.slope.transpose();
  return {F + m.value, (Mat3::Identity() - m.gradient) * dF, scale * m.gradient};
}

// C = W (R - P(U - W R, R)) with the reaction P of contact_law.hpp.
RowLinearization linearize_spring_dashpot(const LocalDynamics& p, const LocalSolution& s, int row) {
  const RowLaw& law = p.law[row];
  const Mat3& W = p.W.diagonal(row);
  const Vec3& R = s.R[row];
  const Vec3 B = s.U[row] - W * R;
  const Vec3 P = spring_dashpot_reaction(law, p.step(), W, B, p.V[row].z(), R, false);
  // dP = by_B dB + by_R dR; the normal reaction follows b = B_N + W_NT R_T.
  Mat3 by_B = Mat3::Zero(), by_R = Mat3::Zero();
  if (P.z() > -law.cohesion) {
    const double end = law.remaining / p.step(), rate = law.spring * law.remaining + law.dashpot;
    const double slope = -end * rate / (1 + rate * end * W(2, 2));
    by_B(2, 2) = slope;
    by_R.bottomLeftCorner<1, 2>() = slope * W.bottomLeftCorner<1, 2>();
  }
  if (!P.isZero(0)) {
    const Vec2 free = B.head<2>() + W.topRightCorner<2, 1>() * P.z();
    const double bound = friction_bound(law, P);
    const CoulombFriction f = coulomb_friction(W.topLeftCorner<2, 2>(), free, bound);
    Mat2 by_free = -f.inverse;
    Vec2 by_bound = Vec2::Zero();
    if (f.slides) {
      // (W_TT + lambda) dR + R dlambda = -dfree,  R.dR = bound dbound
      const Vec2 t = bound > 0 ? Vec2(f.R / bound) : Vec2(-free.normalized()), m = f.inverse * t;
      by_bound = bound > 0 ? Vec2(m / t.dot(m)) : t;
      by_free += by_bound * m.transpose();
    }
    Eigen::Matrix<double, 2, 3> T;  // by B_T and P_N
    T << by_free, by_free * W.topRightCorner<2, 1>() + law.friction * by_bound;
    by_R.topRows<2>() = T.col(2) * by_R.row(2);
    by_B.topRows<2>() = T.col(2) * by_B.row(2);
    by_B.topLeftCorner<2, 2>() += T.leftCols<2>();
  }
  return {W * (R - P), -W * by_B, W * (Mat3::Identity() + by_B * W - by_R)};
}

// One direction is bound: C_N of joint_residual, and C_T = R_T.
RowLinearization linearize_direction(const RowLaw& law, const Mat3& W, const Vec3& U,
                                     const Vec3& R) {
  RowLinearization l{joint_residual(law, W, U, R), Mat3::Zero(), Mat3::Zero()};
  l.C.head<2>() = R.head<2>();
  l.Y(0, 0) = l.Y(1, 1) = 1;
  const double by_spring = U.z() + W(2, 2) * (law.force - R.z());  // velocity without stops
  if (law.kind == LawKind::rigid_link)
    l.X.row(2) = (law.remaining * U + law.span * Vec3::UnitZ()).normalized();
  else if (law.kind == LawKind::spring && law.low <= by_spring && by_spring <= law.high)
    l.Y(2, 2) = W(2, 2);
  else
    l.X(2, 2) = 1;
  return l;
}

// Laws without friction cones.
RowLinearization linearize_other(const LocalDynamics& p, const LocalSolution& s, int row) {
  const RowLaw& law = p.law[row];
  switch (law.kind) {
    case LawKind::spring_dashpot:
      return linearize_spring_dashpot(p, s, row);
    case LawKind::fixed_point:
      return {s.U[row] - law.target, Mat3::Identity(), Mat3::Zero()};
    case LawKind::fixed_direction:
    case LawKind::rigid_link:
    case LawKind::spring:
      return linearize_direction(law, p.W.diagonal(row), s.U[row], s.R[row]);
    case LawKind::signorini_coulomb:
    case LawKind::convex_coulomb:
      break;
  }
  DEMAND(!"the law has no friction cone, or it is convex and is not to be smoothed");
  return {};
}

}  // namespace

RowLinearization linearize(const LocalDynamics& p, const LocalSolution& s, int row, double omega,
                           double scale) {
  const RowLaw& law = p.law[row];
  if (law.kind == LawKind::signorini_coulomb)
    return linearize_contact(law, s.U[row], s.R[row], p.V[row], omega, scale);
  return linearize_other(p, s, row);
}

RowLinearization linearize(const LocalDynamics& p, const LocalSolution& s, int row, ContactMap map,
                           const ContactSteps& steps) {
  const RowLaw& law = p.law[row];
  if (!law.has_friction_cone()) return linearize_other(p, s, row);
  const Vec3 Ubar = s.U[row] + velocity_offset(law, p.V[row]);
  const Vec3 S = shifted_reaction(law, s.R[row]);
  RowLinearization l = law.kind == LawKind::convex_coulomb
                           ? convex_map(law.friction, Ubar, S, steps.normal)
                           : contact_map(map, law.friction, Ubar, S, steps);
  l.C /= steps.normal;
  l.X /= steps.normal;
  l.Y /= steps.normal;
  return l;
}

Vec3 admissible(const RowLaw& law, const Vec3& R) {
  switch (law.kind) {
    case LawKind::signorini_coulomb:
    case LawKind::convex_coulomb: {
      // Clipped too, so that rounding leaves it inside.
      Vec3 S = project_on_friction_cone(shifted_reaction(law, R), law.friction);
      S = clip_to_friction_cone(S, law.friction);
      S.z() -= law.cohesion;
      return S;
    }
    case LawKind::spring_dashpot:
    case LawKind::fixed_point:
      return R;
    case LawKind::fixed_direction:
    case LawKind::rigid_link:
    case LawKind::spring:
      break;
  }
  return {0, 0, R.z()};
}

}  // namespace solfec
