#include "solver/automatic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace solfec {
namespace {

constexpr int kMemory = 5;  // of accelerated sweeps
// Of those at the start: how often it is asked how many are to come, and how many are too many,
// with those that were.
constexpr int kAcceleratedPatience = 20;
constexpr double kManyAccelerated = 60;
// Of those that take turns: how many are made before it is asked how many are to come, how many of
// them are too many, and which rounds are accelerated.
constexpr int kFirstPatience = 10, kMostPatience = 10000;
constexpr double kManySweeps = 30;
constexpr int kLongPatience = 50;
constexpr double kRowOperations = 100;  // of a sweep, beside products with W
// Quasi-Newton steps without half of the measure before end it.
constexpr int kMostQuasiSteps = 100, kQuasiPatience = 20;
// Proximal steps: half of what a problem takes, as forecasts see half of the sweeps; and what one
// may cost, in sweeps.
constexpr double kProximalSteps = 6, kMostStepCost = 1000;
constexpr int kMostProximalSteps = 1000;
constexpr double kGain = 0.9;  // of the best figure: less is no gain

// Gaps are those at the start of such a step, not in its middle.
bool is_quasi_static(const LocalDynamics& p) {
  return !p.law.empty() && p.law.front().remaining > 0.75 * p.step();
}

// How many sweeps are still to come, by how much the second half of those that were has done.
class Forecast {
 public:
  explicit Forecast(double goal) : goal_(goal) {}

  void add(double measure) { measures_.push_back(measure); }
  int sweeps() const { return static_cast<int>(measures_.size()); }
  double remaining() const {
    const std::size_t half = measures_.size() / 2;
    const double now = measures_.back(), before = measures_[half];
    const double fall = std::log(before / now) / static_cast<double>(measures_.size() - half);
    return fall > 0 ? std::log(now / goal_) / fall : std::numeric_limits<double>::infinity();
  }

 private:
  double goal_;
  std::vector<double> measures_;
};

}  // namespace

void Automatic::sweep_first(Run& run) {
  int ask_at = kAcceleratedPatience;
  sweep(run, true, [&](const Forecast& forecast) {
    if (forecast.sweeps() < ask_at) return false;
    ask_at += kAcceleratedPatience;
    return forecast.sweeps() + forecast.remaining() > kManyAccelerated;
  });
}

void Automatic::sweep_in_turn(Run& run, int patience) {
  int ask_at = patience;
  sweep(run, patience >= kLongPatience, [&](const Forecast& forecast) {
    if (forecast.sweeps() < ask_at) return false;
    ask_at *= 2;
    run.remaining = forecast.remaining();
    return run.remaining > kManySweeps;
  });
}

// Until the goal, the bound on iterations, or a forecast that is slow.
template <class IsSlow>
void Automatic::sweep(Run& run, bool accelerated, const IsSlow& is_slow) {
  sweeps_.settings =
      GaussSeidelSettings::by_merit(settings.merit_value, settings.max_iterations - iterations);
  sweeps_.settings.memory = accelerated ? kMemory : 0;
  sweeps_.target.reset();
  if (target) sweeps_.target = {target->error, run.goal.time_left()};
  Forecast forecast(run.goal.value());
  run.slow = false;
  sweeps_.gives_up = [&](double met) {
    forecast.add(met);
    run.slow = is_slow(forecast);
    return run.slow;
  };
  const SolveResult result = sweeps_.solve(run.problem, run.solution, run.communicator);
  sweeps_.gives_up = nullptr;
  iterations += result.iterations;
  run.work = result.rank_work;
  run.merit = result.merit;
  status = result.status;
  path.push_back({accelerated ? "GS-AA" : "GS", result.iterations, result.merit});
}

// The report's method, with reactions scaled to velocities, and the shift that the report found to
// suit rigid bodies.
void Automatic::quasi_newton(Run& run) {
  NewtonSettings& newton = quasi_newton_.settings;
  newton.merit_value = settings.merit_value;
  newton.max_iterations = std::min(kMostQuasiSteps, settings.max_iterations - iterations);
  newton.delta = 0.01;
  newton.delta_unit = DeltaUnit::average;
  newton.omega = 1e-3 * run.goal.value();
  newton.scaled = true;
  newton.falls_back = newton.least_norm = false;
  quasi_newton_.target.reset();
  if (target) quasi_newton_.target = {target->error, run.goal.time_left()};
  std::vector<double> measures;
  quasi_newton_.gives_up = [&](double measure) {
    measures.push_back(measure);
    const std::size_t k = measures.size();
    return k > kQuasiPatience && !(measure < 0.5 * measures[k - 1 - kQuasiPatience]);
  };
  const SolveResult result = quasi_newton_.solve(run.problem, run.solution, run.communicator);
  quasi_newton_.gives_up = nullptr;
  iterations += quasi_newton_.iterations;
  newton_steps += quasi_newton_.iterations;
  run.merit = result.merit;
  status = result.status;
  path.push_back({"PQN", quasi_newton_.iterations, result.merit});
}

