#include "local_dynamics/natural_map.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/threads.hpp"
#include "local_dynamics/joint_law.hpp"

namespace solfec {
namespace {

// Of a row that is no contact: the velocity by which it misses its target.
Vec3 missed_target(const RowLaw& law, const Vec3& U) {
  DEMAND(law.kind == LawKind::fixed_point || law.kind == LawKind::fixed_direction);
  return joint_residual(law, Mat3::Identity(), U, Vec3::Zero());
}

}  // namespace

std::vector<Vec3> natural_free_velocity(const LocalDynamics& p, const Communicator& communicator) {
  std::vector<Vec3> q = p.B;
  std::vector<Vec3> cohesion(p.W.all_rows(), Vec3::Zero());
  bool cohesive = false;
  for (int row = 0; row < p.rows(); row++) {
    const RowLaw& law = p.law[row];
    if (!law.has_friction_cone()) continue;
    q[row] += velocity_offset(law, p.V[row]);
    cohesion[row].z() = law.cohesion;
    cohesive = cohesive || law.cohesion != 0;
  }
  if (communicator.any(cohesive)) {
    Channel channel(communicator);
    refresh(p.halo, channel, cohesion);
    for (int row = 0; row < p.rows(); row++)
      for (int column : p.W.neighbours(row))
        if (cohesion[column].z() != 0) q[row] -= p.W.block(row, column) * cohesion[column];
  }
  for (int row = 0; row < p.rows(); row++)
    if (!p.law[row].has_friction_cone()) q[row] = missed_target(p.law[row], q[row]);
  return q;
}

double natural_map_scale(const LocalDynamics& p, const Communicator& communicator) {
  double sum = 0;
  for (const Vec3& q : natural_free_velocity(p, communicator)) sum += q.squaredNorm();
  sum = communicator.sum(sum);
  return sum > 0 ? std::sqrt(sum) : 1.0;
}

double natural_map_share(const LocalDynamics& p, int row, const Vec3& U, const Vec3& R) {
  const RowLaw& law = p.law[row];
  if (!law.has_friction_cone()) return missed_target(law, U).squaredNorm();
  // F + m(S - F) with the projection m on the polar cone is S - P_K(S - F).
  return contact_residual(law, U, R, p.V[row], 1).squaredNorm();
}

double natural_map_sum(const LocalDynamics& p, const LocalSolution& s) {
  return sum_at_once(p.rows(),
                     [&](int row) { return natural_map_share(p, row, s.U[row], s.R[row]); });
}

double natural_map_error(const LocalDynamics& p, LocalSolution& s,
                         const Communicator& communicator) {
  update_velocities(p, s);
  return std::sqrt(communicator.sum(natural_map_sum(p, s))) / natural_map_scale(p, communicator);
}

}  // namespace solfec
