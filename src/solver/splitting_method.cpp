#include "solver/splitting_method.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "local_dynamics/joint_law.hpp"

namespace solfec {

struct SplittingMethod::Run {
  const LocalDynamics& problem;
  LocalSolution& solution;
  const ConeInequality& inequality;
  const ProximalTerm* term;
  const Criterion& criterion;
  Channel& channel;
  const Communicator& communicator;
  SplittingSettings settings;
  std::mt19937_64 random = {};  // the same numbers in each solve
  IterationOutcome outcome = {};
  // Of a sweep, over all ranks: shares of rows as it met them, |dR|^2.
  double met = 0, change = 0;
};

namespace {

void shuffle(std::vector<int>& rows, std::mt19937_64& random) {
  for (std::size_t k = rows.size(); k > 1; k--) std::swap(rows[k - 1], rows[random() % k]);
}

// The new reaction of a row with the velocity U at its reaction R.
Vec3 solve_row(const LocalDynamics& p, const ConeInequality& inequality, const ProximalTerm* term,
               const SplittingSettings& settings, int row, const Vec3& U, const Vec3& R) {
  const RowLaw& law = p.law[row];
  if (!(row_weight(p, row) > 0)) return R;  // it moves nothing
  Mat3 W = p.W.diagonal(row) / settings.omega;
  Mat3 inverse = settings.omega * p.W.diagonal_inverse(row);
  if (term && term->shift > 0) {
    W += term->shift * Mat3::Identity();
    inverse = W.inverse();
  }
  const Vec3 q = U - W * R;
  if (!law.is_contact()) return joint_reaction(law, W, inverse, q);
  const LocalContact contact{
      inequality, row, law.friction, W, inverse, q, velocity_offset(law, p.V[row]), law.cohesion};
  return solve_contact(settings.local, contact, R);
}

}  // namespace

template <class Form>
void SplittingMethod::sweep(Run& run, Form& form) {
  const LocalDynamics& p = run.problem;
  std::vector<Vec3>& R = run.solution.R;
  double sums[] = {0, 0};
  for (Stage& stage : stages_.of(false)) {
    receive_reactions(p.halo, stage, run.channel, R, form);
    if (run.settings.order == RowOrder::shuffled_every_sweep) shuffle(stage.rows, run.random);
    for (const int row : stage.rows) {
      Vec3 U = p.B[row] + form.row_times(row);
      sums[0] += run.criterion.share(p, row, U, R[row]);
      if (run.term) U += run.term->velocity(row, R[row]);
      const Vec3 next = solve_row(p, run.inequality, run.term, run.settings, row, U, R[row]);
      const Vec3 dR = next - R[row];
      if (dR.isZero(0)) continue;
      R[row] = next;
      form.change(row, dR);
      sums[1] += dR.squaredNorm();
    }
    for (int k : stage.send) send_rows(p.halo.neighbours[k], run.channel, R);
  }
  run.channel.finish();
  run.communicator.sum_all(sums);
  run.met = run.criterion.of_sum(sums[0]);
  run.change = sums[1];
}

template <class Form>
void SplittingMethod::iterate(Run& run, Form& form, int max_sweeps) {
  const LocalDynamics& p = run.problem;
  const double value = run.criterion.value();
  IterationOutcome& outcome = run.outcome;
  DeferredCheck check(value);
  double last = outcome.figure, share = 0.1;
  while (!(outcome.figure <= value)) {
    if (outcome.iterations == max_sweeps || !std::isfinite(last)) {
      outcome.status = SolveStatus::diverged;
      return;
    }
    if (run.criterion.is_late()) {
      outcome.status = SolveStatus::out_of_time;
      return;
    }
    if (run.settings.adaptive)
      run.settings.local.tolerance = std::min(share * run.criterion.error(last), 0.1);
    sweep(run, form);
    last = run.met;
    outcome.iterations++;
    // Where nothing changes any more nothing will get better, but by a finer tolerance.
    bool stands = run.change == 0;
    if (constexpr double kLeastShare = 1e-12;
        stands && run.settings.adaptive && share > kLeastShare) {
      share *= 0.1;
      stands = false;
    }
    if (!stands && outcome.iterations < max_sweeps && !check.is_due(run.met, outcome.iterations))
      continue;
    for (int row = 0; row < p.rows(); row++) run.solution.U[row] = p.B[row] + form.row_times(row);
    last = run.criterion.figure(p, run.solution);
    check.learn(run.met, last, outcome.iterations);
    if (last < outcome.figure) {
      outcome.figure = last;
      best_R_ = run.solution.R;
    }
    if (stands && !(outcome.figure <= value)) {
      outcome.status = SolveStatus::diverged;
      return;
    }
  }
}

IterationOutcome SplittingMethod::solve(const LocalDynamics& p, LocalSolution& s,
                                        const ConeInequality& inequality, const ProximalTerm* term,
                                        const Criterion& criterion, Channel& channel,
                                        const Communicator& communicator,
                                        const SplittingSettings& settings, int max_sweeps) {
  if (communicator.any(stages_.has_new_neighbours(p.halo)))
    stages_.colour(p.halo, channel, communicator.rank());
  Run run{p, s, inequality, term, criterion, channel, communicator, settings};
  stages_.plan(p, communicator.size() > 1, GaussSeidelVariant::full, false);
  if (settings.order == RowOrder::shuffled)
    for (Stage& stage : stages_.of(false)) shuffle(stage.rows, run.random);
  for (int row = 0; row < p.rows(); row++) s.R[row] = inequality.project(row, s.R[row]);
  run.outcome.figure = criterion.measure(p, s, channel);
  best_R_ = s.R;
  p.W.iterate(s.R, [&](auto& form) { iterate(run, form, max_sweeps); });
  s.R = best_R_;
  run.outcome.figure = criterion.measure(p, s, channel);
  return run.outcome;
}

}  // namespace solfec
