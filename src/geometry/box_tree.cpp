#include "geometry/box_tree.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

#include "geometry/tolerances.hpp"

namespace solfec {
namespace {

constexpr int kLeafSize = 4;

// Spreads the lower 21 bits of x so that two zero bits follow each.
std::uint64_t spread_bits(std::uint64_t x) {
  x &= 0x1fffff;
  x = (x | x << 32) & 0x1f00000000ffff;
  x = (x | x << 16) & 0x1f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

}  // namespace

void BoxTree::build(std::span<const Box> boxes) {
  Box range;
  for (const Box& box : boxes) range.extend(box.center());
  const Vec3 size = range.size().cwiseMax(kNotZero);
  coded_.clear();
  for (int i = 0; i < static_cast<int>(boxes.size()); i++) {
    const Vec3 at = (boxes[i].center() - range.lower).cwiseQuotient(size).cwiseMin(1.0);
    std::uint64_t code = 0;
    for (int d = 0; d < 3; d++)
      if (at[d] >
          0)  // not so where a body has a state that is not finite: the end of the step tells of it
        code |= spread_bits(static_cast<std::uint64_t>(at[d] * 0x1fffff)) << d;
    coded_.push_back({code, i});
  }
  std::ranges::sort(coded_, {}, [](const Coded& c) { return std::tuple(c.code, c.index); });
  order_.clear();
  leaves_.clear();
  nodes_.clear();
  for (const Coded& c : coded_) {
    order_.push_back(c.index);
    leaves_.push_back(boxes[c.index]);
  }
  if (!coded_.empty()) add_node(0, static_cast<int>(coded_.size()));
}

void BoxTree::add_node(int first, int last) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Box box;
  const bool leaf = last - first <= kLeafSize;
  if (leaf) {
    for (int k = first; k < last; k++) box.extend(leaves_[k]);
  } else {
    // Split where the highest differing bit of the codes changes, in the middle of equal codes.
    const std::uint64_t low = coded_[first].code, high = coded_[last - 1].code;
    int middle = (first + last) / 2;
    if (low != high) {
      const int bit = 63 - std::countl_zero(low ^ high);
      const std::uint64_t pivot = (high >> bit) << bit;
      middle = static_cast<int>(
          std::lower_bound(coded_.begin() + first, coded_.begin() + last, pivot,
                           [](const Coded& c, std::uint64_t p) { return c.code < p; }) -
          coded_.begin());
    }
    const int left = static_cast<int>(nodes_.size());
    add_node(first, middle);
    const int right = static_cast<int>(nodes_.size());
    add_node(middle, last);
    box = nodes_[left].box;
    box.extend(nodes_[right].box);
  }
  nodes_[index] = {box, first, last, static_cast<int>(nodes_.size()), leaf};
}

}  // namespace solfec
