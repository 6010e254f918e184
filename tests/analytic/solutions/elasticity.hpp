// Exact displacements and stresses of small strains in isotropic elastic bodies. Stresses are
// positive in tension; Young's modulus Y, Poisson's ratio nu, shear modulus mu = Y / (2 + 2 nu).
#pragma once

#include <cmath>

#include "core/vector.hpp"

namespace solfec::solutions {

struct Elasticity {
  double young, poisson;

  double lambda() const { return young * poisson / ((1 + poisson) * (1 - 2 * poisson)); }
  double mu() const { return young / (2 + 2 * poisson); }
  Mat3 stress(const Mat3& strain) const {
    return lambda() * strain.trace() * Mat3::Identity() + 2 * mu() * strain;
  }
};

/// A cylinder along z of radii a < b under pressure p from inside, in plane strain (Lame;
/// Timoshenko and Goodier, Theory of Elasticity, 1970, article 28). With c = p a^2 / (b^2 - a^2)
///
///   s_r, s_t = c (1 -+ b^2 / r^2),  s_z = 2 nu c,  u_r = c [(1 - 2 nu) r + b^2 / r] / (2 mu)
class ThickCylinder {
 public:
  ThickCylinder(double inner, double outer, double pressure, const Elasticity& material)
      : material_(material),
        outer_(outer),
        level_(pressure * inner * inner / (outer * outer - inner * inner)) {}

  Vec3 displacement(const Vec3& X) const {
    const Vec3 R(X.x(), X.y(), 0);
    return level_ / (2 * material_.mu()) * (1 - 2 * material_.poisson + ratio(R)) * R;
  }
  Mat3 stress(const Vec3& X) const {
    const Vec3 R(X.x(), X.y(), 0), n = R.normalized();
    Mat3 plane = (1 + ratio(R)) * Mat3::Identity() - 2 * ratio(R) * n * n.transpose();
    plane(2, 2) = 2 * material_.poisson;
    return level_ * plane;
  }

 private:
  double ratio(const Vec3& R) const { return outer_ * outer_ / R.squaredNorm(); }

  Elasticity material_;
  double outer_, level_;
};

/// A hollow sphere of radii a < b under pressure p from inside (Lame; Timoshenko and Goodier 1970,
/// article 136). With c = p a^3 / (b^3 - a^3)
///
///   s_r = c (1 - b^3 / r^3),  s_t = c (1 + b^3 / (2 r^3))
///   u_r = c [(1 - 2 nu) r + (1 + nu) b^3 / (2 r^2)] / Y
class ThickSphere {
 public:
  ThickSphere(double inner, double outer, double pressure, const Elasticity& material)
      : material_(material), outer_(outer), level_(pressure / (std::pow(outer / inner, 3) - 1)) {}

  Vec3 displacement(const Vec3& X) const {
    const double nu = material_.poisson;
    return level_ / material_.young * (1 - 2 * nu + (1 + nu) * ratio(X) / 2) * X;
  }
  Mat3 stress(const Vec3& X) const {
    const Vec3 n = X.normalized();
    return level_ * ((1 + ratio(X) / 2) * Mat3::Identity() - 1.5 * ratio(X) * n * n.transpose());
  }

 private:
  double ratio(const Vec3& X) const { return std::pow(outer_ / X.norm(), 3); }

  Elasticity material_;
  double outer_, level_;
};

/// An infinite plate, normal to z and in plane strain, with a hole of radius a, under the tension s
/// along x far from it (Kirsch; Timoshenko and Goodier 1970, article 35). With q = a^2 / r^2
///
///   s_r = s/2 [1 - q + (1 - 4 q + 3 q^2) cos 2t],  s_t = s/2 [1 + q - (1 + 3 q^2) cos 2t]
///   s_rt = -s/2 (1 + 2 q - 3 q^2) sin 2t,  s_z = nu (s_r + s_t)
///
/// and, with k = 3 - 4 nu, from Muskhelishvili's potentials of these stresses
///
///   u_x = s r / (8 mu) [(k + 1) cos t + 2 q ((1 + k) cos t + cos 3t) - 2 q^2 cos 3t]
///   u_y = s r / (8 mu) [(k - 3) sin t + 2 q ((1 - k) sin t + sin 3t) - 2 q^2 sin 3t]
class PlateWithHole {
 public:
  PlateWithHole(double radius, double tension, const Elasticity& material)
      : material_(material), radius_(radius), tension_(tension) {}

  Vec3 displacement(const Vec3& X) const {
    const double r = std::hypot(X.x(), X.y()), t = std::atan2(X.y(), X.x());
    const double q = radius_ * radius_ / (r * r), k = 3 - 4 * material_.poisson;
    const double higher = 2 * q * (1 - q);
    const double x = (k + 1) * (1 + 2 * q) * std::cos(t) + higher * std::cos(3 * t);
    const double y = (k - 3 + 2 * q * (1 - k)) * std::sin(t) + higher * std::sin(3 * t);
    return tension_ * r / (8 * material_.mu()) * Vec3(x, y, 0);
  }
  Mat3 stress(const Vec3& X) const {
    const double r = std::hypot(X.x(), X.y()), t = std::atan2(X.y(), X.x());
    const double q = radius_ * radius_ / (r * r), c = std::cos(2 * t);
    const double radial = 1 - q + (1 - 4 * q + 3 * q * q) * c;
    const double hoop = 1 + q - (1 + 3 * q * q) * c;
    const double shear = -(1 + 2 * q - 3 * q * q) * std::sin(2 * t);
    Mat3 polar;
    polar << radial, shear, 0, shear, hoop, 0, 0, 0, material_.poisson * (radial + hoop);
    Mat3 base;
    base << std::cos(t), -std::sin(t), 0, std::sin(t), std::cos(t), 0, 0, 0, 1;
    return tension_ / 2 * base * polar * base.transpose();
  }

 private:
  Elasticity material_;
  double radius_, tension_;
};

/// A manufactured solution: u_i = A sin(w_i . X + p_i), with the force per volume that it asks for,
///
///   b = -div stress,  b_i = sum_j (lambda + mu) w_ji w_jj u_j + mu |w_i|^2 u_i
///
/// `waves` holds w_i [1/m] in row i, `phases` p_i.
struct SineWaves {
  Elasticity material;
  double amplitude;
  Mat3 waves;
  Vec3 phases;

  Vec3 displacement(const Vec3& X) const { return amplitude * angles(X).array().sin(); }
  Mat3 stress(const Vec3& X) const {
    const Mat3 slope = amplitude * angles(X).array().cos().matrix().asDiagonal() * waves;
    return material.stress(0.5 * (slope + slope.transpose()));
  }
  Vec3 body_force(const Vec3& X) const {
    const Vec3 u = displacement(X);
    return (material.lambda() + material.mu()) * waves.transpose() *
               waves.diagonal().cwiseProduct(u) +
           material.mu() * waves.rowwise().squaredNorm().cwiseProduct(u);
  }

 private:
  Vec3 angles(const Vec3& X) const { return waves * X + phases; }
};

}  // namespace solfec::solutions
