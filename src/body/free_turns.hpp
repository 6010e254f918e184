// How joints let a finite-element body turn.
#pragma once

#include "body/body_store.hpp"

namespace solfec {

/// Whether a joint holds it: one of its own record, or one that acted on it in the last step.
inline bool is_joined(const Body& body) { return body.jointed || !body.joints.empty(); }

/// Projection, in axes of the body, on the angular velocities that its joints to space allow. Of
/// bodies that only joints with others hold none are free.
Mat3 free_turns(const BodyStore& bodies, int i);

}  // namespace solfec
