// The friction cone K = { R : |R_T| <= mu R_N } in local components (T1, T2, N), and its polar.
#pragma once

#include <cmath>
#include <limits>

#include "core/vector.hpp"

namespace solfec {

/// |R_T|
inline double tangent_norm(const Vec3& R) { return std::sqrt(R.x() * R.x() + R.y() * R.y()); }

/// True when R lies in the cone up to the absolute slack.
inline bool in_friction_cone(const Vec3& R, double mu, double slack = 0.0) {
  // The half space is asked for too: for mu = 0 the first condition holds all along the axis.
  return R.z() >= -slack && tangent_norm(R) <= mu * R.z() + slack;
}

/// Orthogonal projection onto the friction cone (report of 2019, equation 23 for its polar part).
inline Vec3 project_on_friction_cone(const Vec3& S, double mu) {
  const double tangent = tangent_norm(S);
  if (mu * tangent + S.z() <= 0) return Vec3::Zero();
  if (tangent <= mu * S.z()) return S;
  const double normal = (mu * tangent + S.z()) / (1 + mu * mu);
  const double scale = mu * normal / tangent;
  return {scale * S.x(), scale * S.y(), normal};
}

/// Derivative of that projection by S; on the borders between its three cases it is one of theirs.
inline Mat3 friction_cone_slope(const Vec3& S, double mu) {
  const double tangent = tangent_norm(S);
  if (mu * tangent + S.z() <= 0) return Mat3::Zero();
  if (tangent <= mu * S.z()) return Mat3::Identity();
  // P = n (mu t, 1) with t = S_T / |S_T| and n = (mu |S_T| + S_N) / (1 + mu^2)
  const Vec2 t = S.head<2>() / tangent;
  const Vec3 ray(mu * t.x(), mu * t.y(), 1);
  const double turning = mu * (mu * tangent + S.z()) / ((1 + mu * mu) * tangent);
  Mat3 slope = ray * ray.transpose() / (1 + mu * mu);
  slope.topLeftCorner<2, 2>() += turning * (Mat2::Identity() - t * t.transpose());
  return slope;
}

/// Projection onto the polar cone: S - proj_K(S) (the manual's m(S), equation 8.7).
inline Vec3 project_on_polar_cone(const Vec3& S, double mu) {
  return S - project_on_friction_cone(S, mu);
}

/// Scales R_T onto the cone's boundary when it is outside, keeping R_N; the reaction that goes to
/// the bodies satisfies |R_T| <= mu R_N to the last bit.
inline Vec3 clip_to_friction_cone(Vec3 R, double mu) {
  if (!(R.z() > 0)) return Vec3::Zero();
  const double tangent = tangent_norm(R);
  constexpr double kInside = 1 - 4 * std::numeric_limits<double>::epsilon();  // of rounding
  if (tangent > mu * R.z()) R.head<2>() *= kInside * mu * R.z() / tangent;
  return R;
}

}  // namespace solfec
