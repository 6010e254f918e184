#include "solver/penalty.hpp"

namespace solfec {

SolveResult Penalty::solve(LocalDynamics& p, const Communicator& communicator) {
  for (int row = 0; row < p.rows(); row++) {
    p.law[row].kind = LawKind::spring_dashpot;
    p.R[row] = spring_dashpot_reaction(p.law[row], p.step(), p.W.diagonal(row), p.B[row],
                                       p.V[row].z(), p.R[row], explicit_normal_);
  }
  Channel channel(communicator);
  refresh(p.halo, channel, p.R);
  update_velocities(p);
  return {SolveStatus::ok, 1, merit(p, communicator)};
}

}  // namespace solfec
