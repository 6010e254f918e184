#include "solver/cone_inequality.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace solfec {

bool is_cone_inequality(const LocalDynamics& p) {
  return std::ranges::all_of(p.law, [](const RowLaw& law) {
    return law.kind == LawKind::signorini_coulomb || law.kind == LawKind::fixed_point ||
           law.kind == LawKind::fixed_direction;
  });
}

Vec3 inequality_map(const LocalDynamics& p, int row, const Vec3& U) {
  const RowLaw& law = p.law[row];
  switch (law.kind) {
    case LawKind::signorini_coulomb:
      return de_saxce_velocity(law, U, p.V[row]);
    case LawKind::fixed_point:
      return U - law.target;
    case LawKind::fixed_direction:
      return {0, 0, U.z() - law.target.z()};
    case LawKind::spring_dashpot:
    case LawKind::rigid_link:
    case LawKind::spring:
      break;
  }
  broken_invariant("the row makes a variational inequality", __FILE__, __LINE__);
}

Vec3 project_reaction(const RowLaw& law, const Vec3& R) {
  if (law.kind == LawKind::fixed_point) return R;
  if (law.kind == LawKind::fixed_direction) return {0, 0, R.z()};
  const Vec3 S = project_on_friction_cone(shifted_reaction(law, R), law.friction);
  return {S.x(), S.y(), S.z() - law.cohesion};
}

}  // namespace solfec
