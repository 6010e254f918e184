// Smoothed versions of what is not smooth in the law of contact (report of 2019, section 4): the
// projection onto the polar cone of friction, and the norm of a tangential velocity. Both tend to
// the originals as omega goes to zero, where they differ by at most the order of omega.
#pragma once

#include "core/vector.hpp"

namespace solfec {

/// A function of three components and its gradient, columns by what it is differentiated by.
struct SmoothedValue {
  Vec3 value;
  Mat3 gradient;
};

/// m_omega(z), z in components (T1, T2, N): the projection onto the polar cone of
/// K = { |z_T| <= mu z_N } with max(0, s) replaced by (s + sqrt(s^2 + 4 omega^2)) / 2 along its
/// two directions (equations 24 and 31). The gradient is symmetric, 0 <= gradient <= I (equations
/// 27 and 34 to 38). For mu = 0 it is diag(1, 1, d) whatever z_T is; equation 27 has diag(d, d, d)
/// at z_T = 0, which is not the limit.
SmoothedValue smoothed_polar_projection(const Vec3& z, double mu, double omega);

/// |U_T| as sqrt(|U_T|^2 + omega^2) - omega (equation 39), and its slopes (T1, T2).
struct SmoothedNorm {
  double value;
  Vec2 slope;
};
SmoothedNorm smoothed_norm(const Vec2& U_T, double omega);

}  // namespace solfec
