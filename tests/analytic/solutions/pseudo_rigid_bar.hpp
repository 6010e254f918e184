// Free vibration of a block whose deformation is one gradient F, of Saint Venant-Kirchhoff
// material.
#pragma once

#include <cmath>
#include <stdexcept>

#include "analytic/solutions/torque_free_top.hpp"
#include "body/bulk_material.hpp"

namespace solfec::solutions {

/// Small stretching vibrations: strains e_i along the axes of a box of sides L, with Euler's tensor
/// E_i = rho V L_i^2 / 12,
///
///   E_i e_i'' + V (lambda (e_1 + e_2 + e_3) + 2 mu e_i) = 0
///
/// Three modes; for a slender bar the lowest is omega^2 = 12 Y / (rho L^2), Young's modulus Y,
/// against pi^2 Y / (rho L^2) of the continuous bar.
class StretchingModes {
 public:
  StretchingModes(const Vec3& sides, const BulkMaterial& material) {
    const Vec3 E = material.density * sides.cwiseProduct(sides) / 12;  // per volume
    const Vec3 scale = E.cwiseSqrt().cwiseInverse();
    Mat3 C = 2 * material.mu() * Mat3::Identity();
    C.array() += material.lambda();
    const Eigen::SelfAdjointEigenSolver<Mat3> eigen(scale.asDiagonal() * C * scale.asDiagonal());
    omega_ = eigen.eigenvalues().cwiseSqrt();
    shapes_ = scale.asDiagonal() * eigen.eigenvectors();
    shapes_.colwise().normalize();
  }

  /// Angular frequency of a mode, the lowest first [1/s].
  double omega(int mode) const { return omega_[mode]; }
  /// Its strains.
  Vec3 shape(int mode) const { return shapes_.col(mode); }

 private:
  Vec3 omega_;
  Mat3 shapes_;
};

/// Stretching along one axis without Poisson's effect (Poisson's ratio 0), of any amplitude. With
/// P = Y (F^3 - F) / 2 it is the Duffing equation
///
///   F'' = a (F - F^3),   a = 6 Y / (rho L^2),
///
/// and from rest at the stretch A in (1, sqrt 2):  F = A dn(A sqrt(a / 2) t, k),  k^2 = 2 - 2 /
/// A^2.
class LargeStretching {
 public:
  LargeStretching(double young, double density, double length, double amplitude)
      : amplitude_(amplitude),
        rate_(amplitude * std::sqrt(3 * young / density) / length),
        modulus_(std::sqrt(2 - 2 / (amplitude * amplitude))) {
    if (!(amplitude > 1 && amplitude * amplitude < 2))
      throw std::runtime_error("not a vibration about the natural length");
  }

  double stretch_at(double t) const { return amplitude_ * JacobiFunctions(rate_ * t, modulus_).dn; }
  double rate_at(double t) const {
    const JacobiFunctions f(rate_ * t, modulus_);
    return -amplitude_ * rate_ * modulus_ * modulus_ * f.sn * f.cn;
  }
  double period() const { return 2 * std::comp_ellint_1(modulus_) / rate_; }

 private:
  double amplitude_, rate_, modulus_;
};

}  // namespace solfec::solutions
