#include "solver/automatic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace solfec {
namespace {

constexpr int kFirstPatience = 20, kMostPatience = 10000;
// Half of what a problem takes: forecasts see half of the sweeps.
constexpr double kNewtonSteps = 6;
constexpr int kMostNewtonSteps = 100;  // until sweeps go on
// Sweeps that a Newton step costs: at the least, as long as nobody has counted, and at the most.
constexpr double kCheapest = 20, kDearest = 1000;
constexpr double kRowOperations = 100;  // of a sweep, beside products with W

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

bool Automatic::newton_pays(const Run& run, double newton_sweeps) {
  return newton_sweeps <= kDearest && run.remaining > kNewtonSteps * newton_sweeps;
}

// Sweeps that cost as much as a Newton step.
double Automatic::newton_sweeps(Run& run) {
  const LocalDynamics& p = run.problem;
  const double sweep = p.W.product_operations() + kRowOperations * p.rows();
  const double step = newton_.step_operations(run.problem, run.channel, run.communicator);
  return std::max(step / std::max(run.communicator.max(sweep), 1.0), kCheapest);
}

// Until the goal, the bound on iterations, or the forecast that Newton's method takes less work.
SolveStatus Automatic::sweep(Run& run) {
  GaussSeidelSettings& gs = sweeps_.settings;
  gs.epsilon = 1;  // the merit decides
  gs.max_iterations = settings.max_iterations - iterations;
  gs.merit_value = settings.merit_value;
  gs.diagonal_epsilon = target ? 1e-14 : 1e-9;
  sweeps_.target.reset();
  if (target) sweeps_.target = {target->error, run.goal.time_left()};
  Forecast forecast(run.goal.value());
  int ask_at = run.patience;
  run.slow = false;
  sweeps_.gives_up = [&](double met) {
    forecast.add(met);
    if (forecast.sweeps() < ask_at) return false;
    ask_at *= 2;
    run.remaining = forecast.remaining();
    run.slow = newton_pays(run, run.newton_sweeps > 0 ? run.newton_sweeps : kCheapest);
    return run.slow;
  };
  const SolveResult result = sweeps_.solve(run.problem, run.communicator);
  sweeps_.gives_up = nullptr;
  iterations += result.iterations;
  run.work = result.rank_work;
  return result.status;
}

// Until status is ok, or nothing helps; then the best R is left.
void Automatic::iterate(Run& run) {
  LocalDynamics& p = run.problem;
  double best = std::numeric_limits<double>::infinity();
  RowVector best_R = p.R;
  const auto improve = [&](double figure) {
    if (!(figure < best)) return;
    best = figure;
    best_R = p.R;
  };
  while (true) {
    status = sweep(run);
    if (status == SolveStatus::ok) return;
    improve(run.goal.measure(p, run.channel));
    if (status == SolveStatus::out_of_time || iterations >= settings.max_iterations) break;
    if (run.newton_sweeps == 0) run.newton_sweeps = newton_sweeps(run);
    if (run.slow && !newton_pays(run, run.newton_sweeps)) continue;
    const int most = std::min(kMostNewtonSteps, settings.max_iterations - iterations);
    const ProximalNewton::Outcome outcome =
        newton_.solve(p, run.goal, run.channel, run.communicator, most);
    iterations += outcome.steps;
    newton_steps += outcome.steps;
    improve(outcome.figure);
    if (outcome.figure <= run.goal.value()) {
      status = SolveStatus::ok;
      return;
    }
    if (!run.slow) break;  // nor do sweeps change anything
    run.patience = std::min(4 * run.patience, kMostPatience);
  }
  p.R = best_R;
  run.goal.measure(p, run.channel);
}

SolveResult Automatic::solve(LocalDynamics& p, const Communicator& communicator) {
  Run run{p, communicator, Channel(communicator),
          Goal(settings.merit_value, target, p, communicator), kFirstPatience};
  iterations = newton_steps = 0;
  iterate(run);
  if (recording) iteration_record->push_back(iterations);
  SolveResult result{status, iterations, merit(p, communicator)};
  result.rank_work = run.work;
  return result;
}

}  // namespace solfec
