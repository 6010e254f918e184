#include "solver/gmres.hpp"

#include <algorithm>
#include <cmath>

#include "math/hessenberg.hpp"
#include "math/lanes.hpp"

namespace solfec {
namespace {

std::span<const double> numbers(const RowVector& a) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  return {a.empty() ? nullptr : a[0].data(), 3 * a.size()};
}

// In an order that does not depend on where the numbers are.
double own_dot(const RowVector& a, const RowVector& b) {
  constexpr std::size_t kStride = 4 * kLanes;
  const std::span<const double> x = numbers(a), y = numbers(b);
  const auto at = [](std::span<const double> from, std::size_t k) {
    return Lanes(from.data() + k, std::experimental::element_aligned);
  };
  Lanes sums[4] = {0.0, 0.0, 0.0, 0.0};
  std::size_t k = 0;
  for (; k + kStride <= x.size(); k += kStride)
    for (std::size_t i = 0; i < 4; i++) sums[i] += at(x, k + i * kLanes) * at(y, k + i * kLanes);
  double sum = reduce((sums[0] + sums[1]) + (sums[2] + sums[3]));
  for (; k < x.size(); k++) sum += x[k] * y[k];
  return sum;
}

void add(double factor, const RowVector& a, RowVector& to) {
  for (std::size_t k = 0; k < a.size(); k++) to[k] += factor * a[k];
}

void scale(double factor, RowVector& a) {
  for (Vec3& v : a) v *= factor;
}

}  // namespace

// Takes from w, the vector k + 1 of the basis, its parts along the others and scales it; false when
// nothing is left of it. `column` gets the parts and the length.
bool Gmres::orthogonalise(int k, const Communicator& communicator, Eigen::VectorXd& column) {
  RowVector& w = basis_[k + 1];
  column = Eigen::VectorXd::Zero(k + 2);
  std::vector<double> sums(k + 2);
  double length = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i <= k + 1; i++) sums[i] = own_dot(basis_[i], w);
    communicator.sum_all(sums);
    double rest = sums[k + 1];
    for (int i = 0; i <= k; i++) {
      column[i] += sums[i];
      rest -= sums[i] * sums[i];
      add(-sums[i], basis_[i], w);
    }
    length = std::sqrt(std::max(rest, 0.0));
    if (rest > 0.1 * sums[k + 1]) break;
    if (pass == 1 && rest <= 1e-2 * sums[k + 1]) length = 0;  // w was in the span of the others
  }
  column[k + 1] = length;
  if (!(length > 0)) return false;
  scale(1 / length, w);
  return true;
}

GmresResult Gmres::solve(const LinearSystem& system, const RowVector& b, double epsilon,
                         int max_iterations, const Communicator& communicator, RowVector& x) {
  GmresResult result;
  const auto width = static_cast<std::size_t>(std::min(restart_, max_iterations));
  if (basis_.size() < width + 1) basis_.resize(width + 1);
  if (preconditioned_.size() < width) preconditioned_.resize(width);
  for (auto* vectors : {&basis_, &preconditioned_})
    for (RowVector& v : *vectors) v.resize(b.size());
  const auto precondition_left = [&](RowVector& v) {
    if (system.precondition_left) system.precondition_left(v);
  };
  basis_[0] = b;
  precondition_left(basis_[0]);
  double squares[] = {own_dot(basis_[0], basis_[0]), own_dot(x, x)};
  communicator.sum_all(squares);
  result.residual = std::sqrt(squares[0]);
  const double tolerance = epsilon * result.residual;
  bool from_zero = squares[1] == 0;
  for (int left = max_iterations;;) {
    if (!from_zero) {
      system.multiply(x, basis_[0]);
      result.products++;
      for (std::size_t i = 0; i < b.size(); i++) basis_[0][i] = b[i] - basis_[0][i];
      precondition_left(basis_[0]);
      result.residual = std::sqrt(communicator.sum(own_dot(basis_[0], basis_[0])));
    }
    from_zero = false;
    if (!(result.residual > tolerance) || left == 0 || !std::isfinite(result.residual))
      return result;
    scale(1 / result.residual, basis_[0]);
    HessenbergLeastSquares H(std::min(restart_, left), result.residual);
    int k = 0;
    for (bool goes_on = true; goes_on && k < std::min(restart_, left); k++) {
      if (system.precondition_multiply) {
        system.precondition_multiply(basis_[k], preconditioned_[k], basis_[k + 1]);
      } else {
        system.precondition(basis_[k], preconditioned_[k]);
        system.multiply(preconditioned_[k], basis_[k + 1]);
      }
      result.products++;
      Eigen::VectorXd column;
      goes_on = orthogonalise(k, communicator, column);
      result.residual = H.add_column(column);
      goes_on = goes_on && result.residual > tolerance;
    }
    const Eigen::VectorXd y = H.solution();
    for (int i = 0; i < k; i++) add(y[i], preconditioned_[i], x);
    left -= k;
    if (!(result.residual > tolerance) || left == 0) return result;
  }
}

}  // namespace solfec
