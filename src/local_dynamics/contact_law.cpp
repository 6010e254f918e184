#include "local_dynamics/contact_law.hpp"

namespace solfec {

void give_convex_law(std::span<RowLaw> laws) {
  for (RowLaw& law : laws)
    if (law.kind == LawKind::signorini_coulomb) law.kind = LawKind::convex_coulomb;
}

Vec3 spring_dashpot_reaction(const RowLaw& law, double h, const Mat3& W, const Vec3& B, double V_N,
                             const Vec3& R, bool explicit_normal) {
  const double s = law.spring, d = law.dashpot;
  Vec3 result = R;
  if (explicit_normal) {
    // Spring and damper at the start of the step: g(t) = gap - remaining V_N.
    result.z() = -s * (law.gap - law.remaining * V_N) - d * V_N;
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
  const Vec2 stick =
      -W.topLeftCorner<2, 2>().inverse() * (B.head<2>() + W.topRightCorner<2, 1>() * result.z());
  result.head<2>() = stick;
  const double bound = law.friction * std::abs(result.z()), size = stick.norm();
  if (size > bound) result.head<2>() = bound / size * stick;
  return result;
}

bool breaks_bond(const RowLaw& law, const Vec3& R, const Vec3& Ubar, const Mat3& W) {
  constexpr double kSlack = 1e-8, kYields = 1e-2;
  const bool spring = law.kind == LawKind::spring_dashpot;
  const double least = spring ? 0 : kYields * law.cohesion;
  if (R.z() + law.cohesion < kSlack * law.cohesion && (spring || Ubar.z() > least * W(2, 2)))
    return true;
  const double bound = law.friction * (spring ? std::abs(R.z()) : R.z() + law.cohesion);
  return law.friction > 0 && tangent_norm(R) >= (1 - kSlack) * bound &&
         (spring || tangent_norm(Ubar) > 0.5 * least * (W(0, 0) + W(1, 1)));
}

}  // namespace solfec
