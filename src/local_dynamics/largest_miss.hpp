// The contact that misses its law by most, as a velocity. The merit weighs contacts by energy:
// those of bodies that are much lighter than others hardly count in it.
#pragma once

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

struct LargestMiss {
  double miss = 0;     ///< |C| of that contact [m/s]
  double free = 0;     ///< largest |B| of all rows, joints too [m/s]
  int row = -1;        ///< of the contact, on the rank that owns it; -1 on the others
  double pressed = 0;  ///< largest w |R| of contacts: what a reaction makes of velocities [m/s]
};

/// At the current U and R, and the rows' shares in the merit that belong to them, over all ranks;
/// `scale` as in merit(). Collective.
LargestMiss largest_miss(const LocalDynamics& problem, const LocalSolution& solution, double scale,
                         const Communicator& communicator);
inline LargestMiss largest_miss(const LocalDynamics& problem, const LocalSolution& solution,
                                const Communicator& communicator) {
  return largest_miss(problem, solution, merit_scale(problem, communicator), communicator);
}

}  // namespace solfec
