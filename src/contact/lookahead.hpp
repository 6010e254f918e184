// How bodies move until contacts are found next, as far as the start of the step tells.
#pragma once

#include "core/vector.hpp"

namespace solfec {

/// Bodies whose gap is below this part of the smaller one's size have contacts although they would
/// pass each other as they move: others may push them.
inline constexpr double kNear = 0.02;

struct Lookahead {
  /// Within which contacts of the body are known: what a point of it moves, and kNear [m].
  double distance = 0;
  Vec3 translation = Vec3::Zero();  ///< of its mass centre [m]
  Vec3 rotation = Vec3::Zero();     ///< in space; 0 for bodies of nodes
  double fall = 0;                  ///< part of the translation that contacts with others undo [m]

  /// Of a point, `arm` from the mass centre.
  Vec3 motion(const Vec3& arm) const { return translation + rotation.cross(arm); }
};

/// How the points of one body move relative to another one.
struct RelativeMotion {
  const Lookahead &first, &second;
  Vec3 center1, center2;

  Vec3 operator()(const Vec3& x) const {
    return first.motion(x - center1) - second.motion(x - center2);
  }
};

template <class Archive>
void visit_fields(Archive& archive, Lookahead& l) {
  archive(l.distance, l.translation, l.rotation, l.fall);
}

}  // namespace solfec
