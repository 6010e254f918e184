// The sparse LU factors of a Newton step's matrix  A = X W + Y  among the rows of this rank, by KLU
// (Davis and Palamadai Natarajan 2010). On one rank they solve a step, on several they precondition
// it.
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

  /// Takes the matrix with blocks X_a W_ab + delta_ab Y_a and orders its rows. Zeros in X and Y
  /// (open contacts have X = 0) are left out, which makes the work smaller.
  void set_matrix(const Delassus& W, const std::vector<Mat3>& X, const std::vector<Mat3>& Y);
  /// Estimated operations of `factorise`.
  double operations() const;
  /// False when the matrix is singular, or not made of numbers.
  bool factorise();
  /// x = A^-1 b, after a factorisation.
  void solve(const std::vector<Vec3>& b, std::vector<Vec3>& x);

 private:
  struct Klu;
  std::unique_ptr<Klu> klu_;
  // By rows: the columns of the transpose, as KLU takes it.
  std::vector<int> begin_, column_;
  std::vector<double> value_;
};

}  // namespace solfec
