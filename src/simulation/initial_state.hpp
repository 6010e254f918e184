// Initial states from the results of another analysis.
#pragma once

#include <string>

namespace solfec {

struct Simulation;

/// Takes configurations and velocities of the bodies from results in another directory: the last
/// frame not after `time`. Bodies are matched by their order; throws InputError, on all ranks,
/// unless numbers, kinds and labels agree. Reactions start at zero. Collective.
void initialize_state(Simulation& simulation, const std::string& directory, double time);

}  // namespace solfec
