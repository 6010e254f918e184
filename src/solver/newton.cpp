#include "solver/newton.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/threads.hpp"

namespace solfec {
namespace {

// Theta is halved each time the error has grown, down to here; then it begins again.
constexpr double kShortestTheta = 1e-3;

// Diagonal entries of W over all ranks.
double delta_unit(const LocalDynamics& p, DeltaUnit unit, const Communicator& communicator) {
  if (unit == DeltaUnit::absolute) return 1;
  double sum = 0, largest = 0, smallest = std::numeric_limits<double>::infinity();
  for (int row = 0; row < p.rows(); row++) {
    const Vec3 w = p.W.diagonal(row).diagonal();
    sum += w.sum();
    smallest = std::min(smallest, w.minCoeff());
    largest = std::max(largest, w.maxCoeff());
  }
  if (unit == DeltaUnit::largest) return communicator.max(largest);
  if (unit == DeltaUnit::smallest) {
    smallest = communicator.min(smallest);
    return std::isfinite(smallest) ? smallest : 0;
  }
  double sums[] = {sum, 3.0 * p.rows()};
  communicator.sum_all(sums);
  return sums[1] > 0 ? sums[0] / sums[1] : 0;
}

// T^-1, or something of its size where there is none.
Mat3 inverse_or_scale(const Mat3& T) {
  const Mat3 inverse = T.inverse();
  if (inverse.allFinite()) return inverse;
  const double size = T.cwiseAbs().maxCoeff();
  return Mat3::Identity() / (size > 0 ? size : 1);
}

}  // namespace

bool Newton::is_swept(const LocalDynamics& p) const { return settings.swept && !p.W.assembled(); }

void Newton::prepare(Run& run) {
  const LocalDynamics& p = run.problem;
  refresh(p.halo, run.channel, run.solution.R);
  if (settings.delta > 0)
    run.shift = settings.delta * delta_unit(p, settings.delta_unit, run.communicator);
  if (settings.reaction_scale > 0) {
    const double average = delta_unit(p, DeltaUnit::average, run.communicator);
    if (average > 0) run.scale = settings.reaction_scale * average;
  }
  rows_.resize(p);
  inverse_.resize(p.law.size());
  if (is_swept(p)) linear_sweep_.plan(p, run.communicator);
  dR_.assign(p.law.size(), Vec3::Zero());
}

void Newton::sweep(Run& run, int sweeps) const {
  if (sweeps == 0) return;
  GaussSeidelSettings gs;
  gs.epsilon = std::numeric_limits<double>::min();
  gs.max_iterations = sweeps;
  gs.merit_value = 1;
  gs.least_norm = false;
  GaussSeidel(gs).solve(run.problem, run.solution, run.communicator);
}

void Newton::linearise(Run& run) {
  const LocalDynamics& p = run.problem;
  constexpr int kShare = 128;
  for_each_at_once(p.rows(), kShare, [&](int row) {
    const RowLinearization l = linearize(p, run.solution, row, settings.omega, run.scale);
    rows_.C[row] = l.C;
    rows_.X[row] = l.X;
    rows_.Y[row] = l.Y + run.shift * Mat3::Identity();
    inverse_[row] = inverse_or_scale(l.X * p.W.diagonal(row) + rows_.Y[row]);
  });
  if (is_swept(p)) linear_sweep_.take(rows_, inverse_);
}

// dR = A^-1 C, roughly; returns the number of products.
int Newton::linear_step(Run& run) {
  const LocalDynamics& p = run.problem;
  LinearSystem system{
      [&](const RowVector& x, RowVector& result) { rows_.multiply(p, run.channel, x, result); }};
  if (is_swept(p)) {
    system.precondition_multiply = [&](const RowVector& v, RowVector& x, RowVector& result) {
      linear_sweep_.solve_and_multiply(p, run.channel, v, x, result);
    };
    system.precondition_left = [&](RowVector& v) { linear_sweep_.solve_left(p, v); };
  } else {
    system.precondition = [&](const RowVector& x, RowVector& result) {
      for (std::size_t row = 0; row < x.size(); row++) result[row] = inverse_[row] * x[row];
    };
  }
  return gmres_
      .solve(system, rows_.C, settings.epsilon, settings.linear_max_iterations, run.communicator,
             dR_)
      .products;
}

void Newton::iterate(Run& run, Best& best) {
  const LocalDynamics& p = run.problem;
  LocalSolution& s = run.solution;
  const RowVector start = s.R;
  double theta = settings.theta;
  int products = 0, rises = 0;
  double last = best.measure;
  for (int k = 0; k < settings.max_iterations && products < settings.max_products; k++) {
    linearise(run);
    if (settings.linear_method == LinearMethod::gmres) {
      product_history.push_back(linear_step(run));
      products += product_history.back();
    } else {
      product_history.push_back(0);
      for (int row = 0; row < p.rows(); row++)
        dR_[row] += theta * (inverse_[row] * rows_.C[row] - dR_[row]);
    }
    for (int row = 0; row < p.rows(); row++) s.R[row] = admissible(p.law[row], s.R[row] - dR_[row]);
    const double now = run.goal.measure(p, s, run.channel);
    iterations++;
    merit_history.push_back(now);
    if (!std::isfinite(now)) break;
    if (now < best.measure) best = {now, s.R};
    if (now <= run.goal.value()) {
      status = SolveStatus::ok;
      return;
    }
    if (run.goal.is_late()) {
      status = SolveStatus::out_of_time;
      return;
    }
    if (gives_up && gives_up(now)) break;
    if (settings.linear_method == LinearMethod::diagonal && now > last && now > 10 &&
        ++rises > 10) {
      // Begin anew with shorter steps.
      theta = theta < kShortestTheta ? 0.5 : 0.5 * theta;
      rises = 0;
      s.R = start;
      std::ranges::fill(dR_, Vec3(Vec3::Zero()));
      run.goal.measure(p, s, run.channel);
    }
    last = now;
  }
  status = SolveStatus::diverged;
}

void Newton::fall_back(Run& run, const Best& best) {
  const LocalDynamics& p = run.problem;
  LocalSolution& s = run.solution;
  GaussSeidel solver(GaussSeidelSettings::by_merit(settings.merit_value, settings.max_iterations));
  if (target) solver.target = {target->error, run.goal.time_left()};
  const SolveResult result = solver.solve(p, s, run.communicator);
  fallback_sweeps = result.iterations;
  status = result.status;
  if (!(run.goal.measure(p, s, run.channel) <= best.measure)) s.R = best.R;
}

void Newton::write_settings(ArchiveWriter& archive) const {
  const NewtonSettings& s = settings;
  // In arrays: GCC 12 takes so many numbers, one by one, for writes past an end.
  const std::array integers = {s.max_iterations,
                               s.linear_max_iterations,
                               s.max_products,
                               s.smoothing,
                               static_cast<int>(s.linear_method),
                               static_cast<int>(s.delta_unit),
                               static_cast<int>(s.matrix_free),
                               static_cast<int>(s.falls_back),
                               static_cast<int>(s.failure)};
  const std::array numbers = {s.merit_value, s.epsilon, s.delta, s.theta, s.omega};
  archive(integers, numbers);
}

SolveResult Newton::solve(const LocalDynamics& p, LocalSolution& s,
                          const Communicator& communicator) {
  Run run{p, s, communicator, Channel(communicator),
          Goal(settings.merit_value, target, p, communicator)};
  status = SolveStatus::ok;
  iterations = fallback_sweeps = 0;
  merit_history.clear();
  product_history.clear();
  prepare(run);
  const RowVector begin = s.R;
  sweep(run, settings.smoothing);
  const double start = run.goal.measure(p, s, run.channel);
  Best best{std::isfinite(start) ? start : std::numeric_limits<double>::infinity(), s.R};
  iterate(run, best);
  double reached = merit_history.back();
  if (status != SolveStatus::ok) {
    s.R = best.R;
    if (settings.falls_back && status != SolveStatus::out_of_time) fall_back(run, best);
    reached = run.goal.measure(p, s, run.channel);
  }
  if (settings.smoothing > 0) {
    const Best before{reached, s.R};
    sweep(run, settings.smoothing);
    reached = run.goal.measure(p, s, run.channel);
    if (reached > std::max(run.goal.value(), before.measure)) {  // it is farther from the solution
      s.R = before.R;
      reached = run.goal.measure(p, s, run.channel);
    }
  }
  if (settings.least_norm && !target)
    reached = joint_reactions_.take_least_norm(
        p, s, {begin, reached, settings.merit_value, run.goal.scale()}, run.channel, communicator);
  // Whatever the iterations said, also after smoothing.
  if (reached <= run.goal.value())
    status = SolveStatus::ok;
  else if (status == SolveStatus::ok)
    status = SolveStatus::diverged;
  return {status, iterations, target ? merit(p, s, communicator) : reached};
}

}  // namespace solfec
