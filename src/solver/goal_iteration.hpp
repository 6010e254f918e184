// The loop of methods that make one R after the other and judge it: ends where the goal is reached,
// or at a bound, and leaves the best R.
#pragma once

#include <cmath>

#include "local_dynamics/linearization.hpp"
#include "solver/criterion.hpp"

namespace solfec {

/// Makes R admissible; returns its figure.
inline double start_admissible(const LocalDynamics& p, LocalSolution& s, const Criterion& goal,
                               Channel& channel) {
  for (int row = 0; row < p.rows(); row++) s.R[row] = admissible(p.law[row], s.R[row]);
  return goal.measure(p, s, channel);
}

/// `step (iteration)` makes the next R and returns the figure of the last R that was judged;
/// `figure` is that of the R at the start. Collective.
template <class Step>
IterationOutcome iterate_to_goal(const LocalDynamics& p, LocalSolution& s, const Criterion& goal,
                                 Channel& channel, double figure, int max_iterations, Step&& step) {
  IterationOutcome outcome{SolveStatus::ok, 0, figure};
  std::vector<Vec3> best_R = s.R;
  while (!(figure <= goal.value())) {
    if (goal.is_late()) {
      outcome.status = SolveStatus::out_of_time;
      break;
    }
    if (outcome.iterations == max_iterations || !std::isfinite(figure)) {
      outcome.status = SolveStatus::diverged;
      break;
    }
    figure = step(++outcome.iterations);
    if (figure < outcome.figure) {
      outcome.figure = figure;
      best_R = s.R;
    }
  }
  if (outcome.status != SolveStatus::ok) {
    s.R = best_R;
    goal.measure(p, s, channel);
  }
  return outcome;
}

}  // namespace solfec
