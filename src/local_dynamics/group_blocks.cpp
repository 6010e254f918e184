#include "local_dynamics/group_blocks.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "core/threads.hpp"

namespace solfec {

std::span<const int> GroupBlocks::divide(std::span<const RowBlocks> rows, std::span<const int> some,
                                         std::span<const Vec3> places) {
  block_.clear();
  const auto blocks = std::bit_floor(some.size() / kBlockRows);
  if (blocks < 2) return {};
  block_.assign(places.size(), -1);
  groups_.clear();
  for (const int row : some)
    for (const RowBlock& end : rows[row].end)
      if (end.group >= 0 && block_[end.group] < 0) {
        block_[end.group] = 0;
        groups_.push_back(end.group);
      }
  std::ranges::replace(block_, -1, 0);
  cut(groups_, places, 0, static_cast<int>(blocks));
  return block_;
}

void GroupBlocks::cut(std::span<int> groups, std::span<const Vec3> places, int first, int blocks) {
  if (blocks == 1 || groups.size() < 2) {
    for (const int g : groups) block_[g] = first;
    return;
  }
  Vec3 lower = places[groups[0]], upper = lower;
  for (const int g : groups) {
    lower = lower.cwiseMin(places[g]);
    upper = upper.cwiseMax(places[g]);
  }
  int axis;
  (upper - lower).maxCoeff(&axis);
  const std::size_t half = groups.size() / 2;
  std::ranges::nth_element(groups, groups.begin() + static_cast<std::ptrdiff_t>(half), {},
                           [&](int g) {
                             const double x = places[g][axis];
                             return std::tuple(std::isfinite(x) ? x : 0.0, g);
                           });
  // Both halves at once, if threads are free.
  for_each_at_once(2, 1, [&](int side) {
    cut(side == 0 ? groups.first(half) : groups.subspan(half), places, first + side * (blocks / 2),
        blocks / 2);
  });
}

}  // namespace solfec
