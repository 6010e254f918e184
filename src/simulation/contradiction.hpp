// Joints that contradict each other, and bodies without room.
#pragma once

#include <string>

#include "simulation/simulation.hpp"

namespace solfec {

/// After a step whose solver has not converged: throws RunError with the names of joints whose
/// velocities no reactions can bring about together, where that adds more than 1E-4 to the merit: a
/// hundredth of the velocities. Where it is most of what the solver has left, they are noted.
/// Collective.
void look_at_joints(Simulation& simulation);

/// After such a step: notes how hard contacts press, and returns whether that is far more than
/// loads and motions account for. Collective.
bool look_at_pressure(Simulation& simulation);

/// What to do about steps that have not converged.
std::string failure_advice(const Simulation& simulation);

}  // namespace solfec
