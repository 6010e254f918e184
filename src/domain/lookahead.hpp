// Contacts that are known before bodies touch (ContactCorrection::ahead).
//
// Contacts are found in the middle of each step. From one middle to the next, a horizon of
// T = (h + h') / 2, bodies move by T U to first order, so that the law
//
//   U_N >= -g / T   in place of   U_N >= 0
//
// leaves a gap >= 0 where contacts are found next: bodies come to touch, and not further, however
// fast they are. Known are contacts of bodies that will touch if they go on as they move at the
// start of the step, with the normal of where they touch (NarrowPhase::find_ahead); and of bodies
// that are near but would pass each other: these contacts allow what the bodies do without
// reactions (Constraint::passes). R acts on either body where it will touch (Constraint::arm). A
// contact with a restitution lets bodies rebound in the step in which they would touch, unless they
// are as slow as what gravity does in two steps.
//
// In quasi-static steps contacts are known ahead whenever velocities of contacts are corrected at
// all: T = h, within what bodies moved in the step before and a part of their size. Without
// reactions bodies would fall for meters, and fall they do once what the solver leaves has lifted
// them off.
#pragma once

#include "body/time_step.hpp"

namespace solfec {

class BodyStore;
struct Domain;

/// Largest speed of a point of the bodies that this rank owns [m/s].
double fastest(const BodyStore& bodies);

/// Bound on Lookahead::distance of the bodies that this rank owns; 0 unless contacts are known
/// ahead.
double farthest_travel(const Domain& domain, const TimeStep& step);

/// Sets Domain::horizon and ::lookahead of owned bodies, which move to the middle of the step next.
/// `longest`: the step that follows [s].
void set_lookahead(Domain& domain, const TimeStep& step, double longest);

}  // namespace solfec
