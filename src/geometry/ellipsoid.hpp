// A solid ellipsoid, as written by ELLIP.
#pragma once

#include "geometry/moments.hpp"
#include "geometry/points.hpp"
#include "math/decompositions.hpp"

namespace solfec {

/// { center + rotation diag(radii) s : |s| <= 1 }.
struct Ellipsoid {
  Vec3 center;
  Vec3 radii;     ///< semi-axes [m]
  Mat3 rotation;  ///< columns: directions of the semi-axes
  int volume = 0;
  int surface = 0;

  /// The linear map of the unit ball: rotation diag(radii).
  Mat3 map() const { return rotation * radii.asDiagonal(); }
};

template <class Archive>
void visit_fields(Archive& archive, Ellipsoid& e) {
  archive(e.center, e.radii, e.rotation, e.volume, e.surface);
}

template <class Archive>
void visit_numbers(Archive& archive, Ellipsoid& e) {
  archive.volume(e.volume);
  archive.point(e.center);
  for (double& radius : e.radii) archive.real(radius);
  for (double& entry : e.rotation.reshaped()) archive.real(entry);
  archive.integer(e.surface);
}

inline const char* flaw(const Ellipsoid& e) {
  const bool good = e.center.allFinite() && e.radii.allFinite() && e.radii.minCoeff() > 0 &&
                    e.rotation.allFinite();
  return good ? nullptr : "an ellipsoid is not one";
}

inline void translate(Ellipsoid& e, const Vec3& vector) { e.center += vector; }
inline void rotate(Ellipsoid& e, const Vec3& point, const Mat3& rotation) {
  e.center = rotated(e.center, point, rotation);
  e.rotation = rotation * e.rotation;
}
/// The image is an ellipsoid too: its semi-axes are the singular values of the product of maps.
inline void scale(Ellipsoid& e, const Vec3& factors) {
  e.center = e.center.cwiseProduct(factors);
  const SingularValues3 svd = singular_values(factors.asDiagonal() * e.map());
  e.radii = svd.values;
  e.rotation = svd.U;
  if (e.rotation.determinant() < 0) e.rotation.col(2) = -e.rotation.col(2);
}

/// The tight box: half sizes are the norms of the rows of the map.
inline Box bounding_box(const Vec3& center, const Mat3& map) {
  const Vec3 half = map.rowwise().norm();
  return {center - half, center + half};
}

inline Box bounding_box(const Ellipsoid& e) { return bounding_box(e.center, e.map()); }

inline void add_extent(const Ellipsoid& e, const Vec3& axis, Extent& extent) {
  extent.add(axis.dot(e.center), (e.map().transpose() * axis).norm());
}

/// A bound: exact when the longest axis points away from the centre.
inline double radius_about(const Ellipsoid& e, const Vec3& center) {
  return (e.center - center).norm() + e.radii.maxCoeff();
}

inline bool contains(const Ellipsoid& e, const Vec3& point) {
  return (e.rotation.transpose() * (point - e.center)).cwiseQuotient(e.radii).norm() <= 1.0;
}

inline Moments moments(const Ellipsoid& e, const Vec3& reference) {
  const double volume = static_cast<double>(4.0 / 3.0 * EIGEN_PI * e.radii.prod());
  const Mat3 map = e.map();
  return moments_about(reference, volume, e.center, volume / 5 * map * map.transpose());
}

}  // namespace solfec
