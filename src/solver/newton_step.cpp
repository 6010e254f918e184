#include "solver/newton_step.hpp"

namespace solfec {

bool NewtonStep::factorise(const LocalDynamics& p, const Communicator& communicator) {
  factor_.set_matrix(p.W, rows.X, rows.Y);
  return !communicator.any(!factor_.factorise());
}

void NewtonStep::solve(const LocalDynamics& p, Channel& channel, const Communicator& communicator,
                       double residual) {
  const LinearSystem system{
      [&](const RowVector& x, RowVector& result) { rows.multiply(p, channel, x, result); },
      [&](const RowVector& x, RowVector& result) { factor_.solve(x, result); }};
  dR.assign(rows.C.size(), Vec3::Zero());
  gmres_.solve(system, rows.C, residual, kLinearIterations, communicator, dR);
}

double NewtonStep::operations(const LocalDynamics& p) {
  factor_.set_matrix(p.W, rows.X, rows.Y);
  return factor_.operations();
}

}  // namespace solfec
