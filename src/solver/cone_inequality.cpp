#include "solver/cone_inequality.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "local_dynamics/joint_law.hpp"
#include "local_dynamics/linearization.hpp"

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
        "motions; no springs, and no links (PUT_RIGID_LINK) that joint_correction has not closed: "
        "it is 'OFF', or joints contradict each other",
        command));
}

double row_weight(const LocalDynamics& p, int row) {
  const Mat3& W = p.W.diagonal(row);
  return p.law[row].kind == LawKind::fixed_direction ? W(2, 2) : reaction_scale(W);
}

Vec3 free_components(const LocalDynamics& p, int row) {
  if (!(row_weight(p, row) > 0)) return Vec3::Zero();
  const RowLaw& law = p.law[row];
  const bool has_one =
      law.kind == LawKind::fixed_direction || (law.has_friction_cone() && law.friction == 0);
  return has_one ? Vec3(0, 0, 1) : Vec3(1, 1, 1);
}

Vec3 inequality_map(const LocalDynamics& p, int row, const Vec3& U) {
  const RowLaw& law = p.law[row];
  if (law.is_contact()) return cone_velocity(law, U, p.V[row]);
  return joint_residual(law, p.W.diagonal(row), U, Vec3::Zero());
}

void ConeInequality::hold(const LocalSolution& s) {
  bound_.resize(p_.law.size());
  R_.assign(s.R.begin(), s.R.begin() + p_.rows());
  for (int row = 0; row < p_.rows(); row++) {
    const RowLaw& law = p_.law[row];
    const double size = part_ == HeldPart::slip
                            ? tangent_norm(s.U[row] + velocity_offset(law, p_.V[row]))
                            : std::max(R_[row].z() + law.cohesion, 0.0);
    bound_[row] = law.is_contact() ? law.friction * size : 0;
  }
}

Vec3 ConeInequality::map(int row, const Vec3& U) const {
  const RowLaw& law = p_.law[row];
  if (!law.is_contact() || part_ == HeldPart::none) return inequality_map(p_, row, U);
  Vec3 F = U + velocity_offset(law, p_.V[row]);
  switch (part_) {
    case HeldPart::slip:
      F.z() += bound_[row];
      break;
    case HeldPart::tangential:
      F.head<2>().setZero();
      break;
    case HeldPart::normal:
      F.z() = 0;
      break;
    case HeldPart::none:
    case HeldPart::threshold:
      break;
  }
  return F;
}

Vec3 ConeInequality::project(int row, const Vec3& R) const {
  const RowLaw& law = p_.law[row];
  if (!law.is_contact() || part_ == HeldPart::none || part_ == HeldPart::slip)
    return admissible(law, R);
  Vec3 result = R;
  if (part_ == HeldPart::tangential)
    result.head<2>() = R_[row].head<2>();
  else if (const double size = tangent_norm(R); size > bound_[row])
    result.head<2>() *= bound_[row] / size;
  result.z() = part_ == HeldPart::normal ? R_[row].z() : std::max(R.z(), -law.cohesion);
  return result;
}

}  // namespace solfec
