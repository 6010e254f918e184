// Problems of joints alone, in the directions that the rows bind: W x = b, and miss(x) = 0 with
// about W = -d miss / dx.
#pragma once

#include <functional>

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

/// Solves (W + shift D) x = b, D the diagonal blocks of W, by conjugate residuals (Stiefel 1955)
/// with the inverted diagonal blocks as preconditioner, from x = 0, so that of many solutions it
/// finds the one of least norm in these blocks. The residual never grows, also where rows
/// contradict each other. Laws tell the directions: fixed_point binds all of them, other rows N
/// only; components that are not bound are zero. Ends when the residual has come down to
/// `tolerance` of that at the start, or falls no more. Collective.
void solve_bound_rows(const LocalDynamics& problem, std::span<const Vec3> b, std::vector<Vec3>& x,
                      double tolerance, const Communicator& communicator, double shift = 0);

/// How far the rows are from what they want.
struct RowMiss {
  double largest;
  bool exact;  ///< to rounding
  bool good;   ///< enough where it gets no smaller
};

/// Brings miss(x), which `measure` finds, to zero as near as it gets; x is where it was least, and
/// what was measured last. Steps are those of Newton from the best point on the line through the
/// last two (Anderson's acceleration of depth one, 1965), shortened by a shift after one that made
/// things worse (Levenberg, Marquardt): where a mechanism passes a place in which its rows depend
/// on each other, as bars of a loop that fold into one line, W is small and far from the derivative
/// in that direction. Collective.
void close_rows(
    const LocalDynamics& problem, std::vector<Vec3>& x,
    const std::function<RowMiss(const std::vector<Vec3>& x, std::vector<Vec3>& miss)>& measure,
    const Communicator& communicator);

}  // namespace solfec
