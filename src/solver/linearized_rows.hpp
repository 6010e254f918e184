// Linearised laws of all rows of this rank (linearization.hpp), and the matrix X W + Y that they
// make with U = B + W R.
#pragma once

#include <algorithm>

#include "local_dynamics/local_dynamics.hpp"
#include "solver/gmres.hpp"

namespace solfec {

/// Keeps its memory between calls.
class LinearizedRows {
 public:
  RowVector C;
  std::vector<Mat3> X, Y;

  /// For the rows of a problem, which have no values yet.
  void resize(const LocalDynamics& problem) {
    C.resize(problem.law.size());
    X.resize(problem.law.size());
    Y.resize(problem.law.size());
    all_.resize(static_cast<std::size_t>(problem.W.all_rows()));
  }
  /// result <- (X W + Y) x, with one message to each neighbour. Collective.
  void multiply(const LocalDynamics& problem, Channel& channel, const RowVector& x,
                RowVector& result) {
    std::ranges::copy(x, all_.begin());
    refresh(problem.halo, channel, all_);
    problem.W.multiply(all_, result);
    for (std::size_t row = 0; row < x.size(); row++)
      result[row] = X[row] * result[row] + Y[row] * x[row];
  }

 private:
  RowVector all_;  // x of own and external rows
};

}  // namespace solfec
