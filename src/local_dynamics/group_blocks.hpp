// Blocks of groups that are near each other in space, for sweeps that threads share.
#pragma once

#include <span>
#include <vector>

#include "core/vector.hpp"
#include "local_dynamics/row_blocks.hpp"

namespace solfec {

/// Divides groups with rows into blocks by cutting in halves across the longest side, until a block
/// would have fewer than kBlockRows rows on average. It does not depend on the number of threads.
class GroupBlocks {
 public:
  /// Of some of the rows; `places` of the groups in space. The numbers of the blocks, by group; of
  /// groups without these rows 0. Empty for a single block.
  std::span<const int> divide(std::span<const RowBlocks> rows, std::span<const int> some,
                              std::span<const Vec3> places);

 private:
  static constexpr int kBlockRows = 1000;

  void cut(std::span<int> groups, std::span<const Vec3> places, int first, int blocks);

  std::vector<int> block_;
  std::vector<int> groups_;  // those with rows
};

}  // namespace solfec
