// Where the numbers of a row of W are: velocities of its groups, and blocks G.
#pragma once

#include <cstdint>

namespace solfec {

/// Velocities of a rigid body.
inline constexpr int kRigidSize = 6;
/// Velocities of each group begin a line of the processor's cache, of so many numbers.
inline constexpr int kVelocityLine = 8;

/// One end of a row, and where the group's velocities and the 3 x n block (row by row) are: 32 GB
/// of blocks at most.
struct RowBlock {
  int size = 0;  ///< n; 0: this end does not move freely, or there is none
  int group = -1;
  int y = 0;  ///< first velocity of the group
  std::uint32_t block = 0;
};
struct RowBlocks {
  RowBlock end[2];
};

}  // namespace solfec
