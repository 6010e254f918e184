#include "core/id_ranges.hpp"

#include <algorithm>
#include <iterator>

namespace solfec {

void IdRanges::insert(std::uint64_t first, std::uint64_t end) {
  if (first >= end) return;
  auto range = ends_.upper_bound(first);
  if (range != ends_.begin() && std::prev(range)->second >= first) range--;
  while (range != ends_.end() && range->first <= end) {
    first = std::min(first, range->first);
    end = std::max(end, range->second);
    range = ends_.erase(range);
  }
  ends_.emplace_hint(range, first, end);
}

bool IdRanges::contains(BodyId id) const {
  const auto after = ends_.upper_bound(id.value);
  return after != ends_.begin() && std::prev(after)->second > id.value;
}

std::int64_t IdRanges::count_below(BodyId id) const {
  std::uint64_t count = 0;
  for (const auto& [first, end] : ends_) {
    if (first >= id.value) break;
    count += std::min<std::uint64_t>(end, id.value) - first;
  }
  return static_cast<std::int64_t>(count);
}

}  // namespace solfec
