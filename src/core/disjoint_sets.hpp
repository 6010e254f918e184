// Sets of numbers that are joined one by one (union-find with halved paths, Tarjan and van Leeuwen
// 1984).
#pragma once

#include <numeric>
#include <vector>

namespace solfec {

class DisjointSets {
 public:
  /// 0 to count - 1, each alone.
  explicit DisjointSets(int count) : parent_(static_cast<std::size_t>(count)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  /// The number that stands for its set.
  int find(int x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }
  /// False where both are in one set already.
  bool join(int x, int y) {
    x = find(x);
    y = find(y);
    parent_[x] = y;
    return x != y;
  }

 private:
  std::vector<int> parent_;
};

}  // namespace solfec
