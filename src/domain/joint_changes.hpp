// Contacts beside joints. Joints are closed by impulses p and p' at both ends of a step
// (joint_closure.hpp), which know nothing of contacts; and bodies move with the velocities between,
// u + M^-1 H^T p and u' - M^-1 H^T p'. Where a contact balances what a joint does, a body that must
// not come nearer at u' = 0 would sink by both halves of each step. The law of contacts is
// therefore that of velocities at the ends of the step, with
//
//   c = H M^-1 H^T p    in  U + c,  V - c
//
// as p' is p up to second order: the joints are closed from the same configuration at the end of
// one step and at the start of the next. It is one motion of a body, for all of its contacts: by it
// their laws cannot contradict each other.
//
// Between bodies that a joint holds together (jointed_contacts.hpp) the law is of U + arc already,
// by which the joint and the contact have one motion. Where the joint leaves the contact nothing to
// do, p has just made up for the arc, c + arc = 0 up to second order, and the law must be no other.
// So of those it is
//
//   share (c + arc)    in  U + arc + ...,  V - arc - ...
//
// with a share of one unless both nearly are each other's opposite.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "body/kinematics.hpp"
#include "body/time_step.hpp"

namespace solfec {

/// Of a contact point, or what two bodies make of one.
struct JointMotion {
  Vec3 change = Vec3::Zero();  ///< H M^-1 H^T p
  Vec3 arc = Vec3::Zero();     ///< velocity_beyond_linear without reactions

  JointMotion& operator+=(const JointMotion& other) {
    change += other.change;
    arc += other.arc;
    return *this;
  }
  friend JointMotion operator*(double factor, JointMotion motion) {
    motion.change *= factor;
    motion.arc *= factor;
    return motion;
  }
};

template <class Archive>
void visit_fields(Archive& archive, JointMotion& motion) {
  archive(motion.change, motion.arc);
}

/// What a contact of bodies that a joint holds together has beyond the arc, in U.
Vec3 beyond_arc(const JointMotion& motion);

/// M^-1 H^T p of owned bodies that joints hold, in one step; keeps its memory.
class JointChanges {
 public:
  void clear();
  /// Velocities before the impulses, of these bodies (rising).
  void begin(const BodyStore& bodies, std::vector<int> jointed, const TimeStep& step);
  /// And after them; `share(i)` of the change is kept.
  void finish(const BodyStore& bodies, const std::function<double(int)>& share);
  /// Of an owned body or an obstacle; zero of others without joints, and after clear().
  JointMotion at(const BodyStore& bodies, int i, const Place& place) const;

 private:
  std::optional<TimeStep> step_;
  std::vector<int> bodies_;  // rising
  std::vector<std::size_t> first_;
  std::vector<double> values_;
};

}  // namespace solfec
