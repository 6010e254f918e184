// A solver on a problem of contacts, judged by the error of the natural map, which is no solver's
// own measure.
#pragma once

#include <span>

#include "solver/solver.hpp"

namespace solfec {

enum class Grade { ok, diverged, out_of_time };

/// Documented name of a grade ('OK', 'DIVERGED', 'TIME').
const char* name(Grade grade);

struct GradedSolve {
  Grade grade = Grade::ok;
  double seconds = 0;  ///< in the solver; the median when it was asked to repeat
  int iterations = 0;
  double error = 0;  ///< of the natural map
};

/// Solves from R = `guess`, or 0 where there is none, on one rank, with a solver whose ErrorTarget
/// is `tolerance`; a solve that went well is repeated until all have taken 0.1 s. The error is
/// computed anew from the R that was left: above `tolerance` the grade is not ok, whatever the
/// solver says. It is that of the laws that the solver wants, of CONVEX_SOLVER the convex one.
GradedSolve solve_graded(const LocalDynamics& problem, LocalSolution& solution, Solver& solver,
                         double tolerance, std::span<const Vec3> guess = {});

}  // namespace solfec
