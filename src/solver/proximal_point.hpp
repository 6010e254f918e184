// The proximal point method of the comparison of 2018 (Acary, Bremond, Huber, Algorithm 8):
// problems with a term that gives W full rank (proximal_term.hpp),
//
//   U = B + W R + alpha w (R - R_k),   w = average of trace W_aa / 3 over the rows,
//
// each from the solution R_k of the one before, to a tenth of the error of R_k, by Newton's method
// or by sweeps. The paper adds alpha (R - R_k); w makes alpha a number without unit. alpha follows
//
//   success   alpha / 10 after a problem that was solved, 5 alpha after one that was not
//   error     alpha = sigma error^nu, with the error of R_k  (equation 125)
//
// where the error is that of the criterion (Criterion::error). proximal_newton.hpp is the method of
// AUTO_SOLVER.
#pragma once

#include <limits>

#include "solver/nonsmooth_newton.hpp"
#include "solver/splitting_method.hpp"

namespace solfec {

enum class AlphaRule : std::uint8_t { success, error };

struct ProximalPointSettings {
  bool by_sweeps = false;  ///< else by Newton's method
  NonsmoothNewtonSettings newton;
  SplittingSettings splitting;
  AlphaRule rule = AlphaRule::success;
  double alpha = 1;                                  ///< at the start
  double sigma = 5, nu = 1;                          ///< of the rule by error
  int most_steps = std::numeric_limits<int>::max();  ///< of Newton's method or sweeps, in all
};

/// Keeps its memory between calls.
class ProximalPoint {
 public:
  /// Iterates from the R of the solution until the criterion is met, and leaves the best R that it
  /// met, with its U. Iterations are problems. Collective.
  IterationOutcome solve(const SolveTask& task, const ProximalPointSettings& settings,
                         int max_iterations);

  int steps = 0;  ///< of Newton's method or sweeps, in the last call

 private:
  bool solve_problem(const SolveTask& task, const ProximalPointSettings& settings);

  NonsmoothNewton newton_;
  SplittingMethod splitting_;
  ProximalTerm term_;
};

}  // namespace solfec
