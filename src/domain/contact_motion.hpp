// Contact points move over curved surfaces, and normals turn with them. Contacts are found in the
// middle of a step, reactions act there; velocities are those of its ends, with H of then:
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
#pragma once

#include <array>

#include "domain/domain.hpp"

namespace solfec {

/// Motion of one body of a contact at the start of the step:  v(x) = v + L (x - c).
struct BodyMotion {
  Vec3 velocity = Vec3::Zero();  ///< of the contact point
  Mat3 rate = Mat3::Zero();      ///< L
};

/// c, in the base of the contact; `duration` is that of half the step. Zero where H does not change
/// smoothly: of pairs of polyhedra, whose points go from feature to feature, of finite-element
/// bodies, and of bonds.
Vec3 convective_velocity(Domain& domain, const Constraint& contact,
                         const std::array<BodyMotion, 2>& motion, double duration);

}  // namespace solfec
