// Solids of all kinds as points and numbers, for results.
#pragma once

#include <array>
#include <span>

#include "body/body_store.hpp"

namespace solfec {

/// What the numbers mean is said by columns(archive, SolidNumbers) in result_rows.hpp.
struct SolidNumbers {
  std::uint8_t kind = 0;  ///< index in Solid
  std::int32_t volume = 0;
  std::vector<Vec3> points;
  std::vector<double> reals;
  std::vector<std::int32_t> integers;
};

/// The solids of a body's shape, then its background mesh if it has one.
std::vector<SolidNumbers> solid_numbers(const Body& body);

/// Throws RunError when the numbers are not those of a solid.
Solid solid_of(const SolidNumbers& numbers);

}  // namespace solfec
