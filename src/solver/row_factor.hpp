// The sparse LU factors of a Newton step's matrix  A = X W + Y  among the rows of this rank, by KLU
// (Davis and Palamadai Natarajan 2010). On one rank they solve a step, on several they precondition
// it.
//
// Where rows act on small bodies only, A is not made. With W = h G G^T and velocities of bodies
// y = sqrt(h) G^T x the system is
//
//   [     Y       sqrt(h) X G ] [x]   [b]
//   [ -sqrt(h) G^T      I     ] [y] = [0]
//
// which has far fewer entries, and leaves it to the order of elimination whether bodies or contacts
// go first: among stones with many contacts A is nearly full.
#pragma once

#include <memory>
#include <vector>

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

/// Keeps its memory between calls.
class RowFactor {
 public:
  RowFactor();
  ~RowFactor();
  RowFactor(const RowFactor&) = delete;
  RowFactor& operator=(const RowFactor&) = delete;

  /// Whether it asks for the blocks of W: where there are bodies of more than 12 velocities, or
  /// none.
  static bool takes_blocks(const Delassus& W);
  /// Operations of asking for them.
  static double block_operations(const Delassus& W) {
    return takes_blocks(W) ? W.block_operations() : 0;
  }

  /// Takes the matrix with blocks X_a W_ab + delta_ab Y_a and orders its rows, unless it has the
  /// pattern of the one before. Zeros in X and Y (open contacts have X = 0) are left out, which
  /// makes the work smaller.
  void set_matrix(const Delassus& W, const std::vector<Mat3>& X, const std::vector<Mat3>& Y);
  /// Estimated operations of `factorise`.
  double operations() const;
  /// False when the matrix is singular, or not made of numbers. Where bodies are unknowns, which
  /// leaves pivots on the diagonal, a matrix with the pattern of the one before takes its pivots
  /// and the pattern of its factors, which is quicker.
  bool factorise();
  /// The next factors have pivots of their own. To be called where a solve begins, or its result
  /// would depend on what was solved before.
  void renew_pivots() { keeps_pivots_ = false; }
  /// x = A^-1 b, after a factorisation.
  void solve(const std::vector<Vec3>& b, std::vector<Vec3>& x);

 private:
  struct Klu;
  void add_blocks(const Delassus& W, const std::vector<Mat3>& X, const std::vector<Mat3>& Y);
  void add_bodies(const Delassus& W, const std::vector<Mat3>& X, const std::vector<Mat3>& Y);
  void add_velocities(const Delassus& W);
  void end_row();

  std::unique_ptr<Klu> klu_;
  bool keeps_pivots_ = false;
  // By rows: the columns of the transpose, as KLU takes it.
  std::vector<int> begin_, column_;
  std::vector<double> value_;
  std::vector<int> last_begin_, last_column_;
  std::vector<double> extended_;  // b and x with the velocities of bodies
};

}  // namespace solfec
