// Contact points move over curved surfaces and with their bodies, and normals turn. Contacts are
// found in the middle of a step, reactions act there; velocities are those of its ends, with H of
// then:
//
//   V = H(q(t)) u = H u - c,   U = H(q(t + h)) u' = H u' + c,   c = H(q + h/2 u) u - H u
//
// with q and H of mid-step, up to terms of second order. The law between U and R, or V, then bounds
// what the gap does at the end of the step; without c a body that rocks or rolls sinks by
// -h^2/2 dH/dt u in each step. c is the convective velocity of the contact: its point and its
// normal are found once more, at q + h/2 u, where u is without the approach or the separation along
// the normal: a contact ends the one, and the other ends it.
//
// Whether a contact presses makes no difference. Of two contacts between opposite walls that leave
// a body no room one presses, and with c in one of them alone their laws would contradict each
// other.
//
// Points of polyhedra go from feature to feature, and so do their normals: of them, as of all
// contacts that are not curved, c follows from the bodies alone. Contacts that carry a rigid body
// round turn its velocity, in half a step by h/2 times the centripetal acceleration; u' is ahead of
// mid-step, where H is, by as much:
//
//   c = -h/2 (a_1 - a_2)    in the base of the contact, a_i as in centripetal.hpp
//
// One motion of a body, for all of its contacts: by it their laws cannot contradict each other.
#pragma once

#include <array>

#include "domain/domain.hpp"

namespace solfec {

/// Motion of one body of a contact at the start of the step:  v(x) = v + L (x - c).
struct BodyMotion {
  Vec3 velocity = Vec3::Zero();     ///< of the contact point
  Mat3 rate = Mat3::Zero();         ///< L
  Vec3 centripetal = Vec3::Zero();  ///< acceleration of the body
};

/// c, in the base of the contact; `duration` is that of half the step.
Vec3 convective_velocity(Domain& domain, const Constraint& contact,
                         const std::array<BodyMotion, 2>& motion, double duration);

/// A force in space after a time h, turned by as much as both bodies turn together: with the part
/// of the slower angular velocity along the other one. Reactions that balance each other within
/// bodies that go round would not after it, and grew in each step by what put them right.
Vec3 turned(const Vec3& force, const std::array<BodyMotion, 2>& motion, double h);

}  // namespace solfec
