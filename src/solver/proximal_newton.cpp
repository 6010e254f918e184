#include "solver/proximal_newton.hpp"

#include <algorithm>
#include <cmath>

#include "local_dynamics/linearization.hpp"
#include "math/line_search.hpp"
#include "solver/joint_reactions.hpp"

namespace solfec {
namespace {

constexpr double kFirstAlpha = 1e-2, kLeastAlpha = 1e-14, kMostAlpha = 1e6;
// Of joints: they are linear, and a smaller one would let self-balancing reactions grow from what
// rounding leaves of targets that agree.
constexpr double kLeastJointAlpha = 1e-10;
constexpr double kFall = 0.1, kRise = 4;  // of alpha after a problem that was solved, or was not
constexpr int kFewSteps = 6;              // alpha falls after problems that took no more
constexpr int kMostSteps = 20, kPatience = 5;  // of a problem; without a lower |C|
constexpr double kRho = 3;                     // times 1 / w
constexpr double kReduction = 1e-2;            // of |C|: a problem is solved
constexpr int kHalvings = 2;
constexpr int kStalled = 300;  // steps without half of the figure
// On one rank the factors leave much less.
constexpr double kLinearResidual = 1e-2, kFineResidual = 1e-10;

}  // namespace

void ProximalNewton::prepare(const Run& run) {
  const LocalDynamics& p = run.problem;
  const double average = average_reaction_scale(p, run.communicator);
  weight_.clear();
  for (int row = 0; row < p.rows(); row++) {
    const double w = reaction_scale(p.W.diagonal(row));
    weight_.push_back(w > 0 ? w : average);  // rows that move nothing are as stiff as the average
  }
  step_.start(p);
  joint_alpha_ = run.communicator.any(joints_make_circles(p)) ? kLeastJointAlpha : 0;
}

// The rows at R; returns |C|.
double ProximalNewton::linearise(Run& run) {
  const LocalDynamics& p = run.problem;
  LocalSolution& s = run.solution;
  refresh(p.halo, run.channel, s.R);
  update_velocities(p, s);
  double sum = 0;
  for (int row = 0; row < p.rows(); row++) {
    const double alpha = p.law[row].is_contact() ? run.alpha : std::max(run.alpha, joint_alpha_);
    const double shift = alpha * weight_[row];
    s.U[row] += shift * (s.R[row] - centre_[row]);
    const double rho = kRho / weight_[row];
    const RowLinearization l = linearize(p, s, row, ContactMap::alart_curnier, {rho, rho});
    step_.rows.C[row] = l.C;
    step_.rows.X[row] = l.X;
    step_.rows.Y[row] = l.Y + shift * l.X;
    sum += l.C.squaredNorm();
  }
  return std::sqrt(run.communicator.sum(sum));
}

// R - dR, or less of it; returns |C| there.
double ProximalNewton::move(Run& run, double norm) {
  LocalSolution& s = run.solution;
  base_ = s.R;
  double length = 1;
  for (int halvings = 0;; halvings++, length *= 0.5) {
    for (std::size_t row = 0; row < step_.dR.size(); row++)
      s.R[row] = base_[row] - length * step_.dR[row];
    const double next = linearise(run);
    if (next < (1 - kSufficientChange * length) * norm || halvings == kHalvings) return next;
  }
}

// The figure of R, made admissible; keeps the best one.
void ProximalNewton::measure(Run& run, const Goal& goal) {
  const LocalDynamics& p = run.problem;
  LocalSolution& s = run.solution;
  for (int row = 0; row < p.rows(); row++) s.R[row] = admissible(p.law[row], s.R[row]);
  run.figure = goal.measure(p, s, run.channel);
  if (run.figure < run.best) {
    run.best = run.figure;
    run.best_R = s.R;
  }
}

bool ProximalNewton::is_spent(const Run& run) {
  return run.steps >= run.bounds.steps || run.operations >= run.bounds.operations;
}

// Solves the problem of the centre, or reaches the goal; false when it fails. R is admissible then,
// and the one with the lowest |C|.
bool ProximalNewton::approach(Run& run, const Goal& goal) {
  const LocalDynamics& p = run.problem;
  LocalSolution& s = run.solution;
  const double start = linearise(run);
  double norm = start, lowest = start;
  lowest_ = s.R;
  bool solved = false;
  for (int k = 0, last = 0; !solved && k < kMostSteps && !is_spent(run); k++) {
    run.steps++;
    const bool is_regular = step_.compute(p, run.channel, run.communicator, kLinearResidual);
    run.operations += run.communicator.max(step_.operations());
    if (!is_regular) break;
    norm = move(run, norm);
    if (!std::isfinite(norm)) break;
    if (norm < 0.9 * lowest) last = k;
    if (norm < lowest) {
      lowest = norm;
      lowest_ = s.R;
    }
    base_ = s.R;
    measure(run, goal);
    if (run.figure <= goal.value()) return true;
    s.R = base_;
    solved = lowest <= kReduction * start;
    if (k - last >= kPatience || goal.is_late()) break;
  }
  s.R = lowest_;
  measure(run, goal);
  return solved;
}

ProximalNewton::Outcome ProximalNewton::solve(const LocalDynamics& p, LocalSolution& s,
                                              const Goal& goal, Channel& channel,
                                              const Communicator& communicator,
                                              const Bounds& bounds) {
  Run run{p, s, channel, communicator, kFirstAlpha, bounds};
  prepare(run);
  run.best_R = s.R;
  measure(run, goal);
  bool failed = false;
  LastHalved halved{run.best};
  while (run.best > goal.value() && !is_spent(run) && run.alpha < kMostAlpha &&
         run.steps - halved.step < kStalled && !goal.is_late()) {
    centre_ = s.R;
    const double before = run.figure;
    const int steps = run.steps;
    if (approach(run, goal)) {
      const double fall = failed ? std::sqrt(kFall) : kFall;
      if (run.steps - steps <= kFewSteps) run.alpha = std::max(fall * run.alpha, kLeastAlpha);
      failed = false;
    } else {
      if (!(run.figure < before)) {
        s.R = centre_;
        run.figure = before;
      }
      run.alpha *= kRise;
      failed = true;
    }
    halved.see(run.best, run.steps);
  }
  s.R = run.best_R;
  return {run.steps, goal.measure(p, s, channel), run.operations, !is_spent(run)};
}

// sum w |dR|^2 / sum w |R|^2
double ProximalNewton::relative_step(const Run& run) const {
  double sums[] = {0, 0};
  for (std::size_t row = 0; row < step_.dR.size(); row++) {
    sums[0] += weight_[row] * step_.dR[row].squaredNorm();
    sums[1] += weight_[row] * run.solution.R[row].squaredNorm();
  }
  run.communicator.sum_all(sums);
  return sums[1] > 0 ? sums[0] / sums[1] : 0;
}

ProximalNewton::Outcome ProximalNewton::balance(const LocalDynamics& p, LocalSolution& s,
                                                const Goal& goal, Channel& channel,
                                                const Communicator& communicator, int max_steps) {
  Run run{p, s, channel, communicator, kLeastAlpha};
  prepare(run);
  double last = std::numeric_limits<double>::infinity();
  RowVector reached;
  while (run.steps < std::min(max_steps, kMostSteps)) {
    reached = centre_ = s.R;
    const double norm = linearise(run);
    if (!step_.compute(p, channel, communicator, kFineResidual)) break;
    run.steps++;
    const double change = relative_step(run);
    move(run, norm);
    measure(run, goal);
    if (!(run.figure <= goal.value())) break;
    reached = s.R;
    if (change <= goal.value() || change > 0.25 * last) break;
    last = change;
  }
  s.R = reached;
  return {run.steps, goal.measure(p, s, channel)};
}

double ProximalNewton::step_operations(const LocalDynamics& p, LocalSolution& s, Channel& channel,
                                       const Communicator& communicator) {
  Run run{p, s, channel, communicator, kFirstAlpha};
  prepare(run);
  centre_ = s.R;
  linearise(run);
  return communicator.max(step_.operations(p));
}

}  // namespace solfec
