#include "local_dynamics/largest_miss.hpp"

#include <algorithm>

namespace solfec {

LargestMiss largest_miss(const LocalDynamics& p, const Communicator& communicator) {
  LargestMiss most;
  for (int row = 0; row < p.rows(); row++) {
    if (!p.law[row].is_contact()) continue;
    most.free = std::max(most.free, p.B[row].norm());
    const double miss = residual(p, row).norm();
    if (miss > most.miss) {
      most.miss = miss;
      most.row = row;
    }
  }
  double both[] = {most.miss, most.free};
  communicator.max_all(both);
  if (most.miss < both[0]) most.row = -1;
  most.miss = both[0];
  most.free = both[1];
  return most;
}

}  // namespace solfec
