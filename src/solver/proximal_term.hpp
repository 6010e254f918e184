// What the proximal point method adds to the velocities of a problem (Acary, Bremond, Huber 2018,
// equation 122), which gives W full rank:
//
//   U = B + W R + shift (R - centre)
#pragma once

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

struct ProximalTerm {
  double shift = 0;          ///< [m/(s N)]
  std::vector<Vec3> centre;  ///< of the owned rows [N]

  Vec3 velocity(int row, const Vec3& R) const { return shift * (R - centre[row]); }
};

}  // namespace solfec
