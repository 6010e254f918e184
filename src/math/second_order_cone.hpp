// The second-order cone L = { x : |x_T| <= x_N } in local components (T1, T2, N), its product and
// the scaling of Nesterov and Todd (1997), as interior-point methods use them:
//
//   x o z = (x_N z_T + z_N x_T, x.z),   det x = x_N^2 - |x_T|^2,   (0, 0, 1) o x = x
//
// Vectors without tangential components make the half line x_N >= 0.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/friction_cone.hpp"

namespace solfec {

/// Of x in the cone: without cancellation near its boundary.
inline double cone_determinant(const Vec3& x) {
  const double tangent = tangent_norm(x);
  return (x.z() - tangent) * (x.z() + tangent);
}

/// Whether x is inside by more than rounding.
inline bool is_inside_cone(const Vec3& x) {
  constexpr double kSlack = 4 * std::numeric_limits<double>::epsilon();
  return x.z() > 0 && x.z() - tangent_norm(x) > kSlack * x.z();
}

/// x o z
inline Vec3 cone_product(const Vec3& x, const Vec3& z) {
  return {x.z() * z.x() + z.z() * x.x(), x.z() * z.y() + z.z() * x.y(), x.dot(z)};
}

/// The y with  x o y = c;  x is inside.
inline Vec3 cone_quotient(const Vec3& x, const Vec3& c) {
  Vec3 y;
  y.z() = (x.z() * c.z() - x.head<2>().dot(c.head<2>())) / cone_determinant(x);
  y.head<2>() = (c.head<2>() - y.z() * x.head<2>()) / x.z();
  return y;
}

/// The largest a with  x + a d  in the cone; x is inside. Infinite where there is none.
inline double step_to_cone_boundary(const Vec3& x, const Vec3& d) {
  // det (x + a d) = A a^2 + 2 B a + det x; its first positive root.
  const double A = d.z() * d.z() - d.head<2>().squaredNorm();
  const double B = x.z() * d.z() - x.head<2>().dot(d.head<2>());
  const double C = cone_determinant(x);
  double discriminant = B * B - A * C;
  if (d.z() < 0) discriminant = std::max(discriminant, 0.0);  // it leaves the cone: rounding
  const double slope = discriminant >= 0 ? std::sqrt(discriminant) - B : 0;
  return slope > 0 ? C / slope : std::numeric_limits<double>::infinity();
}

/// The symmetric T that takes the cone to itself, with  T x = T^-1 z  for x and z inside of it.
class ConeScaling {
 public:
  ConeScaling(const Vec3& x, const Vec3& z) {
    const double det_x = cone_determinant(x), det_z = cone_determinant(z);
    const Vec3 unit_x = x / std::sqrt(det_x), unit_z = z / std::sqrt(det_z);
    // w with  (2 w w^T - J) unit_x = unit_z,  J = diag (-1, -1, 1);  T is its square root.
    const Vec3 w = (unit_z + reflect(unit_x)) / std::sqrt(2 * (1 + unit_x.dot(unit_z)));
    v_ = (w + Vec3::UnitZ()) / std::sqrt(2 * (w.z() + 1));
    eta_ = std::sqrt(std::sqrt(det_z / det_x));
  }

  /// T y
  Vec3 times(const Vec3& y) const { return eta_ * turned(v_, y); }
  /// T^-1 y
  Vec3 inverse_times(const Vec3& y) const { return turned(reflect(v_), y) / eta_; }
  /// T T
  Mat3 square() const {
    Mat3 T = 2 * v_ * v_.transpose();
    T(0, 0) += 1;
    T(1, 1) += 1;
    T(2, 2) -= 1;
    T *= eta_;
    return T * T;
  }

 private:
  static Vec3 reflect(const Vec3& y) { return {-y.x(), -y.y(), y.z()}; }
  // (2 v v^T - J) y
  static Vec3 turned(const Vec3& v, const Vec3& y) { return 2 * v.dot(y) * v - reflect(y); }

  Vec3 v_;
  double eta_;
};

}  // namespace solfec