double Automatic::sweeps_of_proximal_step(Run& run) {
  const LocalDynamics& p = run.problem;
  double sizes[] = {p.W.product_operations() + kRowOperations * p.rows(), p.W.block_operations()};
  run.communicator.max_all(sizes);
  const double sweep = std::max(sizes[0], 1.0), blocks = sizes[1];
  if (blocks > kMostStepCost * sweep) return blocks / sweep;  // too expensive without its factors
  return (blocks + proximal_newton_.step_operations(run.problem, run.solution, run.channel,
                                                    run.communicator)) /
         sweep;
}

// False when its steps are too expensive.
bool Automatic::proximal_newton(Run& run) {
  const double cost = sweeps_of_proximal_step(run);
  if (cost > kMostStepCost || (run.slow && kProximalSteps * cost > run.remaining)) return false;
  const int most = std::min(kMostProximalSteps, settings.max_iterations - iterations);
  const ProximalNewton::Outcome outcome = proximal_newton_.solve(
      run.problem, run.solution, run.goal, run.channel, run.communicator, most);
  iterations += outcome.steps;
  newton_steps += outcome.steps;
  run.merit = outcome.figure;
  path.push_back({"PROXIMAL", outcome.steps, outcome.figure});
  status = outcome.figure <= run.goal.value() ? SolveStatus::ok : SolveStatus::diverged;
  return true;
}

// After a method: keeps the best R, which the next one begins with.
bool Automatic::ends(Run& run) {
  LocalSolution& s = run.solution;
  if (status == SolveStatus::ok && !target) return true;
  run.merit = path.back().figure = run.goal.measure(run.problem, s, run.channel);
  // Sweeps that were ended may have reached a target without knowing.
  if (run.merit <= run.goal.value()) status = SolveStatus::ok;
  if (status == SolveStatus::ok) return true;
  if (run.merit < run.best.figure)
    run.best = {run.merit, s.R};
  else
    take(run, run.best);
  return status == SolveStatus::out_of_time || iterations >= settings.max_iterations;
}

void Automatic::take(Run& run, const Best& best) {
  run.solution.R = best.R;
  run.merit = run.goal.measure(run.problem, run.solution, run.channel);
}

void Automatic::iterate(Run& run) {
  sweep_first(run);
  if (ends(run)) return;
  const Best accelerated =
      std::exchange(run.best, {std::numeric_limits<double>::infinity(), run.start});
  run.solution.R = run.start;
  take_turns(run);
  if (status != SolveStatus::ok && accelerated.figure < run.best.figure) take(run, accelerated);
}

void Automatic::take_turns(Run& run) {
  int patience = kFirstPatience;
  while (true) {
    const double before = run.best.figure;
    sweep_in_turn(run, patience);
    const SolveStatus of_sweeps = status;
    if (ends(run)) return;
    quasi_newton(run);
    if (ends(run)) return;
    if (proximal_newton(run) && ends(run)) return;
    status = of_sweeps;
    if (!run.slow) return;  // sweeps have stopped because they change nothing
    if (patience == kMostPatience && !(run.best.figure < kGain * before)) {
      status = SolveStatus::diverged;  // and so would all rounds to come
      return;
    }
    patience = std::min(4 * patience, kMostPatience);
  }
}

// In quasi-static steps bodies start from rest, and their free flight has nothing to do with how
// far they go: supports that miss by little of that may bend a stiff body by much. There Newton
// steps go on until they no longer change the reactions. Rigid bodies are not bent.
void Automatic::balance(Run& run) {
  const LocalDynamics& p = run.problem;
  bool bends = false;
  for (int row = 0; row < p.rows() && !bends; row++)
    for (int side : {0, 1}) bends = bends || (is_quasi_static(p) && p.W.end(row, side).size > 6);
  if (!run.communicator.any(bends) || sweeps_of_proximal_step(run) > kMostStepCost) return;
  const ProximalNewton::Outcome outcome =
      proximal_newton_.balance(run.problem, run.solution, run.goal, run.channel, run.communicator);
  iterations += outcome.steps;
  newton_steps += outcome.steps;
  run.merit = outcome.figure;
  path.push_back({"BALANCE", outcome.steps, outcome.figure});
}

void Automatic::write_settings(ArchiveWriter& archive) const {
  archive(settings.merit_value, settings.max_iterations, settings.failure);
}

SolveResult Automatic::solve(const LocalDynamics& p, LocalSolution& s,
                             const Communicator& communicator) {
  Run run{p,
          s,
          communicator,
          Channel(communicator),
          Goal(settings.merit_value, target, p, communicator),
          s.R};
  run.best.R = s.R;
  iterations = newton_steps = 0;
  path.clear();
  iterate(run);
  if (!target && status == SolveStatus::ok) balance(run);
  if (!target)
    run.merit = joint_reactions_.take_least_norm(
        p, s, {run.start, run.merit, settings.merit_value, run.goal.scale()}, run.channel,
        communicator);
  record.add(iterations);
  SolveResult result{status, iterations, target ? merit(p, s, communicator) : run.merit};
  result.rank_work = run.work;
  return result;
}

}  // namespace solfec
