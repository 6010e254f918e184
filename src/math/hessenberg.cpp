#include "math/hessenberg.hpp"

#include <cmath>

namespace solfec {

HessenbergLeastSquares::HessenbergLeastSquares(int most, double beta)
    : R_(Eigen::MatrixXd::Zero(most + 1, most)),
      cosine_(most),
      sine_(most),
      right_(Eigen::VectorXd::Zero(most + 1)) {
  right_[0] = beta;
}

double HessenbergLeastSquares::add_column(const Eigen::VectorXd& column) {
  const int k = columns_++;
  R_.col(k).head(k + 2) = column;
  for (int i = 0; i < k; i++) rotate(i, R_(i, k), R_(i + 1, k));
  const double length = std::hypot(R_(k, k), R_(k + 1, k));
  cosine_[k] = length > 0 ? R_(k, k) / length : 1;
  sine_[k] = length > 0 ? R_(k + 1, k) / length : 0;
  rotate(k, R_(k, k), R_(k + 1, k));
  rotate(k, right_[k], right_[k + 1]);
  return std::abs(right_[k + 1]);
}

Eigen::VectorXd HessenbergLeastSquares::solution() const {
  Eigen::VectorXd y = Eigen::VectorXd::Zero(columns_);
  for (int k = columns_ - 1; k >= 0; k--) {
    const int others = columns_ - k - 1;
    const double rest = right_[k] - R_.row(k).segment(k + 1, others) * y.segment(k + 1, others);
    y[k] = R_(k, k) != 0 ? rest / R_(k, k) : 0;
  }
  return y;
}

void HessenbergLeastSquares::rotate(int k, double& a, double& b) const {
  const double first = cosine_[k] * a + sine_[k] * b;
  b = cosine_[k] * b - sine_[k] * a;
  a = first;
}

}  // namespace solfec
