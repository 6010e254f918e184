// How points are turned, moved and measured: those of polyhedra and meshes, and centres.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "geometry/box.hpp"

namespace solfec {

inline Vec3 rotated(const Vec3& x, const Vec3& point, const Mat3& rotation) {
  return point + rotation * (x - point);
}

inline void translate(std::span<Vec3> points, const Vec3& vector) {
  for (Vec3& x : points) x += vector;
}
inline void rotate(std::span<Vec3> points, const Vec3& point, const Mat3& rotation) {
  for (Vec3& x : points) x = rotated(x, point, rotation);
}
inline void scale(std::span<Vec3> points, const Vec3& factors) {
  for (Vec3& x : points) x = x.cwiseProduct(factors);
}

inline Box bounding_box(std::span<const Vec3> points) {
  Box box;
  for (const Vec3& p : points) box.extend(p);
  return box;
}

/// Largest distance of a point from `center`.
inline double radius_about(std::span<const Vec3> points, const Vec3& center) {
  double radius = 0;
  for (const Vec3& p : points) radius = std::max(radius, (p - center).norm());
  return radius;
}

/// Of a set of points along a unit vector.
struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double middle, double half) {
    low = std::min(low, middle - half);
    high = std::max(high, middle + half);
  }
};

inline void add_extent(std::span<const Vec3> points, const Vec3& axis, Extent& extent) {
  for (const Vec3& x : points) extent.add(axis.dot(x), 0);
}

}  // namespace solfec
