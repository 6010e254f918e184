#include "math/rotation.hpp"

#include <cmath>

namespace solfec {
namespace {

// a = sin x / x, b = (1 - cos x) / x^2, c = (x - sin x) / x^3 with x^2 = s; series below where the
// closed forms cancel.
struct RotationCoefficients {
  double a, b, c;
};

RotationCoefficients coefficients(double s) {
  if (s < 0.25) {
    const double a =
        1 - s / 6 * (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110 * (1 - s / 156)))));
    const double b =
        0.5 * (1 - s / 12 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90 * (1 - s / 132)))));
    const double c = (1 - s / 20 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110 * (1 - s / 156))))) / 6;
    return {a, b, c};
  }
  const double x = std::sqrt(s);
  const double half_sine = std::sin(0.5 * x);
  return {std::sin(x) / x, 2 * half_sine * half_sine / s, (x - std::sin(x)) / (s * x)};
}

}  // namespace

Mat3 exponential(const Vec3& psi) {
  const RotationCoefficients k = coefficients(psi.squaredNorm());
  const Mat3 p = skew(psi);
  return Mat3::Identity() + k.a * p + k.b * (p * p);
}

Mat3 exponential_jacobian(const Vec3& psi) {
  const RotationCoefficients k = coefficients(psi.squaredNorm());
  const Mat3 p = skew(psi);
  return Mat3::Identity() - k.b * p + k.c * (p * p);
}

Mat3 reorthogonalised(const Mat3& rotation) {
  return 0.5 * rotation * (3 * Mat3::Identity() - rotation.transpose() * rotation);
}

Mat3 rotation_about(const Vec3& axis, double angle) {
  return exponential(axis.normalized() * angle);
}

}  // namespace solfec
