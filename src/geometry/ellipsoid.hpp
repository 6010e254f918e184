// A solid ellipsoid, as written by ELLIP.
#pragma once

#include "geometry/box.hpp"
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

/// The tight box: half sizes are the norms of the rows of the map.
inline Box bounding_box(const Vec3& center, const Mat3& map) {
  const Vec3 half = map.rowwise().norm();
  return {center - half, center + half};
}

inline Box bounding_box(const Ellipsoid& e) { return bounding_box(e.center, e.map()); }

inline bool contains(const Ellipsoid& e, const Vec3& point) {
  return (e.rotation.transpose() * (point - e.center)).cwiseQuotient(e.radii).norm() <= 1.0;
}

/// Semi-axes and their directions (right-handed) of the image of the unit ball under a linear map.
struct SemiAxes {
  Vec3 radii;
  Mat3 rotation;
};

inline SemiAxes semi_axes(const Mat3& map) {
  const SingularValues3 svd = singular_values(map);
  Mat3 rotation = svd.U;
  if (rotation.determinant() < 0) rotation.col(2) = -rotation.col(2);
  return {svd.values, rotation};
}

}  // namespace solfec
