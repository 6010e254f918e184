// A ball, as written by SPHERE.
#pragma once

#include "geometry/box.hpp"

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

inline Box bounding_box(const Sphere& s) {
  return {(s.center.array() - s.radius).matrix(), (s.center.array() + s.radius).matrix()};
}

inline bool contains(const Sphere& s, const Vec3& point) {
  return (point - s.center).norm() <= s.radius;
}

}  // namespace solfec
