// Sweeps of Gauss-Seidel over linearised rows, back and forth, as a preconditioner (Eisenstat
// 1981): of A = X W + Y = L + D + U, with the diagonal blocks D and those L of rows that come
// before,
//
//   x = (D + U)^-1 D v,   (D + L)^-1 A x = x + (D + L)^-1 D (v - x)
//
// so that the symmetric sweep and the product take no more than two sweeps. W enters with
// P = D^-1 X alone. On many ranks L, D and U are of the rows of a rank, and what it gets from the
// rows of others is added to D (v - x).
#pragma once

#include <vector>

#include "local_dynamics/row_batches.hpp"
#include "solver/linearized_rows.hpp"

namespace solfec {

/// Of the rows of this rank. Keeps its memory between calls.
class LinearSweep {
 public:
  /// For a problem whose W is in the factored form.
  void plan(const LocalDynamics& problem, const Communicator& communicator);
  /// Takes X of the rows, and the inverses of D, which are to stay where they are.
  void take(const LinearizedRows& rows, std::span<const Mat3> inverse);
  /// x = (D + U)^-1 D v, and (D + L)^-1 A x, with one message to each neighbour. Collective.
  void solve_and_multiply(const LocalDynamics& problem, Channel& channel, const RowVector& v,
                          RowVector& x, RowVector& product);
  /// v <- (D + L)^-1 v
  void solve_left(const LocalDynamics& problem, RowVector& v);

 private:
  struct Block {
    Lanes of[3][3];

    [[gnu::always_inline]] VectorOf<Lanes> times(const VectorOf<Lanes>& x) const {
      return {of[0][0] * x.x + of[0][1] * x.y + of[0][2] * x.z,
              of[1][0] * x.x + of[1][1] * x.y + of[1][2] * x.z,
              of[2][0] * x.x + of[2][1] * x.y + of[2][2] * x.z};
    }
  };
  template <class Change>
  void sweep(FactoredForm& form, bool backwards, Change&& change);

  const RowBatches* order_ = nullptr;
  RowBatches own_;             // of several ranks
  std::vector<Mat3> P_;        // of the rows
  std::vector<Block> blocks_;  // P of the batches
  std::span<const Mat3> inverse_;
  RowVector x_;  // of own and external rows
};

}  // namespace solfec
