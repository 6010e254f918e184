#include "math/smoothed_cone.hpp"

#include <cmath>

namespace solfec {
namespace {

// (s + r) / 2 and its slope, r = sqrt(s^2 + 4 w^2): both without cancellation where s < 0.
struct Ramp {
  double value, slope, root;
};

Ramp ramp(double s, double w) {
  const double root = std::sqrt(s * s + 4 * w * w);
  if (root == 0) return {0, 0.5, 0};
  if (s >= 0) return {0.5 * (s + root), 0.5 * (1 + s / root), root};
  const double share = 2 * w / (root - s);  // of w in the value
  return {w * share, w * share / root, root};
}

}  // namespace

SmoothedValue smoothed_polar_projection(const Vec3& z, double mu, double omega) {
  const double size = z.head<2>().norm(), scale = 1 / (1 + mu * mu);
  const Ramp g1 = ramp(scale * (-z.z() - mu * size), omega);
  SmoothedValue m;
  if (mu == 0) {
    m.value = {z.x(), z.y(), -g1.value};
    m.gradient = Vec3(1, 1, g1.slope).asDiagonal();
    return m;
  }
  const Ramp g2 = ramp(scale * (size - mu * z.z()), mu * omega);
  // (g2 - mu g1) / |z_T|, which is equation 35, without cancellation.
  const double roots = g2.root + mu * g1.root;
  const double a = roots > 0 ? (g2.value + mu * g1.value) / roots : 0.5;
  const double b = scale * (mu * mu * g1.slope + g2.slope);
  const double c = scale * mu * (g1.slope - g2.slope);
  const double d = scale * (g1.slope + mu * mu * g2.slope);
  m.value << a * z.x(), a * z.y(), -g1.value - mu * g2.value;
  const Vec2 t = size > 0 ? Vec2(z.head<2>() / size) : Vec2(Vec2::Zero());
  m.gradient.topLeftCorner<2, 2>() = a * Mat2::Identity() + (b - a) * t * t.transpose();
  m.gradient.topRightCorner<2, 1>() = c * t;
  m.gradient.bottomLeftCorner<1, 2>() = c * t.transpose();
  m.gradient(2, 2) = d;
  return m;
}

SmoothedNorm smoothed_norm(const Vec2& U_T, double omega) {
  const double square = U_T.squaredNorm(), root = std::sqrt(square + omega * omega);
  if (root == 0) return {0, Vec2::Zero()};
  return {square / (root + omega), U_T / root};
}

}  // namespace solfec
