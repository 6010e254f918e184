// Cholesky factors of sparse matrices, A = P^T L L^T P, by CHOLMOD (Chen, Davis, Hager and
// Rajamanickam 2008): column by column where L is sparse, by dense blocks where it is not.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <memory>
#include <span>
#include <vector>

namespace solfec {

/// Of symmetric positive definite matrices, given by their compressed lower triangles.
class SparseCholesky {
 public:
  using Matrix = Eigen::SparseMatrix<double>;
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, 3>;

  SparseCholesky();
  ~SparseCholesky();

  /// Finds the order of elimination and where L has entries.
  void analyse(const Matrix& A);
  /// A has the pattern that was analysed. False when it is not positive definite, or no number.
  bool factor(const Matrix& A);

  /// b <- A^-1 b.
  void solve(std::span<double> b) const;
  /// B <- L^-1 B. Rows of B are those of P A P^T: row i of A is row place(i) there.
  void solve_lower(Columns& B) const;
  /// b <- L^-T b, rows as above.
  void solve_upper(std::span<double> b) const;
  int place(int row) const { return place_[static_cast<std::size_t>(row)]; }

  /// Whether L is made of dense blocks.
  bool in_blocks() const;
  /// E^T A^-1 E of columns with few entries; and, where B is given (rows as above), E^T P^T L^-T B.
  /// Rows of a column are coupled with each other in A: solutions run through the blocks between
  /// the first of them and the last block only (columns of Y = L^-1 P E are zero elsewhere), in
  /// products of dense matrices. L is in blocks.
  struct Entry {
    int row;
    double value;
  };
  using FewEntries = std::vector<Entry>;
  Eigen::MatrixXd inverse_between(std::span<const FewEntries> E, const Columns* B = nullptr,
                                  Columns* EB = nullptr) const;

  /// Numbers that L holds.
  std::size_t entries() const;

 private:
  struct Factor;
  std::unique_ptr<Factor> factor_;
  std::vector<int> place_;
  std::vector<int> block_;  // of each place, where L is in blocks
};

}  // namespace solfec
