// Contacts that are known before bodies touch (ContactCorrection::ahead).
//
// Contacts are found in the middle of each step. From one middle to the next, a horizon of
// T = (h + h') / 2, bodies move by T U to first order, so that the law
//
//   U_N >= -g / T   in place of   U_N >= 0
//
// leaves a gap >= 0 where contacts are found next: bodies come to touch, and not further, however
// fast they are. Known are contacts of bodies that are near each other, and of those that will
// touch if they go on as they move at the start of the step, with the normal of where they touch
// (NarrowPhase::find_ahead): what flies past another body is not held. R acts on either body where
// it will touch (Constraint::arm). A contact that stops bodies at a distance makes them rebound in
// the next step, when they touch, with the speed that they came with (Constraint::approach).
#pragma once

#include "body/time_step.hpp"

namespace solfec {

struct Domain;

/// How far a point of a body that this rank owns moves in a step, at most: with its velocity, and
/// with what gravity adds to that [m]. 0 unless contacts are known ahead.
double farthest_travel(const Domain& domain, const TimeStep& step);

/// Sets Domain::horizon and ::lookahead of owned bodies, which move to the middle of the step next.
/// `longest`: bound on the step that follows [s].
void set_lookahead(Domain& domain, const TimeStep& step, double longest);

}  // namespace solfec
