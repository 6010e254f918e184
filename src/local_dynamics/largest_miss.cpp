#include "local_dynamics/largest_miss.hpp"

#include <algorithm>

namespace solfec {

LargestMiss largest_miss(const LocalDynamics& p, const LocalSolution& s, double scale,
                         const Communicator& communicator) {
  constexpr double kRoundOff = 1e-9;  // relative
  LargestMiss most;
  for (int row = 0; row < p.rows(); row++) {
    most.free = std::max(most.free, p.B[row].norm());
    if (!p.law[row].is_contact()) continue;
    // |C|^2 <= tr(W) <W^-1 C, C>: most rows need no residual of their own.
    const double bound = p.W.diagonal(row).trace() * s.merit[row] * scale;
    if (bound * (1 + kRoundOff) < most.miss * most.miss) continue;
    const double miss = residual(p, s, row).norm();
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
