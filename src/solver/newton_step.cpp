#include "solver/newton_step.hpp"

namespace solfec {

bool NewtonStep::compute(const LocalDynamics& p, Channel& channel, const Communicator& communicator,
                         double residual) {
  factor_.set_matrix(p.W, rows.X, rows.Y);
  if (communicator.any(!factor_.factorise())) return false;
  const LinearSystem system{
      [&](const RowVector& x, RowVector& result) { rows.multiply(p, channel, x, result); },
      [&](const RowVector& x, RowVector& result) { factor_.solve(x, result); }};
  dR.assign(rows.C.size(), Vec3::Zero());
  gmres_.solve(system, rows.C, residual, kLinearIterations, communicator, dR);
  return true;
}

double NewtonStep::operations(const LocalDynamics& p) {
  factor_.set_matrix(p.W, rows.X, rows.Y);
  return factor_.operations();
}

}  // namespace solfec
