// Rows between balls, whose blocks G are made of 10 numbers in place of 36.
//
// The arm of a contact of balls is along the normal, and their tensor of inertia is isotropic, so
// that with angular velocities in space both ends of a row have blocks of the same axes t1, t2, n:
//
//   G = [ s ( t2, -t1, 0 )   c ( t1, t2, n ) ],   three rows each, the angular part first
#pragma once

#include "core/vector.hpp"
#include "local_dynamics/row_blocks.hpp"

namespace solfec {

struct BallRow {
  Vec3 t1, t2, n;     ///< orthonormal and right-handed
  double c[2], s[2];  ///< of each end; zero where there is none that moves
};

/// Whether the blocks of a row, with numbers in `G`, have this form, to 1E-12 of their size.
bool is_ball_row(const RowBlocks& row, const double* G);

/// Of a row that is one.
BallRow ball_row(const RowBlocks& row, const double* G);

}  // namespace solfec
