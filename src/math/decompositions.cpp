#include "math/decompositions.hpp"

namespace solfec {

Vec3 solve_general(const Mat3& A, const Vec3& b) { return A.partialPivLu().solve(b); }

Vec3 solve_semidefinite(const Mat3& A, const Vec3& b) { return A.ldlt().solve(b); }

Vec3 solve_definite(const Mat3& A, const Vec3& b) { return A.llt().solve(b); }

Mat3 inverse_cholesky(const Mat3& A) {
  const Mat3 U = A.llt().matrixU();
  return U.inverse();
}

SymmetricEigen3 symmetric_eigen(const Mat3& A) {
  const Eigen::SelfAdjointEigenSolver<Mat3> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

Eigen::MatrixXd orthonormal_rows(const Eigen::MatrixXd& A, double tolerance) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(A.transpose());
  factors.setThreshold(tolerance);
  const Eigen::MatrixXd Q =
      factors.householderQ() * Eigen::MatrixXd::Identity(A.cols(), factors.rank());
  return Q.transpose();
}

SingularValues3 singular_values(const Mat3& A) {
  const Eigen::JacobiSVD<Mat3> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

}  // namespace solfec
