// Joints as the script makes them: what binds a material point of a body. They stay with the body
// that holds them, and make one row each of the local dynamics (constraint/joint_kinds.hpp).
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "body/constraint_kind.hpp"
#include "core/ids.hpp"
#include "core/motion.hpp"
#include "core/vector.hpp"

namespace solfec {

/// What a joint holds of a body: the motion of a point along a direction, in axes of the body.
struct Hold {
  BodyId neighbour;  ///< that holds it; none: space, or an obstacle
  Vec3 point;        ///< reference position, relative to the mass centre
  Vec3 direction;    ///< unit
};

struct DirectedMotion {
  Vec3 direction = Vec3::UnitX();  ///< unit, in space
  Motion motion;
};

template <class Archive>
void visit_fields(Archive& archive, DirectedMotion& m) {
  archive(m.direction, m.motion);
}

/// Force of a spring [N] from its stroke [m] and velocity [m/s].
using SpringFunction = std::function<double(double stroke, double velocity)>;

/// Along what a spring acts: the line between its points, or a direction that stays in space, or
/// one of a body's reference configuration that turns with it.
enum class SpringAxis : std::uint8_t { line, space, body1, body2 };

struct Spring {
  int function = -1;  ///< number of the user's function, in the order of creation
  SpringAxis axis = SpringAxis::line;
  double low = -std::numeric_limits<double>::infinity();  ///< stops: bounds of the stroke [m]
  double high = std::numeric_limits<double>::infinity();
};

template <class Archive>
void visit_fields(Archive& archive, Spring& s) {
  archive(s.function, s.axis, s.low, s.high);
}

/// x1 and x2 are the points of the first and the second body; the second may be space.
struct Joint {
  ConstraintKind kind = ConstraintKind::fixed_point;
  std::uint32_t number = 0;            ///< names it among the joints of the body
  BodyId other;                        ///< none: space
  bool second = false;                 ///< the body that holds the joint is the second one
  Vec3 point = Vec3::Zero();           ///< of the body that holds it, reference position
  Vec3 other_point = Vec3::Zero();     ///< reference position, or position in space
  Vec3 direction = Vec3::UnitZ();      ///< n: unit, in space; of a spring see SpringAxis
  Motion motion;                       ///< along n
  std::vector<DirectedMotion> across;  ///< and along T1 and T2 of a motion in three directions
  Spring spring;
  double strength = std::numeric_limits<double>::infinity();  ///< breaks above it [N]
  double start = 0;                                           ///< time when it was made [s]
  /// What it keeps has been taken from the bodies as they were at the start:
  bool measured = false;
  double rest = 0;  ///< n (x1 - x2), or the length |x1 - x2| of a link [m]
};

/// Calls work(direction, motion) for all motions that a joint prescribes.
template <class Work>
void for_each_motion(const Joint& joint, Work&& work) {
  for (const DirectedMotion& m : joint.across) work(m.direction, m.motion);
  work(joint.direction, joint.motion);
}

template <class Archive>
void visit_fields(Archive& archive, Joint& j) {
  archive(j.kind, j.number, j.other, j.second, j.point, j.other_point, j.direction, j.motion,
          j.across, j.spring, j.strength, j.start, j.measured, j.rest);
}

}  // namespace solfec
