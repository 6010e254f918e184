#include "solver/nonsmooth_newton.hpp"

#include <cmath>
#include <utility>

#include "local_dynamics/linearization.hpp"

namespace solfec {

struct NonsmoothNewton::Run {
  const LocalDynamics& problem;
  LocalSolution& solution;
  const ProximalTerm* term;
  const Criterion& criterion;
  Channel& channel;
  const Communicator& communicator;
  const NonsmoothNewtonSettings& settings;
};

// The rows at R; returns |G|^2, contacts by forces, joints by the forces that their velocities ask
// for.
double NonsmoothNewton::linearise(const Run& run) {
  const LocalDynamics& p = run.problem;
  LocalSolution& s = run.solution;
  refresh(p.halo, run.channel, s.R);
  update_velocities(p, s);
  LinearizedRows& rows = step_.rows;
  double sum = 0;
  for (int row = 0; row < p.rows(); row++) {
    if (run.term) s.U[row] += run.term->velocity(row, s.R[row]);
    const RowLinearization l = linearize(p, s, row, run.settings.map, steps_[row]);
    // The search is by |G|^2 / 2 (the paper prints |G| / 2), where contacts are forces.
    const double rho = steps_[row].normal;
    rows.C[row] = rho * l.C;
    rows.X[row] = rho * l.X;
    rows.Y[row] = rho * l.Y;
    if (run.term) rows.Y[row] += run.term->shift * rows.X[row];
    sum += rows.C[row].squaredNorm();
  }
  return run.communicator.sum(sum);
}

// Leaves the rows of the new R, and returns their |G|^2.
double NonsmoothNewton::move(const Run& run, double square) {
  LocalSolution& s = run.solution;
  base_ = s.R;
  double next = square;
  search_along(run.settings.search, 0.5 * square, -square, [&](double t) {
    for (std::size_t row = 0; row < step_.dR.size(); row++)
      s.R[row] = base_[row] - t * step_.dR[row];
    next = linearise(run);
    return 0.5 * next;
  });
  return next;
}

// The figure of R made admissible; R stays as it is.
double NonsmoothNewton::measure(const Run& run) {
  const LocalDynamics& p = run.problem;
  LocalSolution& s = run.solution;
  admissible_R_ = s.R;
  for (int row = 0; row < p.rows(); row++) s.R[row] = admissible(p.law[row], s.R[row]);
  const double figure = run.criterion.measure(p, s, run.channel);
  std::swap(admissible_R_, s.R);
  return figure;
}

IterationOutcome NonsmoothNewton::solve(const LocalDynamics& p, LocalSolution& s,
                                        const ProximalTerm* term, const Criterion& criterion,
                                        Channel& channel, const Communicator& communicator,
                                        const NonsmoothNewtonSettings& settings,
                                        int max_iterations) {
  constexpr double kLinearResidual = 1e-10;
  constexpr int kStalled = 1000;  // iterations without half of the figure: it goes round
  const Run run{p, s, term, criterion, channel, communicator, settings};
  step_.rows.resize(p);
  steps_.clear();
  for (int row = 0; row < p.rows(); row++)
    steps_.push_back(contact_steps(settings.map, p.W.diagonal(row)));
  IterationOutcome outcome{SolveStatus::ok, 0, measure(run)};
  best_R_ = admissible_R_;
  double square = linearise(run);
  double lowest = outcome.figure;
  int gained_at = 0;
  while (!(outcome.figure <= criterion.value())) {
    if (criterion.is_late()) {
      outcome.status = SolveStatus::out_of_time;
      break;
    }
    if (outcome.iterations == max_iterations || !std::isfinite(square) ||
        outcome.iterations - gained_at == kStalled ||
        !step_.compute(p, channel, communicator, kLinearResidual)) {
      outcome.status = SolveStatus::diverged;
      break;
    }
    square = move(run, square);
    outcome.iterations++;
    const double figure = measure(run);
    if (figure < outcome.figure) {
      outcome.figure = figure;
      best_R_ = admissible_R_;
    }
    if (outcome.figure < 0.5 * lowest) {
      lowest = outcome.figure;
      gained_at = outcome.iterations;
    }
  }
  s.R = best_R_;
  outcome.figure = criterion.measure(p, s, channel);
  return outcome;
}

}  // namespace solfec
