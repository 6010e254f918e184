// Newton's method on the law written as an equation that is not smooth (Acary, Bremond, Huber 2018,
// Algorithm 4), with the maps of contact_maps.hpp and searches along each step. With the map G of
// all rows and one of its slopes at R,
//
//   R <- R + t d,   (X W + Y) d = -G,   t by the function |G|^2 / 2, which has the slope -|G|^2
//
// It needs a W of nearly full rank: where bodies have many contacts it often fails. The linear
// systems are solved by sparse factors on one rank, by at most 30 iterations of GMRES to 1E-10 on
// several.
#pragma once

#include "math/line_search.hpp"
#include "solver/goal_iteration.hpp"
#include "solver/newton_step.hpp"
#include "solver/proximal_term.hpp"

namespace solfec {

struct NonsmoothNewtonSettings {
  ContactMap map = ContactMap::alart_curnier;
  LineSearch search = LineSearch::none;
};

/// Keeps its memory between calls.
class NonsmoothNewton {
 public:
  /// Iterates from the R of the solution until the criterion is met, and leaves the best R that it
  /// met, admissible, the start included, with its U. `term`: none, or what is added to the
  /// velocities. Collective.
  IterationOutcome solve(const SolveTask& task, const ProximalTerm* term,
                         const NonsmoothNewtonSettings& settings, int max_iterations);

 private:
  struct Run;
  double linearise(const Run& run);
  double move(const Run& run, double square);

  NewtonStep step_;
  std::vector<ContactSteps> steps_;
  RowVector base_;  // R before a step
};

}  // namespace solfec
