// How bodies move until contacts are found next, as far as the start of the step tells.
#pragma once

#include "core/vector.hpp"

namespace solfec {

/// Bodies whose gap is below this part of the smaller one's size have contacts although they would
/// pass each other as they move: others may push them.
inline constexpr double kNear = 0.02;

struct Lookahead {
  double distance =
      0;  ///< within which its contacts are known: what a point of it moves, or kNear [m]
  Vec3 translation = Vec3::Zero();  ///< of its mass centre [m]
  Vec3 rotation = Vec3::Zero();     ///< in space; 0 for bodies of nodes

  double fall = 0;  ///< part of the translation that loads may undo [m]

  /// Of a point, `arm` from the mass centre.
  Vec3 motion(const Vec3& arm) const { return translation + rotation.cross(arm); }
};

template <class Archive>
void visit_fields(Archive& archive, Lookahead& l) {
  archive(l.distance, l.translation, l.rotation, l.fall);
}

}  // namespace solfec
