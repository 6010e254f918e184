// The laws of joints in local components (T1, T2, N), one row at a time.
//
//   fixed point      U = target
//   fixed direction  U_N = target_N,  R_T = 0
//   rigid link       |(0, 0, span) + way U| = length,  R_T = 0
//
// The link's law is one of positions: with the velocity U over the rest of the step its
// points come to have the distance `length`.
#pragma once

#include "local_dynamics/contact_law.hpp"

namespace solfec {

/// The reaction that satisfies the law where the rest of the system gives the velocity B to the row
/// with its own block W. A link that is too far from its length for that comes as near as it can.
Vec3 joint_reaction(const RowLaw& law, const Mat3& W, const Mat3& W_inverse, const Vec3& B);

/// The velocity by which U misses the law [m/s].
Vec3 joint_residual(const RowLaw& law, const Vec3& U);

/// <W^-1 C, C> of a velocity C in the directions that the law binds.
double law_norm(const RowLaw& law, const Mat3& W, const Mat3& W_inverse, const Vec3& C);

/// The same of all that the row has to deal with: its free velocity B, and its target.
double law_scale(const RowLaw& law, const Mat3& W, const Mat3& W_inverse, const Vec3& B);

}  // namespace solfec
