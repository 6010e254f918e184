// Extents along a unit vector.
#pragma once

#include <algorithm>
#include <limits>

namespace solfec {

struct Extent {
  double low = std::numeric_limits<double>::infinity(), high = -low;

  void add(double middle, double half) {
    low = std::min(low, middle - half);
    high = std::max(high, middle + half);
  }
};

}  // namespace solfec
