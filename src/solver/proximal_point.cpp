#include "solver/proximal_point.hpp"

#include <algorithm>
#include <cmath>

#include "solver/inequality_error.hpp"

namespace solfec {
namespace {

double average_scale(const LocalDynamics& p, const Communicator& communicator) {
  double sums[] = {0, static_cast<double>(p.rows())};
  for (int row = 0; row < p.rows(); row++) sums[0] += reaction_scale(p.W.diagonal(row));
  communicator.sum_all(sums);
  return sums[0] > 0 ? sums[0] / sums[1] : 1;
}

}  // namespace

IterationOutcome ProximalPoint::solve(const LocalDynamics& p, LocalSolution& s,
                                      const Criterion& criterion, Channel& channel,
                                      const Communicator& communicator,
                                      const ProximalPointSettings& settings, int max_iterations) {
  constexpr double kInner = 0.1;  // of the error of R_k
  constexpr int kMostNewtonSteps = 50, kMostSweeps = 1000;
  constexpr double kFall = 0.1, kRise = 5;  // of alpha
  constexpr double kLeastAlpha = 1e-14, kMostAlpha = 1e6;
  const ConeInequality inequality(p);
  const double w = average_scale(p, communicator);
  double alpha = settings.alpha;
  IterationOutcome outcome{SolveStatus::ok, 0, criterion.measure(p, s, channel)};
  std::vector<Vec3> best_R = s.R;
  double figure = outcome.figure;
  while (!(outcome.figure <= criterion.value())) {
    if (criterion.is_late()) {
      outcome.status = SolveStatus::out_of_time;
      break;
    }
    if (outcome.iterations == max_iterations || !std::isfinite(figure) || alpha > kMostAlpha) {
      outcome.status = SolveStatus::diverged;
      break;
    }
    if (settings.rule == AlphaRule::error)
      alpha = std::min(settings.sigma * std::pow(criterion.error(figure), settings.nu), kMostAlpha);
    alpha = std::max(alpha, kLeastAlpha);
    term_.shift = alpha * w;
    term_.centre.assign(s.R.begin(), s.R.begin() + p.rows());
    const std::vector<Vec3> before = s.R;
    const double whole =
        InequalityError(inequality, nullptr, 0, criterion, communicator).figure(p, s);
    const InequalityError inner(inequality, &term_, kInner * whole, criterion, communicator);
    const IterationOutcome of_problem =
        settings.by_sweeps ? splitting_.solve(p, s, inequality, &term_, inner, channel,
                                              communicator, settings.splitting, kMostSweeps)
                           : newton_.solve(p, s, &term_, inner, channel, communicator,
                                           settings.newton, kMostNewtonSteps);
    const bool solved = of_problem.status == SolveStatus::ok;
    if (settings.rule == AlphaRule::success) alpha *= solved ? kFall : kRise;
    outcome.iterations++;
    const double next = criterion.figure(p, s);
    // An unsolved problem may leave R worse than it was.
    if (solved || next < figure) {
      figure = next;
    } else {
      s.R = before;
      figure = criterion.measure(p, s, channel);
      if (settings.rule == AlphaRule::error && of_problem.status != SolveStatus::out_of_time) {
        outcome.status = SolveStatus::diverged;  // it would be the same problem again
        break;
      }
    }
    if (figure < outcome.figure) {
      outcome.figure = figure;
      best_R = s.R;
    }
  }
  s.R = best_R;
  outcome.figure = criterion.measure(p, s, channel);
  return outcome;
}

}  // namespace solfec
