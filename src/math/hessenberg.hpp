// The small problem of GMRES: least squares with a Hessenberg matrix that grows by columns.
#pragma once

#include <vector>

#include "core/vector.hpp"

namespace solfec {

/// min |beta e_1 - H y|, H with one row more than columns, made triangular by Givens rotations as
/// it grows (Saad, Iterative Methods for Sparse Linear Systems, 2003, section 6.5.3).
class HessenbergLeastSquares {
 public:
  /// For up to so many columns.
  HessenbergLeastSquares(int most, double beta);

  /// Takes column k, of k + 2 entries; returns |beta e_1 - H y|.
  double add_column(const Eigen::VectorXd& column);

  /// y; columns that say nothing have no part in it.
  Eigen::VectorXd solution() const;

 private:
  void rotate(int k, double& a, double& b) const;

  int columns_ = 0;
  Eigen::MatrixXd R_;
  std::vector<double> cosine_, sine_;
  Eigen::VectorXd right_;
};

}  // namespace solfec
