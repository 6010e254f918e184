// Contact points move over curved surfaces and with their bodies, and normals turn. Contacts are
// found in the middle of a step, reactions act there; velocities are those of its ends, with H of
// then:
//
//   V = H(q(t)) u = H u - c,   U = H(q(t + h)) u' = H u' + c,   c = H(q + h/2 u) u - H u
//
// with q and H of mid-step, up to terms of second order. The law between U and R, or V, then bounds
// what the gap does at the end of the step; without c a body that rocks, rolls or tips sinks or
// rises by -h^2/2 dH/dt u in each step. c is the convective velocity of the contact, of u without
// the approach or the separation along the normal: a contact ends the one, and the other ends it.
//
// Whether a contact presses makes no difference. Of two contacts between opposite walls that leave
// a body no room one presses, and with c in one of them alone their laws would contradict each
// other.
//
// Where a surface is curved, point and normal are found once more, at q + h/2 u; faces of finite
// elements go straight on with the point. Others stay with their features: the point moves with the
// body whose vertex it is, at p, the normal turns with the other one, at omega_n, and
//
//   c = h/2 [L_1 (p - v_1) - L_2 (p - v_2) + omega_n x s_N - omega_nT x s_T]
//
// with L_i and v_i the velocity gradient and velocity of a rigid body, s = H u - h/2 [L_1 (p - v_1)
// - L_2 (p - v_2)] the slip at the start of the step, s_N its normal part, the approach, and
// omega_nT the part of omega_n across the normal. Of crossing edges p and omega_n are means.
// Material points of bodies that deform go straight on: v_i is that of the point then, and of
// finite elements there is nothing.
//
// Rigid bodies that go round together have c = -h/2 (L_1 v_1 - L_2 v_2) for all their contacts: one
// motion of each body, by which laws cannot contradict each other, whatever is jammed between
// whatever. The rest, (L_1 - L_2) p and that of the slip, differs from contact to contact. Where
// bodies that go round together have a little of it, as solvers leave, it is left out: it would be
// answered by reactions that jammed bodies keep, and adds up. So it is in glued contacts, always.
#pragma once

#include <array>

#include "domain/domain.hpp"

namespace solfec {

/// Motion of one body of a contact at the start of the step:  v(x) = v + L (x - c).
struct BodyMotion {
  Vec3 velocity = Vec3::Zero();  ///< of the contact point
  Mat3 rate = Mat3::Zero();      ///< L
};

/// c, in the base of the contact; `duration` is that of half the step. What contacts of rigid
/// bodies that go round together have each for itself is left out below `noise` [m/s]; contacts of
/// bodies that joints hold together, `jointed`, go on the arcs of these.
Vec3 convective_velocity(Domain& domain, const Constraint& contact,
                         const std::array<BodyMotion, 2>& motion, double duration, double noise,
                         bool jointed);

/// A force in space after a time h, turned by as much as both bodies turn together: with the part
/// of the slower angular velocity along the other one. Reactions that balance each other within
/// bodies that go round would not after it, and grew in each step by what put them right.
Vec3 turned(const Vec3& force, const std::array<BodyMotion, 2>& motion, double h);

}  // namespace solfec
