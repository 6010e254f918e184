#include "solver/cone_inequality.hpp"

#include <algorithm>

#include "local_dynamics/joint_law.hpp"

namespace solfec {

bool is_cone_inequality(const LocalDynamics& p) {
  return std::ranges::all_of(p.law, [](const RowLaw& law) {
    return law.kind == LawKind::signorini_coulomb || law.kind == LawKind::fixed_point ||
           law.kind == LawKind::fixed_direction;
  });
}

Vec3 inequality_map(const LocalDynamics& p, int row, const Vec3& U) {
  const RowLaw& law = p.law[row];
  if (law.is_contact()) return de_saxce_velocity(law, U, p.V[row]);
  return joint_residual(law, p.W.diagonal(row), U, Vec3::Zero());
}

}  // namespace solfec
