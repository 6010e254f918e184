// The laws of joints in local components (T1, T2, N), one row at a time.
//
//   fixed point      U = target
//   fixed direction  U_N = target_N,  R_T = 0
//   rigid link       |(0, 0, span) + remaining U| = length,  R_T = 0
//   spring           R_N = force + stops,  low <= U_N <= high,  R_T = 0
//
// The link's law is one of positions: with the velocity U over the rest of the step its
// points come to have the distance `length`. A stop pushes, and at its bound only:
//   0 <= S_low _|_ U_N - low >= 0,  0 <= S_high _|_ high - U_N >= 0,  R_N = force + S_low - S_high.
#pragma once

#include "local_dynamics/contact_law.hpp"

namespace solfec {

/// The reaction that satisfies the law where the rest of the system gives the velocity B to the row
/// with its own block W. A link that is too far from its length for that comes as near as it can.
Vec3 joint_reaction(const RowLaw& law, const Mat3& W, const Mat3& W_inverse, const Vec3& B);

/// The velocity by which U, or for a spring R, misses the law [m/s].
Vec3 joint_residual(const RowLaw& law, const Mat3& W, const Vec3& U, const Vec3& R);

/// <W^-1 C, C> of a velocity C in the directions that the law binds.
double law_norm(const RowLaw& law, const Mat3& W, const Mat3& W_inverse, const Vec3& C);

/// The same of all that the row has to deal with: its free velocity B, and its target or force; of
/// a contact ahead what of B is beyond the target, nothing where it would not touch.
double law_scale(const RowLaw& law, const Mat3& W, const Mat3& W_inverse, const Vec3& B);

}  // namespace solfec
