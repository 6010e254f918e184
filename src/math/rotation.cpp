#include "math/rotation.hpp"

#include <cmath>

#include "math/decompositions.hpp"

namespace solfec {
namespace {

// a = sin x / x, b = (1 - cos x) / x^2, c = (x - sin x) / x^3 with x^2 = s; series below where the
// closed forms cancel.
struct RotationCoefficients {
  double a, b, c;
};

// 1 - s/n1 (1 - s/n2 (1 - ...)), without divisions.
template <class... Rest>
double alternating(double s, double n, Rest... rest) {
  if constexpr (sizeof...(rest) == 0)
    return 1 - s * (1 / n);
  else
    return 1 - s * (1 / n) * alternating(s, rest...);
}

RotationCoefficients coefficients(double s) {
  if (s < 0.25) {
    const double tail = alternating(s, 20, 42, 72, 110, 156);
    return {1 - s * (1.0 / 6) * tail, 0.5 * alternating(s, 12, 30, 56, 90, 132), (1.0 / 6) * tail};
  }
  const double x = std::sqrt(s);
  const double half_sine = std::sin(0.5 * x);
  return {std::sin(x) / x, 2 * half_sine * half_sine / s, (x - std::sin(x)) / (s * x)};
}

Mat3 nearest_rotation_of_any(const Mat3& matrix) {
  auto [U, values, V] = singular_values(matrix);
  if ((U * V.transpose()).determinant() < 0) U.col(2) *= -1;
  return U * V.transpose();
}

}  // namespace

Mat3 exponential(const Vec3& psi) {
  const double s = psi.squaredNorm();
  const RotationCoefficients k = coefficients(s);
  Mat3 R = (k.b * psi) * psi.transpose() + k.a * skew(psi);
  R.diagonal().array() += 1 - k.b * s;
  return R;
}

Mat3 exponential_jacobian(const Vec3& psi) {
  const RotationCoefficients k = coefficients(psi.squaredNorm());
  const Mat3 p = skew(psi);
  return Mat3::Identity() - k.b * p + k.c * (p * p);
}

Mat3 reorthogonalised(const Mat3& rotation) {
  return 0.5 * rotation * (3 * Mat3::Identity() - rotation.transpose() * rotation);
}

// Newton's iteration X <- (z X + X^-T / z) / 2, scaled by z^2 = |X^-T| / |X| (Higham, SIAM J. Sci.
// Stat. Comput. 7, 1986); a singular value decomposition, slower, where that does not lead there:
// for what is reflected or nearly singular.
Mat3 nearest_rotation(const Mat3& matrix) {
  constexpr double kRegular = 1e-6, kConverged = 1e-8;  // the error is then of its square
  Mat3 X = matrix / matrix.norm(), cofactors;
  for (double change = 1; change > kConverged;) {
    for (int i = 0; i < 3; i++) cofactors.col(i) = X.col((i + 1) % 3).cross(X.col((i + 2) % 3));
    const double determinant = X.col(0).dot(cofactors.col(0));
    if (!(determinant > kRegular)) return nearest_rotation_of_any(matrix);
    const Mat3 inverse = cofactors / determinant;
    const double z = std::sqrt(inverse.norm() / X.norm());
    const Mat3 next = 0.5 * (z * X + inverse / z);
    change = (next - X).norm();
    X = next;
  }
  return X;
}

Mat3 rotation_about(const Vec3& axis, double angle) {
  return exponential(axis.normalized() * angle);
}

}  // namespace solfec
