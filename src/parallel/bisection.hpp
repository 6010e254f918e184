// The part of the division of space that is done by a library, or by nobody: recursive coordinate
// bisection of given points.
#pragma once

#include <span>
#include <vector>

#include "parallel/partitioner.hpp"

namespace solfec {

/// Cuts between as many parts as there are ranks. Points are of size one, weights whole numbers
/// below 2^24 (sums are exact, in any order); there is at least one point in all. `locked`: cuts
/// whose directions are to be kept, or none. Collective; RunError on all ranks.
std::vector<Cut> bisect(const Communicator& communicator, std::span<const Vec3> points,
                        std::span<const float> weights, double tolerance,
                        std::span<const Cut> locked);

}  // namespace solfec
