#include "solver/splitting_method.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "local_dynamics/joint_law.hpp"

namespace solfec {

struct SplittingMethod::Run {
  const SolveTask& task;
  const ConeInequality& inequality;
  const ProximalTerm* term;
  SplittingSettings settings;
  int max_sweeps;
  double figure;                // of the last R that was judged
  double met = figure;          // of the rows as a sweep met them
  double change = 1;            // sum |dR|^2 of a sweep
  double share = 0.1;           // of the error: tolerance of a row, if it is adaptive
  std::mt19937_64 random = {};  // the same numbers in each solve
  DeferredCheck check{10 * task.criterion.value()};
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
  const SolveTask& task = run.task;
  const LocalDynamics& p = task.problem;
  std::vector<Vec3>& R = task.solution.R;
  double sums[] = {0, 0};
  for (Stage& stage : stages_.of(false)) {
    receive_reactions(p.halo, stage, task.channel, R, form);
    if (run.settings.order == RowOrder::shuffled_every_sweep) shuffle(stage.rows, run.random);
    for (const int row : stage.rows) {
      Vec3 U = p.B[row] + form.row_times(row);
      sums[0] += task.criterion.share(p, row, U, R[row]);
      if (run.term) U += run.term->velocity(row, R[row]);
      const Vec3 next = solve_row(p, run.inequality, run.term, run.settings, row, U, R[row]);
      const Vec3 dR = next - R[row];
      if (dR.isZero(0)) continue;
      R[row] = next;
      form.change(row, dR);
      sums[1] += dR.squaredNorm();
    }
    for (int k : stage.send) send_rows(p.halo.neighbours[k], task.channel, R);
  }
  task.channel.finish();
  task.communicator.sum_all(sums);
  run.met = task.criterion.of_sum(sums[0]);
  run.change = sums[1];
}

// Returns the figure of the last R that was judged.
template <class Form>
double SplittingMethod::step(Run& run, Form& form, int iteration) {
  constexpr double kLeastShare = 1e-12;
  const LocalDynamics& p = run.task.problem;
  LocalSolution& s = run.task.solution;
  const Criterion& criterion = run.task.criterion;
  if (run.change == 0) {
    // Nothing will get better, but by a finer tolerance.
    if (!run.settings.adaptive || run.share < kLeastShare)
      return std::numeric_limits<double>::infinity();
    run.share *= 0.1;
  }
  if (run.settings.adaptive)
    run.settings.local.tolerance = std::min(run.share * criterion.error(run.met), 0.1);
  sweep(run, form);
  if (!std::isfinite(run.met)) return run.met;
  if (run.change > 0 && iteration < run.max_sweeps && !run.check.is_due(run.met, iteration))
    return run.figure;
  velocities(p, form, s.U);
  run.figure = criterion.figure(p, s);
  run.check.learn(run.met, criterion.value() / run.figure, iteration);
  return run.figure;
}

IterationOutcome SplittingMethod::solve(const SolveTask& task, const ConeInequality& inequality,
                                        const ProximalTerm* term, const SplittingSettings& settings,
                                        int max_sweeps) {
  const LocalDynamics& p = task.problem;
  std::vector<Vec3>& R = task.solution.R;
  stages_.prepare(p, task.channel, task.communicator, false);
  for (int row = 0; row < p.rows(); row++) R[row] = inequality.project(row, R[row]);
  Run run{task, inequality, term, settings, max_sweeps, task.measure()};
  if (settings.order == RowOrder::shuffled)
    for (Stage& stage : stages_.of(false)) shuffle(stage.rows, run.random);
  return p.W.iterate(R, [&](auto& form) {
    return iterate_to_goal(task, run.figure, max_sweeps,
                           [&](int iteration) { return step(run, form, iteration); });
  });
}

}  // namespace solfec
