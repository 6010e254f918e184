// Free rotation of a rigid body with three different moments of inertia.
#pragma once

#include <cmath>
#include <stdexcept>
#include <vector>

#include "math/rotation.hpp"

namespace solfec::solutions {

/// Jacobi's elliptic functions of argument u and modulus k in (0, 1), by the descending sequence
/// of arithmetic-geometric means (Abramowitz and Stegun, 16.4).
struct JacobiFunctions {
  double sn, cn, dn;

  JacobiFunctions(double u, double k) {
    std::vector<double> a = {1}, c = {k};
    double b = std::sqrt(1 - k * k);
    while (std::abs(c.back()) > 1e-16) {
      const double mean = 0.5 * (a.back() + b), half = 0.5 * (a.back() - b);
      b = std::sqrt(a.back() * b);
      a.push_back(mean);
      c.push_back(half);
      if (a.size() > 60) throw std::runtime_error("the means do not meet");
    }
    double phi = std::ldexp(a.back() * u, static_cast<int>(a.size()) - 1);
    for (std::size_t n = a.size() - 1; n > 0; n--)
      phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
    sn = std::sin(phi);
    cn = std::cos(phi);
    dn = std::sqrt(1 - k * k * sn * sn);
  }
};

/// Euler's equations  J w' + w x J w = 0  with J1 < J2 < J3 and w(0) = (a, 0, c), a and c positive
/// and c large enough that w circles about the third axis (Landau and Lifshitz, Mechanics, section
/// 37).
class TorqueFreeTop {
 public:
  TorqueFreeTop(const Vec3& J, double a, double c) : J_(J), start_(a, 0, c) {
    const double twice_energy = start_.dot(J.cwiseProduct(start_));
    const double square = J.cwiseProduct(start_).squaredNorm();  // of the angular momentum
    const double low = square - twice_energy * J[0], high = twice_energy * J[2] - square;
    if (!(J[0] < J[1] && J[1] < J[2] && square > twice_energy * J[1]))
      throw std::runtime_error("not a motion about the third axis");
    amplitude_ = {std::sqrt(high / (J[0] * (J[2] - J[0]))),
                  std::sqrt(high / (J[1] * (J[2] - J[1]))),
                  std::sqrt(low / (J[2] * (J[2] - J[0])))};
    rate_ = std::sqrt((J[2] - J[1]) * low / (J[0] * J[1] * J[2]));
    modulus_ = std::sqrt((J[1] - J[0]) * high / ((J[2] - J[1]) * low));
  }

  const Vec3& inertia() const { return J_; }

  /// In the body's axes.
  Vec3 angular_velocity_at(double t) const {
    const JacobiFunctions f(rate_ * t, modulus_);
    return amplitude_.cwiseProduct(Vec3(f.cn, f.sn, f.dn));
  }

  /// Rotation from the body's axes to space, the identity at 0: L' = L skew(w), by the fourth-order
  /// Magnus method with the exact w at the two Gauss points of each of `steps` intervals.
  Mat3 rotation_at(double t, int steps = 20000) const {
    const double h = t / steps, root = std::sqrt(3.0);
    Mat3 L = Mat3::Identity();
    for (int k = 0; k < steps; k++) {
      const double middle = (k + 0.5) * h;
      const Vec3 w1 = angular_velocity_at(middle - h * root / 6),
                 w2 = angular_velocity_at(middle + h * root / 6);
      L = L * exponential(0.5 * h * (w1 + w2) + root / 12 * h * h * w1.cross(w2));
    }
    return L;
  }

 private:
  Vec3 J_, start_, amplitude_;
  double rate_, modulus_;
};

}  // namespace solfec::solutions
