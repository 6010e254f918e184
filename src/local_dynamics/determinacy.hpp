// Whether equilibrium determines a reaction, or others leave all velocities as they are
// (indeterminacy.hpp). Results hold the numbers.
#pragma once

#include <cstdint>

namespace solfec {

enum class Determinacy : std::uint8_t {
  unknown,  ///< nobody has asked
  none,     ///< no component can vary: an open contact, a force that a law gives
  determined,
  undetermined_tangent,  ///< the normal component is determined, the tangential one is not
  undetermined           ///< the normal component is not determined
};

inline constexpr Determinacy kLastDeterminacy = Determinacy::undetermined;

}  // namespace solfec
