// Comparison of what ranks have told each other.
#pragma once

#include <cstddef>

namespace solfec {

/// The first rank r that differs from rank 0 in of(r), or -1.
template <class Of>
int first_other(std::size_t ranks, Of of) {
  for (std::size_t r = 1; r < ranks; r++)
    if (of(r) != of(0)) return static_cast<int>(r);
  return -1;
}

}  // namespace solfec
