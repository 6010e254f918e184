// One contact with everything else held fixed: find S in the friction cone K such that
//
//   U = W S + B,   0 <= S_N  _|_  U_N >= 0,   |S_T| <= mu S_N,   sliding against S_T,
//
// where restitution and cohesion have been moved into B and S (contact_law.hpp).
#pragma once

#include "local_dynamics/contact_law.hpp"

namespace solfec {

enum class DiagonalSolver {
  semismooth_newton,
  projected_gradient,
  de_saxce_feng,
  projected_newton
};

struct DiagonalProblem {
  const Mat3& W;
  const Mat3& W_inverse;
  Vec3 B;
  double friction;
};

enum class DiagonalStatus { ok, diverged, failed };

/// Solves the problem from the given start to the relative accuracy `epsilon` of S. On anything but
/// `ok` S is what was reached.
DiagonalStatus solve_diagonal(DiagonalSolver solver, const DiagonalProblem& problem, double epsilon,
                              int max_iterations, Vec3& S);

}  // namespace solfec
