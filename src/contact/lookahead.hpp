// How bodies move until contacts are found next, as far as the start of the step tells.
#pragma once

#include "core/vector.hpp"

namespace solfec {

struct Lookahead {
  double distance = 0;              ///< that a point of the body moves, at most [m]
  Vec3 translation = Vec3::Zero();  ///< of its mass centre [m]
  Vec3 rotation = Vec3::Zero();     ///< in space; 0 for bodies of nodes

  /// Of a point, `arm` from the mass centre.
  Vec3 motion(const Vec3& arm) const { return translation + rotation.cross(arm); }
};

template <class Archive>
void visit_fields(Archive& archive, Lookahead& l) {
  archive(l.distance, l.translation, l.rotation);
}

}  // namespace solfec
