// Small vectors and matrices: thin names over Eigen, so that the field's letters read plainly.
#pragma once

#include <Eigen/Dense>

namespace solfec {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;

/// Skew-symmetric matrix of v: skew(v) * w = v x w.
inline Mat3 skew(const Vec3& v) {
  Mat3 s;
  s << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return s;
}

/// Of the skew part of M: the w of M = w x.
inline Vec3 axial(const Mat3& M) {
  return 0.5 * Vec3(M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1));
}

}  // namespace solfec
