// Joints as constraints: the body that holds a joint keeps its definition (body/joint.hpp), the
// domain of its owner keeps one constraint for it, which makes one row of the local dynamics.
//
// x1 and x2 are the points that are joined, at the middle of the step. g is the position error of
// the joint there, for a prescribed motion with the displacement d at the end of the step:
//
//   fixed point, direction   g = x1 - x2, or n (x1 - x2) - rest
//   prescribed motion        g = n (x1 - x0) - d,  x0 the point where the joint was made
//
// The velocity at the end of the step is to close it: at the end of the step, U = -g / (h/2), where
// impulses at both ends of the step (joint_closure.hpp) make velocities fit, otherwise in the
// middle of the next step, U = -g / h. Without the setting `correct_joints` the laws are those of
// the manual, U = -V and U = v with v = d'(t + h).
//
//   rigid link               |x1 - x2 + h/2 U| = length
//   spring                   R_N = f(s, V_N),  low <= s + h U_N <= high
//
// A motion in three directions has the law of a prescribed one along each of them. The stroke s of
// a spring is that of mid-step: n (x1 - x2), or |x1 - x2|, less what it was at the start. Strokes
// of mid-steps go on by s + h U_N, so that those are what its stops bound: a spring that meets a
// stop goes there in this step, and has no velocity at the end of the next one, as with a contact
// without restitution. With bounds at the ends of steps it would rebound with an arbitrary
// velocity.
//
// Quasi-static steps start from rest and have U for the whole of h: U = -g / h, U = (d - n (x1 -
// x0)) / h, and |x1 - x2 + h U| = length; the stroke of a spring is that of their start, and V = 0.
#pragma once

#include "domain/domain.hpp"

namespace solfec {

/// Name of a joint's constraint.
ContactKey joint_key(BodyId holder, const Joint& joint);

/// The joint behind a constraint whose owning body is here; null when it is gone.
const Joint* find_joint(const BodyStore& bodies, const Constraint& constraint);

/// Takes rest position or length from the points of the first and the second body (or space) where
/// they are now, along `axis` if the joint has a direction.
void measure(Joint& joint, const Vec3& x1, const Vec3& x2, const Vec3& axis);

/// Direction of a spring that turns with a body, whose rotation or deformation gradient is given.
inline Vec3 turned_axis(const Joint& joint, const Mat3& gradient) {
  return (gradient * joint.direction).normalized();
}

/// Adds a joint to an owned body, its constraint too, unless the body is an obstacle (a joint then
/// prescribes its motion). Returns its number, which is the next free one.
std::uint32_t add_joint(Domain& domain, int body, Joint joint);

/// Makes the constraints of all joints that have none.
void make_joint_constraints(Domain& domain);

/// Removes a joint of an owned body and its constraint; false when there is none of that name.
bool remove_joint(Domain& domain, const ContactKey& key);

/// Forgets the joints of owned bodies with others (ids rising), which are gone; their constraints
/// are left to ConstraintStore::remove_bodies.
void remove_joints_with(Domain& domain, std::span<const BodyId> ids);

/// After an update of the constraints: removes the joints whose strength the reaction of the last
/// step has exceeded, and constraints whose joints are gone, and places the others at the present
/// configuration.
void update_joints(Domain& domain);

/// Whether a constraint of this rank is a joint.
bool has_joints(const Domain& domain);

/// Places a constraint at the present configurations of its bodies: point, arm, base.
void place_joint(const BodyStore& bodies, Constraint& constraint, const Joint& joint);

/// The joint behind a placed constraint; measured now, if it has not been.
const Joint& measured_joint(Domain& domain, const Constraint& constraint);

/// Displacement and velocity that a joint prescribes, in local components; zero of other kinds.
Vec3 joint_displacement(const Joint& joint, double time);
Vec3 joint_velocity(const Joint& joint, double time);

/// How far the joint of a placed constraint is from being closed at a time, in local components,
/// when its points have moved by `displacement` relative to each other since [m].
Vec3 joint_gap(const BodyStore& bodies, const Constraint& constraint, const Joint& joint,
               const Vec3& displacement, double time);

/// Sums over both sides of each row of part(body, place), of the second side with the other sign;
/// zero where which(key) is false. Collective.
template <class Which, class Part>
std::vector<Vec3> relative(const BodyStore& bodies, std::span<const Constraint> rows,
                           const SharedRows& shared, Channel& channel, const Which& which,
                           const Part& part) {
  std::vector<Vec3> result = shared.collect(channel, [&](const SharedRows::RemoteContact& remote) {
    if (!which(remote.key)) return Vec3(Vec3::Zero());
    const Vec3 value = part(remote.body, remote.place);
    return remote.side == 0 ? value : Vec3(-value);
  });
  for (std::size_t row = 0; row < rows.size(); row++) {
    const Constraint& c = rows[row];
    if (!which(c.key)) continue;
    for (int side : {0, 1}) {
      const int i = c.body(side);
      if (i < 0 || bodies.is_ghost(i)) continue;
      const Vec3 value = part(i, place_on(bodies, c, side));
      result[row] += side == 0 ? value : Vec3(-value);
    }
  }
  return result;
}

/// The law of a joint's row in a step, placed where constraints are found; V is its local velocity
/// there at the start.
RowLaw joint_law(Domain& domain, const Constraint& constraint, const Vec3& V, const TimeStep& step);

/// Rotations are not linear in velocities, nor velocities of DEF_IMP in reactions: adds to B of the
/// joints' rows what they make of U under the present R. Returns the largest speed of the joints'
/// points; infinity where a body cannot move so. Collective.
double follow_motion(Domain& domain, const TimeStep& step);
/// Takes that out of B, and out of U, again.
void forget_motion(Domain& domain);

/// Asks the functions of the script for the forces of the springs in the local dynamics; not
/// collective, and may throw what those throw.
void evaluate_springs(Domain& domain);

}  // namespace solfec
