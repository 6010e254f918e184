#include "solver/newton_step.hpp"

namespace solfec {
namespace {

constexpr int kFewProducts = 5;  // of a step with good factors

}  // namespace

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
  const GmresResult result =
      gmres_.solve(system, rows.C, residual, kLinearIterations, communicator, dR);
  if (result.products > kFewProducts) factor_.renew_pivots();
}

double NewtonStep::operations(const LocalDynamics& p) {
  factor_.set_matrix(p.W, rows.X, rows.Y);
  return factor_.operations();
}

}  // namespace solfec
