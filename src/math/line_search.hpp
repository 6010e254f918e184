// What searches along a direction share, and the two line searches of the comparison of 2018
// (Acary, Bremond, Huber, Algorithms 5 and 6).
#pragma once

#include <cmath>
#include <cstdint>

namespace solfec {

/// Armijo's constant: a step of length a is taken when the norm falls by this part of a, or the
/// function grows by this part of what its slope promises.
inline constexpr double kSufficientChange = 1e-4;

enum class LineSearch : std::uint8_t { none, goldstein_price, armijo };

/// Length t of a step along a direction in which a function q(t) >= 0 has the value q0 and the
/// slope q'(0) = slope < 0 at t = 0, beginning with t = 1. With D = (q(t) - q0) / t the search ends
/// where
///
///   D <= 0.1 slope                   Armijo
///   0.9 slope <= D <= 0.1 slope      Goldstein, Price
///
/// or after 20 trials, with the last one. A step is doubled until one is too long, then the
/// interval is halved. `value` was called with the result last.
template <class Value>
double search_along(LineSearch search, double q0, double slope, Value&& value) {
  constexpr int kMostTrials = 20;
  constexpr double kLeast = 0.1, kMost = 0.9, kLonger = 2;
  double t = 1, low = 0, high = 0;
  for (int k = 1;; k++) {
    const double change = (value(t) - q0) / t;
    if (search == LineSearch::none || k == kMostTrials) return t;
    // A value that is no number is too large.
    const bool too_long = !(change <= kLeast * slope);
    const bool too_short = search == LineSearch::goldstein_price && change < kMost * slope;
    if (too_long)
      high = t;
    else if (too_short)
      low = t;
    else
      return t;
    t = high == 0 ? kLonger * t : 0.5 * (low + high);
  }
}

}  // namespace solfec
