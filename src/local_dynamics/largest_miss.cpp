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
    const Mat3& W = p.W.diagonal(row);
    most.pressed = std::max(most.pressed, reaction_scale(W) * s.R[row].norm());
    // |C|^2 <= tr(W) <W^-1 C, C>: most rows need no residual of their own.
    const double bound = W.trace() * s.merit[row] * scale;
    if (bound * (1 + kRoundOff) < most.miss * most.miss) continue;
    const double miss = residual(p, s, row).norm();
    if (miss > most.miss) {
      most.miss = miss;
      most.row = row;
    }
  }
  double all[] = {most.miss, most.free, most.pressed};
  communicator.max_all(all);
  if (most.miss < all[0]) most.row = -1;
  most.miss = all[0];
  most.free = all[1];
  most.pressed = all[2];
  return most;
}

}  // namespace solfec
