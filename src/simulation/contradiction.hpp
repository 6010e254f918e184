// Joints that contradict each other.
#pragma once

#include "simulation/simulation.hpp"

namespace solfec {

/// After a step whose solver has not converged: throws RunError with the names of joints whose
/// velocities no reactions can bring about together, where that adds more than 1E-4 to the merit: a
/// hundredth of the velocities. Collective.
void demand_no_contradiction(Simulation& simulation);

}  // namespace solfec
