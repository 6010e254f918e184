// The iteration of Tasora and Anitescu (2007, 2011) for the convex programme of a step: R in X
// (cone_inequality.hpp) that minimises R.W R / 2 + R.q. A row with the weight w (row_weight) moves
// by
//
//   R <- lambda P_X (R - (omega / w) F) + (1 - lambda) R,   F = W R + q
//
// and a joint, whose X is a space, by omega and lambda times what solves it. F is that of the
// reactions before the sweep (Jacobi), or of the newest ones (Gauss-Seidel; over-relaxed (SOR) with
// omega > 1); symmetric sweeps go through the rows forwards and backwards in turns (SSOR).
//
// It descends while lambda omega is small enough: Gauss-Seidel where omega W_aa / (2 w) < I in each
// row, Jacobi where this is so of the whole of W.
//
// Gauss-Seidel on many ranks sweeps as GAUSS_SEIDEL_SOLVER's FULL does (rank_sets.hpp): rows see
// the new reactions of ranks of higher colour.
#pragma once

#include "solver/goal_iteration.hpp"
#include "solver/sweep_stages.hpp"

namespace solfec {

enum class Splitting : std::uint8_t { jacobi, gauss_seidel, symmetric };

struct RelaxationSettings {
  Splitting splitting = Splitting::gauss_seidel;
  double omega = 1;
  double lambda = 1;  ///< at most 1
};

/// Iterates from the R of the solution until the goal is reached, and leaves the best R that it has
/// judged, admissible, with its U. Jacobi judges each R, others when the change of R lets expect
/// that the goal is reached, now and then, and at the end. `stages` are kept between calls.
/// Collective.
IterationOutcome solve_by_relaxation(const SolveTask& task, const RelaxationSettings& settings,
                                     SweepStages& stages, int max_iterations);

}  // namespace solfec
