#include "local_dynamics/contact_law.hpp"

namespace solfec {

Vec3 spring_dashpot_reaction(const RowLaw& law, double h, const Mat3& W, const Vec3& B, double V_N,
                             const Vec3& R, bool explicit_normal) {
  const double s = law.spring, d = law.dashpot;
  Vec3 result = R;
  if (explicit_normal) {
    // Spring and damper at the start of the step: g(t) = gap - h/2 V_N.
    result.z() = -s * (law.gap - 0.5 * h * V_N) - d * V_N;
  } else {
    const double b = B.z() + W(2, 0) * R.x() + W(2, 1) * R.y();
    result.z() = (-s * (law.gap + 0.25 * h * (b - V_N)) - 0.5 * d * (b + V_N)) /
                 (1 + (0.25 * s * h + 0.5 * d) * W(2, 2));
  }
  if (result.z() < -law.cohesion) {
    if (law.cohesion == 0) return Vec3::Zero();
    result.z() = -law.cohesion;
  }
  const Vec2 stick =
      -W.topLeftCorner<2, 2>().inverse() * (B.head<2>() + W.topRightCorner<2, 1>() * result.z());
  result.head<2>() = stick;
  const double bound = law.friction * std::abs(result.z()), size = stick.norm();
  if (size > bound) result.head<2>() = bound / size * stick;
  return result;
}

bool breaks_bond(const RowLaw& law, const Vec3& R) {
  constexpr double kSlack = 1e-8;
  if (R.z() + law.cohesion < kSlack * law.cohesion) return true;
  const double bound = law.kind == LawKind::spring_dashpot ? law.friction * std::abs(R.z())
                                                           : law.friction * (R.z() + law.cohesion);
  return law.friction > 0 && tangent_norm(R) >= (1 - kSlack) * bound;
}

}  // namespace solfec
