#include "solver/penalty.hpp"

#include "core/error.hpp"

namespace solfec {
namespace {

GaussSeidelSettings joint_settings() {
  GaussSeidelSettings settings;
  settings.epsilon = 1e-6;
  settings.max_iterations = 1000;
  return settings;
}

}  // namespace

Penalty::Penalty(bool explicit_normal)
    : explicit_normal_(explicit_normal), joints_(joint_settings()) {}

SolveResult Penalty::solve(const LocalDynamics& p, LocalSolution& s,
                           const Communicator& communicator) {
  for (int row = 0; row < p.rows(); row++) {
    if (!p.law[row].is_contact()) continue;
    DEMAND(p.law[row].kind == LawKind::spring_dashpot);
    s.R[row] = spring_dashpot_reaction(p.law[row], p.step(), p.W.diagonal(row), p.B[row],
                                       p.V[row].z(), s.R[row], explicit_normal_);
  }
  SolveResult result = joints_.solve_joints(p, s, communicator);
  result.iterations++;
  result.rank_work = {};  // of the joints only
  return result;
}

}  // namespace solfec
