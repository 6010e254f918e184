#include "local_dynamics/reaction_components.hpp"

#include <cmath>

namespace solfec {
namespace {

// Of the force of a spring: more is the force of a stop.
constexpr double kRoundOff = 1e-9;

ReactionComponents all() { return {3, Mat3::Identity()}; }

ReactionComponents along(const Vec3& direction) {
  ReactionComponents one{1, Mat3::Zero()};
  one.directions.col(0) = direction.normalized();
  return one;
}

ReactionComponents tangents() {
  ReactionComponents two{2, Mat3::Zero()};
  two.directions.leftCols<2>() = Mat3::Identity().leftCols<2>();
  return two;
}

bool slides(const RowLaw& law, const Vec3& S) {
  return tangent_norm(S) >= kSlidingPart * law.friction * std::abs(S.z());
}

ReactionComponents contact_components(const RowLaw& law, const Vec3& S, double least) {
  if (!(S.z() > least)) return {};
  if (!(law.friction > 0)) return along(Vec3::UnitZ());
  if (!slides(law, S)) return all();
  const double tangent = tangent_norm(S);
  return along({law.friction * S.x() / tangent, law.friction * S.y() / tangent, 1});
}

ReactionComponents spring_dashpot_components(const RowLaw& law, const Vec3& R, double least) {
  const bool sticks = law.friction > 0 && std::abs(R.z()) > least && !slides(law, R);
  return sticks ? tangents() : ReactionComponents();
}

}  // namespace

ReactionComponents reaction_components(const RowLaw& law, const Vec3& R, double least) {
  switch (law.kind) {
    case LawKind::signorini_coulomb:
    case LawKind::convex_coulomb:
      return contact_components(law, shifted_reaction(law, R), least);
    case LawKind::spring_dashpot:
      return spring_dashpot_components(law, R, least);
    case LawKind::fixed_point:
      return all();
    case LawKind::fixed_direction:
    case LawKind::rigid_link:
      return along(Vec3::UnitZ());
    case LawKind::spring:
      if (std::abs(R.z() - law.force) <= std::max(least, kRoundOff * std::abs(law.force)))
        return {};
      return along(Vec3::UnitZ());
  }
  __builtin_unreachable();
}

}  // namespace solfec
