// Components of the reaction of a row that its law leaves to equilibrium.
//
//   contact, sticking inside its cone   T1, T2, N
//   contact, sliding                    one, along  mu R_T / |R_T| + n:  R_T follows R_N
//   contact without friction            N
//   fixed point                         T1, T2, N
//   fixed direction, rigid link         N
//   spring at a stop                    N
//   spring-dashpot contact, sticking    T1, T2: its normal force follows from the motion
//
// and none of an open contact, of a spring between its stops, and of a spring-dashpot contact that
// slides. A cohesive force c belongs to the normal reaction: S = R + c n takes the place of R.
#pragma once

#include "local_dynamics/contact_law.hpp"

namespace solfec {

/// A contact with |R_T| of at least this part of what friction holds counts as sliding, also where
/// it does not slide yet: solvers are not exact, and on its border the reaction can vary to one
/// side only. The viewer's state of contacts has the same bound (python/solfec/contact_table.py).
inline constexpr double kSlidingPart = 1 - 1e-3;

struct ReactionComponents {
  int count = 0;
  Mat3 directions = Mat3::Zero();  ///< unit vectors (T1, T2, N), the first `count` columns
};

/// Of the reaction R; a normal reaction of at most `least` counts as none [N].
ReactionComponents reaction_components(const RowLaw& law, const Vec3& R, double least);

}  // namespace solfec
