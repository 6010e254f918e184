#include "solver/gauss_seidel.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <ranges>
#include <utility>

#include "core/error.hpp"
#include "core/threads.hpp"
#include "local_dynamics/joint_law.hpp"
#include "local_dynamics/natural_map.hpp"

namespace solfec {
namespace {

constexpr DiagonalSolver kDiagonalSolvers[] = {
    DiagonalSolver::semismooth_newton, DiagonalSolver::projected_gradient,
    DiagonalSolver::de_saxce_feng, DiagonalSolver::projected_newton};

// Anderson acceleration takes so many sweeps as its map: with one a combination takes as long as
// the sweep, and goes astray more often.
constexpr int kSweepsOfMap = 2;

// Of the merit that was asked for: less is not worth another sweep.
constexpr double kEnough = 1e-2;

// Squares of changes of R over that of R, from which on W R is computed anew.
constexpr double kLostDigits = 1e6;

DiagonalStatus worse(DiagonalStatus a, DiagonalStatus b) { return std::max(a, b); }

// Adds its life time to a number of seconds.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds) {}
  ~Stopwatch() {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

int& count(RankWork& work, RowSet set) {
  switch (set) {
    case RowSet::bottom:
      return work.bottom;
    case RowSet::middle:
      return work.middle;
    case RowSet::top:
      return work.top;
    case RowSet::inner:
      break;
  }
  return work.inner;
}

}  // namespace

template <class Form>
void GaussSeidel::solve_rows(const Run& run, Form& form, std::span<const int> rows,
                             Sweep& result) const {
  const LocalDynamics& p = run.problem;
  LocalSolution& s = run.solution;
  const double epsilon = target ? kRowAccuracy : settings.diagonal_epsilon;
  for (const int row : rows) {
    const RowLaw& law = p.law[row];
    const Mat3& W = p.W.diagonal(row);
    const Vec3 R = s.R[row];
    const Vec3 U = p.B[row] + form.row_times(row);
    Vec3 free = U - W * R;  // what the rest of the system gives to this row
    Vec3 next;
    if (target) result.residual += natural_map_share(p, row, U, R);
    if (!law.is_contact()) {
      const Mat3& inverse = p.W.diagonal_inverse(row);
      next = joint_reaction(law, W, inverse, free);
      result.merit += law_norm(law, W, inverse, joint_residual(law, W, U, R));
    } else if (law.kind == LawKind::spring_dashpot) {
      next = spring_dashpot_reaction(law, p.step(), W, free, p.V[row].z(), R, false);
      const Vec3 C = W * (R - next);
      result.merit += C.dot(p.W.diagonal_inverse(row) * C);
    } else {
      const Vec3 C = contact_residual(law, U, R, p.V[row], reaction_scale(W));
      result.merit += C.dot(p.W.diagonal_inverse(row) * C);
      free -= law.cohesion * W.col(2);
      free += velocity_offset(law, p.V[row]);
      const DiagonalProblem local{W, p.W.diagonal_inverse(row), free, law.friction};
      Vec3 S = shifted_reaction(law, R);
      DiagonalStatus status = solve_diagonal(settings.diagonal_solver, local, epsilon,
                                             settings.diagonal_max_iterations, S);
      if (status != DiagonalStatus::ok) {
        const DiagonalStatus first = status;
        for (DiagonalSolver other : kDiagonalSolvers) {
          if (status == DiagonalStatus::ok) break;
          S = shifted_reaction(law, R);
          status = solve_diagonal(other, local, epsilon, settings.diagonal_max_iterations, S);
        }
        if (status != DiagonalStatus::ok) {
          S = shifted_reaction(law, R);
          result.status = worse(result.status, first);
        }
      }
      next = clip_to_friction_cone(S, law.friction);
      next.z() -= law.cohesion;
    }
    const Vec3 dR = next - R;
    if (!dR.isZero(0)) {
      s.R[row] = next;
      form.change(row, dR);
      result.change += dR.squaredNorm();
    }
    result.size += next.squaredNorm();
  }
}

template <class Form>
void GaussSeidel::solve_stage(const Run& run, Form& form, bool backwards, std::size_t stage,
                              Sweep& result) const {
  if constexpr (std::is_same_v<Form, FactoredForm>) {
    const std::vector<StageBatches>& batches = batches_[backwards && run.several()];
    if (!batches.empty() && !batches[stage].contacts.rows().empty()) {
      solve_batches(run, form, batches[stage].contacts, backwards, result);
      return;
    }
  }
  solve_rows(run, form, stages_.of(backwards)[stage].rows, result);
}

void GaussSeidel::solve_batches(const Run& run, FactoredForm& form, const ContactBatches& contacts,
                                bool backwards, Sweep& result) const {
  const RowBatches& batches = contacts.rows();
  const double epsilon = target ? kRowAccuracy : settings.diagonal_epsilon;
  const bool reversed = backwards && !run.several();
  part_sums_.assign(batches.parts(), {});
  auto solve_part = [&](int part) {
    Sweep sweep;
    SweepSums<Lanes> sums;
    const auto solve_run = [&](const RowBatches::Run& rows) {
      for (int k = rows.batch; k < rows.batch_end; k++)
        if (!contacts.solve(k, form, epsilon, settings.diagonal_max_iterations, run.solution.R,
                            target.has_value(), sums))
          solve_rows(run, form, batches.batch(k).rows(), sweep);
      solve_rows(run, form, batches.singles(rows), sweep);
    };
    if (reversed)
      std::ranges::for_each(std::views::reverse(batches.runs(part)), solve_run);
    else
      std::ranges::for_each(batches.runs(part), solve_run);
    sweep.change += reduce(sums.change);
    sweep.size += reduce(sums.size);
    sweep.merit += reduce(sums.merit);
    sweep.residual += reduce(sums.residual);
    part_sums_[part] = sweep;
  };
  threads().in_turns(batches.turns(), reversed, solve_part);
  for (const Sweep& part : part_sums_) {
    result.change += part.change;
    result.size += part.size;
    result.merit += part.merit;
    result.residual += part.residual;
    result.status = worse(result.status, part.status);
  }
}

template <class Form>
GaussSeidel::Sweep GaussSeidel::sweep(Run& run, Form& form, bool backwards) const {
  const LocalDynamics& p = run.problem;
  Sweep result;
  for (std::size_t place = 0; place < stages_.of(backwards).size(); place++) {
    const Stage& stage = stages_.of(backwards)[place];
    double& communication =
        stage.set == RowSet::middle ? run.work.middle_communication : run.work.communication;
    {
      const Stopwatch watch(communication);
      receive_reactions(p.halo, stage, run.channel, run.solution.R, form);
    }
    solve_stage(run, form, backwards, place, result);
    if (stage.set == RowSet::inner && run.several())
      for (int loop = 1; loop < settings.inner_loops; loop++) {
        Sweep more;  // rows count once in size and merit
        solve_stage(run, form, backwards, place, more);
        result.change += more.change;
        result.status = worse(result.status, more.status);
      }
    const Stopwatch watch(communication);
    for (int k : stage.send) send_rows(p.halo.neighbours[k], run.channel, run.solution.R);
  }
  const Stopwatch watch(run.work.communication);
  run.channel.finish();
  if (target) result.late = std::chrono::steady_clock::now() > run.deadline;
  // Over all ranks, in one reduction.
  double sums[] = {result.size,
                   result.change,
                   result.merit,
                   result.status == DiagonalStatus::diverged ? 1.0 : 0.0,
                   result.status == DiagonalStatus::failed ? 1.0 : 0.0,
                   result.residual,
                   result.late ? 1.0 : 0.0};
  run.communicator.sum_all(sums);
  return {{sums[1], sums[0], sums[2], sums[5]},
          sums[6] > 0,
          sums[4] > 0   ? DiagonalStatus::failed
          : sums[3] > 0 ? DiagonalStatus::diverged
                        : DiagonalStatus::ok};
}

template <class Form>
bool GaussSeidel::reached_target(Run& run, const Sweep& sweep, const Form& form) const {
  const LocalDynamics& p = run.problem;
  const double met = std::sqrt(sweep.residual) / run.free_norm;
  if (!run.check.is_due(met, iterations) && sweep.change > 0) return false;
  velocities(p, form, run.solution.U);
  const double error =
      std::sqrt(run.communicator.sum(natural_map_sum(p, run.solution))) / run.free_norm;
  run.check.learn(met, target->error / error, iterations);
  return error <= target->error;
}

template <class Form>
bool GaussSeidel::reached_merit(Run& run, double& merit_value, const Form& form) const {
  if (!run.check.is_due(merit_value, iterations)) return false;
  velocities(run.problem, form, run.solution.U);
  const double met =
      std::exchange(merit_value, merit(run.problem, run.solution, run.scale, run.communicator));
  run.check.learn(met, settings.merit_value / merit_value, iterations);
  return merit_value <= settings.merit_value;
}

template <class Form>
void GaussSeidel::accelerate(Run& run, Form& form, double met) {
  constexpr double kWorse = 4;  // squares of norms
  const LocalDynamics& p = run.problem;
  std::vector<Vec3>& R = run.solution.R;
  if (!(met <= kWorse * met_before_)) mixing_.forget();
  met_before_ = met;
  const std::size_t own = p.law.size();
  change_.resize(R.size());
  std::copy(R.begin() + own, R.end(), change_.begin() + own);
  mixing_.mix(sweep_start_, std::span(R).first(own), std::span(change_).first(own),
              run.communicator);
  refresh(p.halo, run.channel, R);
  for (std::size_t row = own; row < R.size(); row++) change_[row] = R[row] - change_[row];
  form.change_all(change_);
  sweep_start_.assign(R.begin(), R.begin() + p.rows());
}

template <class Form>
void GaussSeidel::iterate(Run& run, Form& form) {
  const LocalDynamics& p = run.problem;
  const bool accelerated = settings.memory > 0 && run.rows == Rows::all;
  if (accelerated) {
    mixing_.start(p, settings.memory);
    sweep_start_.assign(run.solution.R.begin(), run.solution.R.begin() + p.rows());
    met_before_ = std::numeric_limits<double>::infinity();
  }
  const bool one_pass = run.rows == Rows::contacts;
  const int bound = one_pass ? std::min(1, settings.max_iterations) : settings.max_iterations;
  DiagonalStatus diagonal = DiagonalStatus::ok;
  bool converged = false, late = false;
  double largest_change = 0;
  Beyond beyond{settings.beyond, kEnough * settings.merit_value};
  for (int k = 0; !converged && k < bound; k++) {
    const Sweep result = sweep(run, form, settings.reverse && k % 2 == 1);
    const bool combines = accelerated && k + 1 < bound && (k + 1) % kSweepsOfMap == 0;
    iterations++;
    diagonal = worse(diagonal, result.status);
    // Of a start far away sums of changes keep rounding as large as that.
    largest_change = std::max(largest_change, result.change);
    if (largest_change > kLostDigits * result.size) {
      form.start(run.solution.R);
      largest_change = 0;
    }
    if (target) {
      converged = reached_target(run, result, form);
      late = result.late;
      // Where nothing changes any more, or all is lost, nothing will get better.
      if (late || result.change == 0 || !std::isfinite(result.change)) break;
      if (!converged && gives_up && gives_up(std::sqrt(result.residual) / run.free_norm)) break;
      if (combines && !converged) accelerate(run, form, result.residual);
      continue;
    }
    double merit_value = result.merit / run.scale;
    error_history.push_back(result.size > 0 ? std::sqrt(result.change / result.size) : 0.0);
    converged = error_history.back() <= settings.epsilon;
    if (converged && asks_merit(run)) {
      const bool is_last = k + 1 == bound;
      converged = (is_last || !beyond.goes_on(merit_value)) &&
                  reached_merit(run, merit_value, form) && (is_last || !beyond.begins(merit_value));
    }
    merit_history.push_back(merit_value);
    if (!converged && gives_up && gives_up(result.merit / run.scale)) break;
    if (combines && !converged) accelerate(run, form, result.merit);
  }
  if (one_pass) converged = diagonal == DiagonalStatus::ok;
  if (converged)
    status = SolveStatus::ok;
  else if (late)
    status = SolveStatus::out_of_time;
  else if (diagonal == DiagonalStatus::failed)
    status = SolveStatus::diagonal_failed;
  else if (diagonal == DiagonalStatus::diverged)
    status = SolveStatus::diagonal_diverged;
  else
    status = SolveStatus::diverged;
}

bool GaussSeidel::asks_merit(const Run& run) const {
  return !target && settings.merit_value < 1 && run.rows == Rows::all;
}

void GaussSeidel::prepare(Run& run) {
  const Stopwatch watch(run.work.initialisation);
  const LocalDynamics& p = run.problem;
  LocalSolution& s = run.solution;
  DEMAND(static_cast<int>(s.R.size()) == p.W.all_rows());
  s.U.resize(p.law.size());
  refresh(p.halo, run.channel, s.R);
  const bool joints = std::ranges::any_of(p.law, [](const RowLaw& l) { return !l.is_contact(); });
  double sums[] = {merit_scale_sum(p), stages_.has_new_neighbours(p.halo) ? 1.0 : 0.0,
                   joints ? 1.0 : 0.0};
  run.communicator.sum_all(sums);
  run.scale = merit_scale(sums[0]);
  run.joints = sums[2] > 0;
  if (target) {
    run.free_norm = natural_map_scale(p, run.communicator);
    run.check = DeferredCheck(10 * target->error);
  } else {
    run.check = DeferredCheck(10 * settings.merit_value, std::numeric_limits<int>::max());
  }
  if (!run.several()) return;
  if (sums[1] > 0) stages_.colour(p.halo, run.channel, run.communicator.rank());
  const RankColours& colours = stages_.colours();
  run.work.colours = colours.own;
  for (int colour : colours.neighbours) run.work.colours = std::max(run.work.colours, colour);
  for (RowSet set : row_sets(p.halo, colours, p.rows())) count(run.work, set)++;
}

void GaussSeidel::plan_sweeps(const Run& run) {
  const LocalDynamics& p = run.problem;
  // Joints alone are iterated like all rows.
  const bool full = run.rows == Rows::joints && settings.variant == GaussSeidelVariant::simplified;
  stages_.plan(p, run.several(), full ? GaussSeidelVariant::full : settings.variant,
               settings.reverse);
  if (run.rows == Rows::all) return;
  const bool contacts = run.rows == Rows::contacts;
  for (bool backwards : {false, true})
    for (Stage& stage : stages_.of(backwards))
      std::erase_if(stage.rows, [&](int row) { return p.law[row].is_contact() != contacts; });
}

// Other methods for rows, and contacts or joints alone, go row by row. On one rank sweeps go back
// through the batches of W; on several each stage has batches of its own.
void GaussSeidel::plan_batches(const Run& run) {
  const LocalDynamics& p = run.problem;
  const bool batched = !p.W.assembled() && run.rows == Rows::all &&
                       settings.diagonal_solver == DiagonalSolver::semismooth_newton;
  for (bool backwards : {false, true}) {
    const std::vector<Stage>& stages = stages_.of(backwards);
    std::vector<StageBatches>& batches = batches_[backwards];
    batches.resize(batched && (!backwards || (settings.reverse && run.several())) ? stages.size()
                                                                                  : 0);
    for (std::size_t k = 0; k < batches.size(); k++) {
      if (run.several()) p.W.plan(stages[k].rows, batches[k].own);
      batches[k].contacts.take(p, run.several() ? batches[k].own : p.W.sweep_batches());
    }
  }
}

void GaussSeidel::write_settings(ArchiveWriter& archive) const {
  const GaussSeidelSettings& s = settings;
  archive(s.epsilon, s.max_iterations, s.merit_value, s.failure, s.diagonal_epsilon,
          s.diagonal_max_iterations, s.diagonal_solver, s.reverse, s.variant, s.inner_loops,
          s.memory);
}

SolveResult GaussSeidel::solve(const LocalDynamics& p, LocalSolution& s,
                               const Communicator& communicator) {
  const bool several = communicator.size() > 1;
  if (several && settings.variant == GaussSeidelVariant::simplified && !target)
    return solve(p, s, communicator, {Rows::contacts, Rows::joints});
  return solve(p, s, communicator, {Rows::all});
}

SolveResult GaussSeidel::solve_joints(const LocalDynamics& p, LocalSolution& s,
                                      const Communicator& communicator) {
  return solve(p, s, communicator, {Rows::joints});
}

SolveResult GaussSeidel::solve(const LocalDynamics& p, LocalSolution& s,
                               const Communicator& communicator,
                               std::initializer_list<Rows> passes) {
  iterations = 0;
  status = SolveStatus::ok;
  error_history.clear();
  merit_history.clear();
  Run run{p, s, communicator, Channel(communicator)};
  if (target) run.deadline = target->deadline();
  prepare(run);
  const bool least_norm = settings.least_norm && run.joints && !target;
  const RowVector start = least_norm ? s.R : RowVector();
  double seconds = 0;
  for (const Rows rows : passes) {
    if (rows == Rows::joints && !run.joints) continue;
    run.rows = rows;
    const SolveStatus before = status;
    plan_sweeps(run);
    plan_batches(run);
    const Stopwatch watch(seconds);
    p.W.iterate(s.R, [&](auto& form) { iterate(run, form); });
    status = std::max(status, before);
  }
  run.work.run = seconds - run.work.communication - run.work.middle_communication;
  update_velocities(p, s);
  SolveResult result{status, iterations, merit(p, s, run.scale, communicator)};
  // What was asked may be there though R still changes, or a row was not solved to its accuracy.
  if (least_norm)
    result.merit = joint_reactions_.take_least_norm(
        p, s, {start, result.merit, settings.merit_value, run.scale}, run.channel, communicator);
  if (asks_merit(run) && result.merit <= settings.merit_value)
    result.status = status = SolveStatus::ok;
  const bool one_sweep = passes.size() > 1;  // without a criterion
  if (one_sweep && status == SolveStatus::ok && settings.merit_value < 1 &&
      result.merit > settings.merit_value)
    result.status = status = SolveStatus::diverged;
  if (run.several()) result.rank_work = run.work;
  return result;
}

}  // namespace solfec
