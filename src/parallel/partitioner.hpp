// Division of space between the ranks by recursive coordinate bisection.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "parallel/communicator.hpp"

namespace solfec {

/// Settings of IMBALANCE_TOLERANCE.
struct PartitionSettings {
  double tolerance = 1.3;        ///< largest over average load that is accepted, >= 1
  bool lock_directions = false;  ///< later divisions cut in the directions of the first one
  double degenerate_ratio = 10;  ///< > 1; flatter sets of points are cut along their own axes
  double weight_factor = 1;      ///< of the local dynamics in the load, from 0 to 1
};

/// One box for each rank: lower corner, upper corner, in coordinates  axes x  (row by row, a
/// rotation). The boxes tile space: outer bounds are infinite; a box holds lower < x <= upper.
struct Partition {
  std::array<double, 9> axes = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::vector<std::array<double, 6>> boxes;
  int directions = 0;  ///< the order of directions that is locked, 0: none; part of a checkpoint

  bool operator==(const Partition&) const = default;
};

/// Divides points with weights (of all ranks together) into boxes of nearly equal weight, one per
/// rank. Depends on points, weights, settings and `directions` of the partition before only: the
/// same on every rank, and again after a restart. Collective.
Partition divide_space(const Communicator& communicator,
                       std::span<const std::array<double, 3>> points,
                       std::span<const double> weights, const PartitionSettings& settings,
                       int directions);

}  // namespace solfec
