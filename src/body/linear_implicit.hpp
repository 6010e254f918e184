// What the schemes of deformable bodies share, whatever they are made of.
//
// A linearly implicit step is
//   A (u' - u - D) = h (f - eta K u) - M D - d (A - M) Phi^n v,   A = M + a K,   Phi = 1 - A^-1 M
// with f in mid-step, where D is the change of the part of u that turns the body, and v what is
// left of u without that part. Phi multiplies a mode of frequency omega by
// a omega^2 / (1 + a omega^2): nearly 0 where the step resolves it, nearly 1 where it does not.
// For eta = 0 and n = 0 the spectral radius at high frequency is (1 - gamma) / (1 + gamma) with
//   a = (1 + gamma)^2 h^2 / 4,   d = gamma h^2 / a.
#pragma once

#include <algorithm>
#include <cmath>

#include "body/body_store.hpp"
#include "math/decompositions.hpp"
#include "math/rotation.hpp"

namespace solfec {

struct LinearImplicit {
  double a;           ///< [s^2]
  double eta;         ///< damping [s]
  double decay = 0;   ///< d
  int sharpness = 0;  ///< n
};

/// Of a scheme, damping eta and step h.
inline LinearImplicit linear_implicit(Scheme scheme, double eta, double h) {
  const double square = h * h;
  switch (scheme) {
    case Scheme::def_lim: {  // gamma = 2 / sqrt(3) - 1
      const double a = 0.5 * eta * h + square / 3;
      return {a, eta, (2 / std::sqrt(3.0) - 1) * square / a, 3};
    }
    case Scheme::def_lim2: {  // gamma = 1
      const double a = eta * h + square;
      return {a, eta, square / a};
    }
    case Scheme::def_imp:  // begins with gamma = 0
    case Scheme::none:     // this and the explicit ones do not ask
    case Scheme::rig_pos:
    case Scheme::rig_neg:
    case Scheme::rig_imp:
    case Scheme::def_exp:
      break;
  }
  return {0.5 * eta * h + 0.25 * square, eta};
}

/// The rotation of a body about its mass centre in a step that moves it along straight lines: it
/// turns by 2 t, and half way points lie at 1/cos t times their distance from the axis.
class Turning {
 public:
  Turning() = default;
  /// Of a body with these moments of inertia and this angular momentum in the middle of the step.
  Turning(const Mat3& inertia, const Vec3& momentum, double h)
      : spin_(solve_semidefinite(inertia, momentum)) {
    const double speed = spin_.norm();
    if (!(speed > 0)) {
      spin_.setZero();
      return;
    }
    axis_ = spin_ / speed;
    // Speeds w' r are w = w' cos^2 t times r/cos^2 t, w' = 2 tan t / h.
    half_ = 0.5 * std::asin(std::min(1.0, h * speed));
  }

  const Vec3& axis() const { return axis_; }
  /// t
  double half() const { return half_; }
  /// Gradient in the middle of the velocities at the start, in the middle and at the end.
  Mat3 before() const { return rotation_about(axis_, -half_) * middle(); }
  Mat3 middle() const { return skew(spin_) / std::cos(half_); }
  Mat3 after() const { return rotation_about(axis_, half_) * middle(); }

 private:
  Vec3 spin_ = Vec3::Zero(), axis_ = Vec3::UnitZ();
  double half_ = 0;
};

/// X [s^2] of the strain  E + X grad w^T grad w  that stands for E in the middle of a step, with w
/// of Turning::middle: the strain of mid-step, and what K in A adds for the change of w, which
/// takes D to the right of the equation. A body that turns rigidly has no strain, at any angle.
inline double turning_strain(const LinearImplicit& step, double h) {
  return step.a - 0.5 * h * step.eta - 0.125 * h * h;
}

/// Largest step for which DEF_EXP is stable [s]; omega2 is the largest eigenvalue of M^-1 K.
inline double explicit_limit(double omega2, double eta) {
  return std::sqrt(eta * eta + 4 / omega2) - eta;
}

}  // namespace solfec
