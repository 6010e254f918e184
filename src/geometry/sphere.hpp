// A ball, as written by SPHERE.
#pragma once

#include <cmath>

#include "geometry/moments.hpp"
#include "geometry/points.hpp"

namespace solfec {

struct Sphere {
  Vec3 center;
  double radius;  ///< [m]
  int volume = 0;
  int surface = 0;
};

template <class Archive>
void visit_fields(Archive& archive, Sphere& s) {
  archive(s.center, s.radius, s.volume, s.surface);
}

template <class Archive>
void visit_numbers(Archive& archive, Sphere& s) {
  archive.volume(s.volume);
  archive.point(s.center);
  archive.real(s.radius);
  archive.integer(s.surface);
}

inline const char* flaw(const Sphere& s) {
  const bool good = s.center.allFinite() && std::isfinite(s.radius) && s.radius > 0;
  return good ? nullptr : "a ball is not one";
}

inline void translate(Sphere& s, const Vec3& vector) { s.center += vector; }
inline void rotate(Sphere& s, const Vec3& point, const Mat3& rotation) {
  s.center = rotated(s.center, point, rotation);
}
/// The radius takes the first factor only.
inline void scale(Sphere& s, const Vec3& factors) {
  s.center = s.center.cwiseProduct(factors);
  s.radius *= std::abs(factors.x());
}

inline Box bounding_box(const Sphere& s) {
  return {(s.center.array() - s.radius).matrix(), (s.center.array() + s.radius).matrix()};
}

inline void add_extent(const Sphere& s, const Vec3& axis, Extent& extent) {
  extent.add(axis.dot(s.center), s.radius);
}

inline double radius_about(const Sphere& s, const Vec3& center) {
  return (s.center - center).norm() + s.radius;
}

inline bool contains(const Sphere& s, const Vec3& point) {
  return (point - s.center).norm() <= s.radius;
}

inline Moments moments(const Sphere& s, const Vec3& reference) {
  const double r = s.radius;
  const double volume = static_cast<double>(4.0 / 3.0 * EIGEN_PI * r * r * r);
  return moments_about(reference, volume, s.center, volume * r * r / 5 * Mat3::Identity());
}

}  // namespace solfec
