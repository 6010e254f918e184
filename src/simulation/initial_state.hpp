// States of bodies taken from other results (command INITIALIZE_STATE).
#pragma once

#include <string>

#include "domain/domain.hpp"

namespace solfec {

/// Gives the bodies of the domain, in their order, the configurations and velocities of those in
/// the last frame not after `time`. Throws InputError when the bodies do not match.
void initialize_state(Domain& domain, const std::string& directory, double time);

}  // namespace solfec
