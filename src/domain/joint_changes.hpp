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
// Where a joint of the same two bodies leaves a contact nothing to do, both laws must be of one
// motion exactly: that of the arc on which the point goes to the end of the step
// (jointed_contacts.hpp). There p has just made up for the arc of the start: c = -arc up to second
// order, by which such contacts are known.
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
  Vec3 share = Vec3::Zero();   ///< of that, what counts in laws of contacts
  Vec3 arc = Vec3::Zero();     ///< mean velocity on the arc beyond H u, of the start's u

  JointMotion& operator+=(const JointMotion& other) {
    change += other.change;
    share += other.share;
    arc += other.arc;
    return *this;
  }
  friend JointMotion operator*(double factor, JointMotion motion) {
    motion.change *= factor;
    motion.share *= factor;
    motion.arc *= factor;
    return motion;
  }
};

template <class Archive>
void visit_fields(Archive& archive, JointMotion& motion) {
  archive(motion.change, motion.share, motion.arc);
}

/// Whether the impulses make up for the arc, by half at least, or but for `noise` [m/s]: what
/// solvers leave turns bodies a little. To take a contact for one that its joint holds costs that
/// much of c; to take one that is held for another one sets two laws against each other.
bool makes_up_for_arc(const JointMotion& motion, double noise);

/// M^-1 H^T p of owned bodies that joints hold, in one step; keeps its memory.
class JointChanges {
 public:
  void clear();
  /// Velocities before the impulses, of these bodies (rising).
  void begin(const BodyStore& bodies, std::vector<int> jointed, const TimeStep& step);
  /// And after them; `share(i)` of the change counts.
  void finish(const BodyStore& bodies, const std::function<double(int)>& share);
  /// Of an owned body or an obstacle; zero of others without joints, and after clear(). The arc is
  /// for contacts of bodies that a joint holds together.
  JointMotion at(const BodyStore& bodies, int i, const Place& place, bool with_arc) const;

 private:
  std::optional<TimeStep> step_;
  std::vector<int> bodies_;  // rising
  std::vector<std::size_t> first_;
  std::vector<double> values_, shares_;
};

}  // namespace solfec
