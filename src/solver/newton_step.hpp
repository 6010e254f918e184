// A step of Newton's method on the laws of all rows: A dR = C with A = X W + Y, by GMRES with the
// sparse LU factors of each rank's own rows in front, which on one rank are the whole matrix.
#pragma once

#include "solver/linearized_rows.hpp"
#include "solver/row_factor.hpp"

namespace solfec {

/// Keeps its memory between calls.
class NewtonStep {
 public:
  LinearizedRows rows;  ///< to be filled before a step
  RowVector dR;         ///< the step

  /// Of a solve.
  void start(const LocalDynamics& problem) {
    rows.resize(problem);
    factor_.renew_pivots();
  }
  /// Factors A; false, on all ranks, where it is singular. Collective.
  bool factorise(const LocalDynamics& problem, const Communicator& communicator);
  /// Computes the step to a residual of so much of |C|, with the factors. Collective.
  void solve(const LocalDynamics& problem, Channel& channel, const Communicator& communicator,
             double residual);
  /// Both.
  bool compute(const LocalDynamics& problem, Channel& channel, const Communicator& communicator,
               double residual) {
    if (!factorise(problem, communicator)) return false;
    solve(problem, channel, communicator, residual);
    return true;
  }
  /// Operations of the factors on this rank: of those of the rows, and of the last.
  double operations(const LocalDynamics& problem);
  double operations() const { return factor_.operations(); }

 private:
  static constexpr int kLinearIterations = 30;
  RowFactor factor_;
  Gmres gmres_{kLinearIterations};
};

}  // namespace solfec
