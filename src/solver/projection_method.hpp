// Fixed-point and extragradient iterations for the variational inequality of a step
// (cone_inequality.hpp; Acary, Bremond, Huber 2018, algorithms 1 to 3):
//
//   Rbar = P_X (R - rho F(R))
//   fixed point     R <- Rbar
//   two steps       R <- P_X (Rbar - rho F(Rbar))
//   extragradient   R <- P_X (R - rho F(Rbar))                                      (Korpelevich)
//
// Extragradient steps converge where F is not the gradient of anything, two steps are those of the
// fixed point with each rho used twice: they take as many iterations as the extragradient solver of
// Siconos 4.4 (docs/problem-files.md).
//
// rho stays as it is (De Saxce and Feng), or follows the local Lipschitz constant of F: with
//
//   r = rho |F(R) - F(Rbar)| / |R - Rbar|                                           (Khobotov)
//   r = rho (R - Rbar).(F(R) - F(Rbar)) / |R - Rbar|^2                       (Solodov and Tseng)
//
// rho <- nu rho min(1, 1 / r) until r <= L; after a step with r < L_min  rho <- rho / nu. Each
// trial takes one product with W, and a correction of Rbar one more. Norms are over all rows of
// all ranks.
//
// Where F is the gradient of a function f (a part of the law is held, and W is symmetric), rho can
// follow Armijo's rule instead (Calamai and More 1987; Algorithm 9): rho <- nu rho until
//
//   f(Rbar) - f(R) <= (1 - L) F(R).(Rbar - R),   f(Rbar) - f(R) = (F(R) + F(Rbar)).(Rbar - R) / 2
#pragma once

#include "solver/cone_inequality.hpp"
#include "solver/goal_iteration.hpp"

namespace solfec {

enum class Correction : std::uint8_t { none, from_prediction, from_start };
enum class StepRule : std::uint8_t { fixed, khobotov, solodov_tseng, armijo };

struct ProjectionSettings {
  Correction correction = Correction::none;
  StepRule rule = StepRule::khobotov;
  double rho = 1;  ///< at the start [N s/m]
  double nu = 2.0 / 3;
  double L = 0.9, L_min = 0.3;  ///< 0 < L_min < L < 1
};

/// Iterates from the R of the solution until the criterion is met, and leaves the best R that it
/// met, in X, with its U, and the last rho in the settings. Collective.
IterationOutcome solve_by_projections(const SolveTask& task, const ConeInequality& inequality,
                                      ProjectionSettings& settings, int max_iterations);

}  // namespace solfec
