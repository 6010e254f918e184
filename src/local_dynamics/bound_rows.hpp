// Linear problems of joints alone: W x = b in the directions that the rows bind.
#pragma once

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

/// Solves W x = b by conjugate residuals (Stiefel 1955) with the inverted diagonal blocks as
/// preconditioner, from x = 0, so that of many solutions it finds the one of least norm in these
/// blocks. The residual never grows, also where rows contradict each other. Laws tell the
/// directions: fixed_point binds all of them, other rows N only; components that are not bound are
/// zero. Ends when the residual has come down to `tolerance` of that at the start, or falls no
/// more. Collective.
void solve_bound_rows(LocalDynamics& problem, std::span<const Vec3> b, std::vector<Vec3>& x,
                      double tolerance, const Communicator& communicator);

}  // namespace solfec
