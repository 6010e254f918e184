#include "solver/cone_inequality.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "local_dynamics/joint_law.hpp"

namespace solfec {

bool is_cone_inequality(const LocalDynamics& p) {
  return std::ranges::all_of(p.law, [](const RowLaw& law) {
    return law.has_friction_cone() || law.kind == LawKind::fixed_point ||
           law.kind == LawKind::fixed_direction;
  });
}

void demand_cone_inequality(const LocalDynamics& p, const char* command,
                            const Communicator& communicator) {
  if (communicator.any(!is_cone_inequality(p)))
    throw RunError(fmt::format(
        "{} takes contacts of model SIGNORINI_COULOMB, fixed points and directions, and prescribed "
        "motions; no springs, and no links (PUT_RIGID_LINK) without joint_correction",
        command));
}

double row_weight(const LocalDynamics& p, int row) {
  const Mat3& W = p.W.diagonal(row);
  return p.law[row].kind == LawKind::fixed_direction ? W(2, 2) : reaction_scale(W);
}

Vec3 inequality_map(const LocalDynamics& p, int row, const Vec3& U) {
  const RowLaw& law = p.law[row];
  if (law.is_contact()) return cone_velocity(law, U, p.V[row]);
  return joint_residual(law, p.W.diagonal(row), U, Vec3::Zero());
}

}  // namespace solfec
