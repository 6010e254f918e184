#include "local_dynamics/joint_law.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace solfec {
namespace {

bool binds_all(const RowLaw& law) { return law.is_contact() || law.kind == LawKind::fixed_point; }

// |p + r q| = length: the root that goes on from r = 0 where p is nearly there, or the r that comes
// nearest.
double link_reaction(const Vec3& p, const Vec3& q, double length) {
  const double a = q.squaredNorm(), b = p.dot(q), c = p.squaredNorm() - length * length;
  const double discriminant = b * b - a * c;
  if (discriminant < 0 || b <= 0) return -b / a;
  return -c / (b + std::sqrt(discriminant));
}

// R_N from the velocity B_N that the rest of the system gives, and 1 / W_NN.
double spring_reaction(const RowLaw& law, double compliance, double B) {
  return std::clamp(law.force, (law.low - B) * compliance, (law.high - B) * compliance);
}

}  // namespace

Vec3 joint_reaction(const RowLaw& law, const Mat3& W, const Mat3& W_inverse, const Vec3& B) {
  switch (law.kind) {
    case LawKind::fixed_point:
      return W_inverse * (law.target - B);
    case LawKind::fixed_direction:
      return {0, 0, (law.target.z() - B.z()) / W(2, 2)};
    case LawKind::spring:
      return {0, 0, spring_reaction(law, 1 / W(2, 2), B.z())};
    case LawKind::rigid_link: {
      const Vec3 p = law.remaining * B + law.span * Vec3::UnitZ();
      return {0, 0, link_reaction(p, law.remaining * W.col(2), law.length)};
    }
    case LawKind::signorini_coulomb:
    case LawKind::convex_coulomb:
    case LawKind::spring_dashpot:
      break;
  }
  DEMAND(!"a contact has no law of joints");
  return Vec3::Zero();
}

Vec3 joint_residual(const RowLaw& law, const Mat3& W, const Vec3& U, const Vec3& R) {
  switch (law.kind) {
    case LawKind::fixed_point:
      return U - law.target;
    case LawKind::fixed_direction:
      return {0, 0, U.z() - law.target.z()};
    case LawKind::spring: {
      const double w = W(2, 2);
      return {0, 0, w * (R.z() - spring_reaction(law, 1 / w, U.z() - w * R.z()))};
    }
    case LawKind::rigid_link: {
      const Vec3 end = law.remaining * U + law.span * Vec3::UnitZ();
      return {0, 0, (end.norm() - law.length) / law.remaining};
    }
    case LawKind::signorini_coulomb:
    case LawKind::convex_coulomb:
    case LawKind::spring_dashpot:
      break;
  }
  DEMAND(!"a contact has no law of joints");
  return Vec3::Zero();
}

double law_norm(const RowLaw& law, const Mat3& W, const Mat3& W_inverse, const Vec3& C) {
  return binds_all(law) ? C.dot(W_inverse * C) : C.z() * C.z() / W(2, 2);
}

double law_scale(const RowLaw& law, const Mat3& W, const Mat3& W_inverse, const Vec3& B) {
  if (law.ahead) {
    const Vec3 beyond = B - law.target;
    return beyond.z() < 0 ? law_norm(law, W, W_inverse, beyond) : 0;
  }
  const Vec3 given = law.kind == LawKind::spring ? Vec3(law.force * W.col(2)) : law.target;
  return law_norm(law, W, W_inverse, B) + law_norm(law, W, W_inverse, given);
}

}  // namespace solfec
