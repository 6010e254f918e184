// Decompositions of dense matrices, as functions that are compiled once: of all templates they are
// those that take the compiler longest.
#pragma once

#include "core/vector.hpp"

namespace solfec {

/// A x = b for any regular A, by LU factors with partial pivoting.
Vec3 solve_general(const Mat3& A, const Vec3& b);

/// A x = b for a symmetric positive semi-definite A, by L D L^T. Where A takes an axis of space to
/// zero, x has no part along it.
Vec3 solve_semidefinite(const Mat3& A, const Vec3& b);

/// A x = b for a symmetric positive definite A, by L L^T.
Vec3 solve_definite(const Mat3& A, const Vec3& b);

/// L^-T of A = L L^T, of a symmetric positive definite A: columns B with B^T B = A become
/// orthonormal as B L^-T.
Mat3 inverse_cholesky(const Mat3& A);

/// A = V diag(values) V^T of a symmetric A: values rise, columns of V are orthonormal.
struct SymmetricEigen3 {
  Vec3 values;
  Mat3 vectors;
};
SymmetricEigen3 symmetric_eigen(const Mat3& A);

/// The same of any size. Only the lower triangle of A is read.
struct SymmetricEigen {
  Eigen::VectorXd values;
  Eigen::MatrixXd vectors;
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);

/// Orthonormal rows that span the rows of A. One of them that has less than `tolerance` of the
/// largest beside the others is left out: by Q R factors of A^T with column pivoting.
Eigen::MatrixXd orthonormal_rows(const Eigen::MatrixXd& A, double tolerance);

/// A = U diag(values) V^T, U and V orthogonal: values fall, and none is negative.
struct SingularValues3 {
  Mat3 U;
  Vec3 values;
  Mat3 V;
};
SingularValues3 singular_values(const Mat3& A);

}  // namespace solfec
