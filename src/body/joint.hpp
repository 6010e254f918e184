// Joints as the script makes them: what binds a material point of a body. They stay with the body
// that holds them, and make one row each of the local dynamics (domain/joints.hpp).
#pragma once

#include <limits>

#include "core/ids.hpp"
#include "core/motion.hpp"
#include "core/vector.hpp"

namespace solfec {

enum class ConstraintKind : std::uint8_t {
  contact,
  // Joints:
  fixed_point,        ///< to a point in space or of another body
  fixed_direction,    ///< along one direction only
  prescribed_motion,  ///< along a direction, in space
  rigid_link,         ///< constant distance from a point in space or of another body
  glue                ///< a fixed point between nodes of two parts of a body
};

/// Whether a joint binds a point in all directions.
inline bool fixes_point(ConstraintKind kind) {
  return kind == ConstraintKind::fixed_point || kind == ConstraintKind::glue;
}

/// x1 and x2 are the points of the first and the second body; the second may be space.
struct Joint {
  ConstraintKind kind = ConstraintKind::fixed_point;
  std::uint32_t number = 0;         ///< names it among the joints of the body
  BodyId other;                     ///< none: space
  bool second = false;              ///< the body that holds the joint is the second one
  Vec3 point = Vec3::Zero();        ///< of the body that holds it, reference position
  Vec3 other_point = Vec3::Zero();  ///< reference position, or position in space
  Vec3 direction = Vec3::UnitZ();   ///< n: unit, in space
  Motion motion;
  double strength = std::numeric_limits<double>::infinity();  ///< breaks above it [N]
  double start = 0;                                           ///< time when it was made [s]
  /// What it keeps has been taken from the bodies as they were at the start:
  bool measured = false;
  double rest = 0;  ///< n (x1 - x2), or the length |x1 - x2| of a link [m]
};

template <class Archive>
void visit_fields(Archive& archive, Joint& j) {
  archive(j.kind, j.number, j.other, j.second, j.point, j.other_point, j.direction, j.motion,
          j.strength, j.start, j.measured, j.rest);
}

}  // namespace solfec
