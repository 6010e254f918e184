// What searches along a direction share.
#pragma once

namespace solfec {

/// Armijo's constant: a step of length a is taken when the norm falls by this part of a, or the
/// function grows by this part of what its slope promises.
inline constexpr double kSufficientChange = 1e-4;

}  // namespace solfec
