// How joints let a finite-element body turn.
#pragma once

#include "body/body_store.hpp"

namespace solfec {

/// Projection, in axes of the body, on the angular velocities that its joints allow (BodyStore::
/// holds): those to space and obstacles where it has some, else those to each other body taken by
/// itself. A bar that one pin at each end joins to two others may turn about both: pins hold no
/// section of it, as a clamp does.
Mat3 free_turns(const BodyStore& bodies, int i);

}  // namespace solfec
