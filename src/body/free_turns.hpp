// How joints let a finite-element body turn.
#pragma once

#include "body/body_store.hpp"

namespace solfec {

/// Sum of (n, r x n)(n, r x n)^T over the motions along n of points r that are held, r over a
/// length like the size of the body.
using HeldMotions = Eigen::Matrix<double, 6, 6>;
void add_hold(HeldMotions& motions, const Vec3& r, const Vec3& n);

/// Projection on the angular velocities that are not free.
Mat3 held_turns(const HeldMotions& motions);

/// Projection, in axes of the body, on the angular velocities that its joints allow (BodyStore::
/// holds): those to space and obstacles where it has some, else those to each other body taken by
/// itself. A bar that one pin at each end joins to two others may turn about both: pins hold no
/// section of it, as a clamp does.
Mat3 free_turns(const BodyStore& bodies, int i);

}  // namespace solfec
