// The loop of methods that make one R after the other and judge it: ends where the criterion is
// met, or at a bound, and leaves the best R.
#pragma once

#include <cmath>
#include <functional>

#include "local_dynamics/linearization.hpp"
#include "solver/criterion.hpp"
#include "solver/solver.hpp"

namespace solfec {

/// What a method is given: a problem, where it begins and leaves its solution, when it ends.
struct SolveTask {
  const LocalDynamics& problem;
  LocalSolution& solution;
  const Criterion& criterion;
  Channel& channel;
  const Communicator& communicator;
  /// Asked after each iteration that did not reach the goal, if it is there, with the figure; true
  /// ends the iterations as diverged.
  std::function<bool(double figure)> gives_up = {};

  /// The figure of R; brings the external R and U up to date. Collective.
  double measure() const { return criterion.measure(problem, solution, channel); }
  /// The same up to another criterion: a problem within this one.
  SolveTask until(const Criterion& other) const {
    return {problem, solution, other, channel, communicator};
  }
};

/// How many iterations a method made, and the figure of the R that it left.
struct IterationOutcome {
  SolveStatus status = SolveStatus::ok;
  int iterations = 0;
  double figure = 0;
};

/// Makes R admissible; returns its figure.
inline double start_admissible(const SolveTask& task) {
  const LocalDynamics& p = task.problem;
  std::vector<Vec3>& R = task.solution.R;
  for (int row = 0; row < p.rows(); row++) R[row] = admissible(p.law[row], R[row]);
  return task.measure();
}

/// `step (iteration)` makes the next R and returns the figure of the last R that was judged, or
/// infinity where the method cannot go on; `figure` is that of the R at the start. Collective.
template <class Step>
IterationOutcome iterate_to_goal(const SolveTask& task, double figure, int max_iterations,
                                 Step&& step) {
  IterationOutcome outcome{SolveStatus::ok, 0, figure};
  std::vector<Vec3>& R = task.solution.R;
  std::vector<Vec3> best_R = R;
  while (!(figure <= task.criterion.value())) {
    if (task.criterion.is_late()) {
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
      best_R = R;
    }
    if (figure > task.criterion.value() && task.gives_up && task.gives_up(figure)) {
      outcome.status = SolveStatus::diverged;
      break;
    }
  }
  if (outcome.status != SolveStatus::ok) {
    R = best_R;
    task.measure();
  }
  return outcome;
}

}  // namespace solfec
