// Room in vectors of which a step knows how long they will be.
#pragma once

#include <cstddef>
#include <vector>

namespace solfec {

/// Empties a vector that is to hold `count` items. It keeps its memory if that is enough. Else it
/// gets some more than it needs: twice as much, with a copy on the way, would be the largest need
/// of memory of a whole run.
template <class Item>
void clear_for(std::vector<Item>& items, std::size_t count) {
  constexpr std::size_t kMore = 100;  // that come and go in small scenes
  items.clear();
  if (items.capacity() >= count) return;
  items = std::vector<Item>();  // {} would keep the memory
  items.reserve(count + count / 8 + kMore);
}

}  // namespace solfec
