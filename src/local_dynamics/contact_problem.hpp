// A problem of contacts by its numbers alone, as files of problems hold it:
//
//   U = q + W R,   the Signorini-Coulomb law with friction mu between U and R in each row,
//
// without restitution, cohesion, bodies and time step; components (T1, T2, N).
#pragma once

#include <string>
#include <vector>

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

struct ContactProblem {
  BlockRows W;  ///< columns rise in each row; the diagonal block of each row is there
  std::vector<Vec3> q;
  std::vector<double> friction;
  std::string title, description, math_info;  ///< what it is, for readers

  int contacts() const { return static_cast<int>(q.size()); }
};

/// The same for solvers, on one rank: B = q, V = 0, step 1.
LocalDynamics local_dynamics_of(const ContactProblem& problem);

}  // namespace solfec
