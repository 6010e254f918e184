// Splitting by rows with relaxation (Acary, Bremond, Huber 2018, Algorithm 7): each row is solved
// with the newest reactions of the others and
//
//   U_a = W_aa / omega (R_a - R_a before) + what U_a was
//
// omega = 1 is Gauss-Seidel (NSGS), else PSOR. gauss_seidel.hpp has the quicker sweeps of
// GAUSS_SEIDEL_SOLVER; here are those of the comparison, with its methods for one contact, its
// orders of rows, and problems with a part of the law held, or with a proximal term.
#pragma once

#include "solver/goal_iteration.hpp"
#include "solver/local_method.hpp"
#include "solver/proximal_term.hpp"
#include "solver/sweep_stages.hpp"

namespace solfec {

enum class RowOrder : std::uint8_t {
  given,
  shuffled,  ///< once at the start
  shuffled_every_sweep
};

struct SplittingSettings {
  LocalSettings local;
  bool adaptive = false;  ///< the tolerance of a row is a tenth of the last known error
  RowOrder order = RowOrder::given;
  double omega = 1;  ///< > 0
};

/// Keeps its memory between calls. Among several ranks rows see the reactions of others as in the
/// variant FULL of GAUSS_SEIDEL_SOLVER (rank_sets.hpp), and are shuffled within their sets.
class SplittingMethod {
 public:
  /// Iterates from the R of the solution until the criterion is met, and leaves the best R of those
  /// whose figures it computed, the start included, with its U. `term`: none, or what is added to
  /// the velocities. Collective.
  IterationOutcome solve(const SolveTask& task, const ConeInequality& inequality,
                         const ProximalTerm* term, const SplittingSettings& settings,
                         int max_sweeps);

 private:
  struct Run;
  template <class Form>
  void sweep(Run& run, Form& form);
  template <class Form>
  double step(Run& run, Form& form, int iteration);

  SweepStages stages_;
};

}  // namespace solfec
