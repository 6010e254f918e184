// Contacts of bodies that joints hold together, too: both laws must not contradict each other, or
// forces between them have no bound.
//
// Joints close gaps at the end of a step, to which bodies move on arcs; the velocities that do so
// differ from zero by second order. Contacts of the same bodies are given the same arcs
// (follow_motion). And where joints leave a contact nothing to do there is none: at a fixed point,
// on the line through two, and anywhere with three that are not on a line.
#pragma once

#include "domain/domain.hpp"

namespace solfec {

/// Whether the joint holds a body to another one, or to space, without moving it.
bool joins(const Joint& joint);

/// Drops the contacts of the latter kind, where joints do not break, and sets Domain::jointed for
/// the others. OBSTACLEs at rest are one with space; bodies of finite elements are left out. Within
/// a step, before rows are placed.
void find_jointed_contacts(Domain& domain);

}  // namespace solfec
