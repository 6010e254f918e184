// The problem of a step as a variational inequality (Acary, Bremond, Huber 2018, equation 40): find
// R in X with
//
//   F(R).(Y - R) >= 0  for all Y in X,
//
// where X is a product over the rows and F is what the row's velocity misses:
//
//   contact           X = K - (0, 0, c)      F = (Ubar_T, Ubar_N + mu |Ubar_T|)
//   convex contact    X = K - (0, 0, c)      F = Ubar
//   fixed point       X = all vectors        F = U - target
//   fixed direction   X = { (0, 0, R_N) }    F = (0, 0, U_N - target_N)
//
// Springs, contacts that are springs, and links of which the length is asked for make no such
// inequality. Where a step closes its joints, a link is a fixed direction
// (domain/joint_closure.hpp).
#pragma once

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

/// Whether all rows of this rank are of these kinds.
bool is_cone_inequality(const LocalDynamics& problem);

/// Throws RunError, on all ranks, unless this is so on all of them; `command` is the solver's.
void demand_cone_inequality(const LocalDynamics& problem, const char* command,
                            const Communicator& communicator);

/// The size of W in the directions that a row binds, [m/(s N)]: a third of the trace of W_aa, or
/// W_NN of a fixed direction.
double row_weight(const LocalDynamics& problem, int row);

/// F of a row at its velocity U. The projection on its X is `admissible`
/// (local_dynamics/linearization.hpp).
Vec3 inequality_map(const LocalDynamics& problem, int row, const Vec3& U);

}  // namespace solfec
