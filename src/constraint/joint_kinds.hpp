// What joints are, kind by kind: where a joint is and along what it acts, what its reference
// position is, how far it is from being closed, its law, and when it breaks. A new kind is told
// here (docs/developer.md), beside its properties in body/constraint_kind.hpp.
//
// x1 and x2 are the points that are joined, at the middle of the step. g is the position error of
// the joint there, for a prescribed motion with the displacement d at the end of the step:
//
//   fixed point, direction   g = x1 - x2, or n (x1 - x2) - rest
//   prescribed motion        g = n (x1 - x0) - d,  x0 the point where the joint was made
//
// The velocity at the end of the step is to close it: at the end of the step, U = -g / (h/2), where
// impulses at both ends of the step (domain/joint_closure.hpp) make velocities fit, otherwise in
// the middle of the next step, U = -g / h. Without the setting `correct_joints` the laws are those
// of the manual, U = -V and U = v with v = d'(t + h).
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

#include "body/time_step.hpp"
#include "constraint/constraint_store.hpp"
#include "local_dynamics/contact_law.hpp"

namespace solfec {

/// Direction of a spring that turns with a body, whose rotation or deformation gradient is given.
inline Vec3 turned_axis(const Joint& joint, const Mat3& gradient) {
  return (gradient * joint.direction).normalized();
}

/// Columns T1, T2, N of a joint with the normal N.
Mat3 joint_base(const Joint& joint, const Vec3& normal);

/// Places a constraint at the present configurations of its bodies: point, arm, base.
void place_joint(const BodyStore& bodies, Constraint& constraint, const Joint& joint);

/// Whether it acts along the line between its two points.
bool follows_line(const Joint& joint);

/// Takes rest position or length from the points of the first and the second body (or space) where
/// they are now, along `axis` if the joint has a direction.
void measure(Joint& joint, const Vec3& x1, const Vec3& x2, const Vec3& axis);
/// The same at the configurations of a placed constraint.
void measure(const BodyStore& bodies, const Constraint& constraint, Joint& joint);

/// Displacement and velocity that a joint prescribes, in local components; zero of other kinds.
Vec3 joint_displacement(const Joint& joint, double time);
Vec3 joint_velocity(const Joint& joint, double time);

/// How far the joint of a placed constraint is from being closed at a time, in local components,
/// when its points have moved by `displacement` relative to each other since [m].
Vec3 joint_gap(const BodyStore& bodies, const Constraint& constraint, const Joint& joint,
               const Vec3& displacement, double time);

/// Whether a joint is closed by impulses at both ends of a step too (domain/joint_closure.hpp).
/// Both its bodies are here, as owned ones or as ghosts.
bool closes_exactly(const BodyStore& bodies, const Constraint& joint);

/// The law of a joint's row in a step, placed where constraints are found; V is its local velocity
/// there at the start. `correct`: it is to close the gap, not only to stop its growth.
RowLaw joint_law(const BodyStore& bodies, const Constraint& constraint, const Joint& joint,
                 const Vec3& V, const TimeStep& step, bool correct);

/// Whether the reaction of the last step is more than the joint bears.
bool breaks(const Constraint& constraint, const Joint& joint);

}  // namespace solfec
