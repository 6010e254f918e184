#include "solver/proximal_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/inequality_error.hpp"

namespace solfec {

// That of the centre, which is the current R, to a tenth of its error; whether it was solved.
bool ProximalPoint::solve_problem(const SolveTask& task, const ProximalPointSettings& settings) {
  constexpr double kInner = 0.1;
  constexpr int kMostNewtonSteps = 50, kMostSweeps = 1000;
  const LocalDynamics& p = task.problem;
  const ConeInequality inequality(p);
  const auto criterion_of = [&](const ProximalTerm* term, double value) {
    return InequalityError(inequality, term, value, task.criterion, task.communicator);
  };
  const double error = criterion_of(nullptr, 0).figure(p, task.solution);
  const InequalityError criterion = criterion_of(&term_, kInner * error);
  const SolveTask problem = task.until(criterion);
  const int most =
      std::min(settings.by_sweeps ? kMostSweeps : kMostNewtonSteps, settings.most_steps - steps);
  const IterationOutcome outcome =
      settings.by_sweeps ? splitting_.solve(problem, inequality, &term_, settings.splitting, most)
                         : newton_.solve(problem, &term_, settings.newton, most);
  steps += outcome.iterations;
  return outcome.status == SolveStatus::ok;
}

IterationOutcome ProximalPoint::solve(const SolveTask& task, const ProximalPointSettings& settings,
                                      int max_iterations) {
  constexpr double kFall = 0.1, kRise = 5;  // of alpha
  constexpr double kLeastAlpha = 1e-14, kMostAlpha = 1e6;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const LocalDynamics& p = task.problem;
  LocalSolution& s = task.solution;
  const bool by_error = settings.rule == AlphaRule::error;
  const double w = average_reaction_scale(p, task.communicator);
  const double start = task.measure();
  double alpha = settings.alpha, figure = start;
  steps = 0;
  return iterate_to_goal(task, start, max_iterations, [&](int) {
    if (alpha > kMostAlpha || steps >= settings.most_steps) return kInfinity;
    if (by_error)
      alpha = std::min(settings.sigma * std::pow(task.criterion.error(figure), settings.nu),
                       kMostAlpha);
    alpha = std::max(alpha, kLeastAlpha);
    const std::vector<Vec3> before = s.R;
    term_.shift = alpha * w;
    term_.centre.assign(before.begin(), before.begin() + p.rows());
    const bool solved = solve_problem(task, settings);
    if (!by_error) alpha *= solved ? kFall : kRise;
    const double next = task.criterion.figure(p, s);
    if (solved || next < figure) return figure = next;
    // An unsolved problem has left R worse than it was.
    s.R = before;
    task.measure();
    return by_error ? kInfinity : figure;  // by the error it would be the same problem again
  });
}

}  // namespace solfec
