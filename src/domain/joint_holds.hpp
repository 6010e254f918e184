// What joints hold of bodies whose forces depend on it: finite-element bodies of the form BC.
#pragma once

#include "domain/domain.hpp"

namespace solfec {

/// Whether some owned body is one of them.
bool has_corotated_bodies(const BodyStore& bodies);

/// Gives them the holds of all joints but springs, of whichever body holds the joint, as bodies are
/// placed now. Collective, with ghosts.
void find_holds(Domain& domain);

}  // namespace solfec
