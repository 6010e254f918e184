// A sweep of Gauss-Seidel over linearised rows, as a preconditioner: of A = X W + Y = D + L + U,
// with the diagonal blocks D and those L of rows that come before,
//
//   z = (D + L)^-1 v,   and A z.
//
// W z is what is left of the sweep, so that both take no more than a product with A.
#pragma once

#include <vector>

#include "local_dynamics/row_batches.hpp"
#include "solver/linearized_rows.hpp"

namespace solfec {

/// Of the rows of this rank; those of others follow as in a product. Keeps its memory between
/// calls.
class LinearSweep {
 public:
  /// For a problem whose W is in the factored form.
  void plan(const LocalDynamics& problem, const Communicator& communicator);
  /// Takes X and Y of the rows, and the inverses of D.
  void take(const LinearizedRows& rows, std::span<const Mat3> inverse);
  /// z and A z, with one message to each neighbour. Collective.
  void solve_and_multiply(const LocalDynamics& problem, Channel& channel, const RowVector& v,
                          RowVector& z, RowVector& product);

 private:
  struct Block {
    Lanes of[3][3];

    VectorOf<Lanes> times(const VectorOf<Lanes>& x) const;
  };
  struct Batch {
    Block X, Y, inverse;
  };
  void sweep(FactoredForm& form, const RowVector& v);
  void multiply(const FactoredForm& form, RowVector& product) const;

  const RowBatches* order_ = nullptr;
  RowBatches own_;  // of several ranks
  std::vector<Batch> batches_;
  const LinearizedRows* rows_ = nullptr;
  std::span<const Mat3> inverse_;
  RowVector z_;  // of own and external rows
};

}  // namespace solfec
