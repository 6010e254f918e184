// Sums that are the same to the last bit in whatever order, and over any number of ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "parallel/communicator.hpp"

namespace solfec {

/// Sum of the numbers of all ranks, at most 2^26 of them, each rounded to 2^-52 of the largest: of
/// multiples of one power of two, which add up without rounding (Demmel, Nguyen 2013). Collective,
/// with two reductions.
inline double exact_sum(const Communicator& communicator, std::span<const double> values) {
  double largest = 0;
  for (double value : values) largest = std::max(largest, std::abs(value));
  largest = communicator.max(largest);
  if (!(largest > 0) || !std::isfinite(largest)) return communicator.sum(largest);
  const double coarse = std::ldexp(1.0, std::ilogb(largest) - 25), fine = coarse * 0x1p-27;
  std::array<double, 2> sums = {0, 0};
  for (double value : values) {
    const double part = std::nearbyint(value / coarse);
    sums[0] += part;
    sums[1] += std::nearbyint((value - part * coarse) / fine);
  }
  communicator.sum_all(sums);
  return sums[0] * coarse + sums[1] * fine;
}

}  // namespace solfec
