#include "solver/automatic.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "local_dynamics/largest_miss.hpp"
#include "solver/cone_inequality.hpp"

namespace solfec {
namespace {

constexpr int kMemory = 5;  // of accelerated sweeps
// With ten of them the reactions of contacts that last stay where they are, which with none drift
// until rows of bodies that friction holds fall. Each is for so many iterations that are allowed.
constexpr int kSweepsBeyond = 10, kLeastOfBeyond = 50;
// Sweeps of a first turn, for each tenth of the figure that is to come off, and bounds of that; in
// each round more. Of few iterations that are allowed, they take kFirstShare at first.
constexpr double kSweepsOfDecade = 75, kFirstShare = 0.3;
constexpr int kLeastPatience = 60, kFirstPatience = 300, kMostPatience = 10000;
constexpr int kMorePatience = 3;
// Sweeps go on while those to come are so many times those of the turn; how often it is asked.
constexpr double kShortRest = 0.3;
constexpr int kAskAgain = 20;
// Of the next turn: sweeps sit it out while those to come are so many times those it gives.
constexpr double kLongRest = 0.5;
// Work: of a sweep, beside products with W; of a product, and of a quasi-Newton step beside its
// products, in sweeps.
constexpr double kRowOperations = 400, kProductWork = 0.6, kNewtonStepWork = 2;
// Of the quasi-Newton method, found on the problems of tests/benchmark/problem_library.py.
constexpr double kReactionScale = 10, kNewtonShift = 0.005, kNewtonSmoothing = 1e-12;
// Turns that end without the goal want a larger shift: steps gain less, and miss less.
constexpr double kShiftGrowth = 2, kMostShift = 4 * kNewtonShift;
// Before interior points that take so much work it is tried whether such steps get there with less:
// they go on for that many, and while those to come are forecast to take so much of the work.
constexpr double kLeastRival = 500, kTrialShare = 0.6;
constexpr int kTrialSteps = 20, kAskTrial = 4;
// Projected gradients are tried where sweeps have led to so many times the goal: farther away they
// would take too long, and nearer sweeps get there. Work of an iteration, in sweeps.
constexpr double kNearestTrial = 10, kFarthestTrial = 1000, kGradientWork = 1.2;
constexpr int kGradientSteps = 80, kAskGradient = 20;
// Proximal steps: what a problem takes, what one may cost, in sweeps, and how many there may be.
constexpr double kProximalSteps = 5, kMostStepCost = 1000;
constexpr int kMostProximalSteps = 1000;
constexpr double kMostOfSpent = 16;  // work of a turn of theirs, times that so far
// Interior points: what a problem takes, what it may cost in sweeps to have its turn right after
// the first sweeps, and how many Newton steps may follow, times its own.
constexpr double kInteriorSteps = 15, kMostInteriorWork = 1500, kMostInteriorEnd = 2;
constexpr double kMostInteriorStep = 2;  // before proximal steps: times what one of these may cost
// Where a start has led to so many times the goal or less, interior points would begin farther from
// it, and proximal steps that have not reached it by so many seldom do. Where these are dear, of so
// many sweeps, cheaper ones go on.
constexpr double kNearGoal = 10, kDearStep = 100;
constexpr int kStepsNearGoal = 40;
// First sweeps go on while those to come are so many times the work of the next method, which is
// this where that of interior points is not known, and as long as they have not done as much, or,
// with so many rows or more, where Newton's method needs many steps, twice as much; nor more than
// so much of the iterations that are allowed, and where the goal is near kShortRest more.
constexpr double kWorkShare = 0.8, kNewtonWork = 300, kMostFirstShare = 0.5;
constexpr double kManyRows = 1000;
// Quasi-static steps go on to so much of the merit, by so many Newton steps at most.
constexpr double kRefinement = 1e-10;
constexpr int kMostRefinement = 20;
// Contacts may miss their laws by so much of the tolerance of gaps in a step, which Newton steps
// see to, so many at most, where one takes no more work than all so far, or than so many sweeps;
// they go on to so much of the square that is wanted, and no further than to so much of the merit.
constexpr double kGapShare = 0.2, kLeastTightening = 50, kTightness = 0.3, kMostTightness = 1e-6;
constexpr int kTighteningSteps = 3;
constexpr double kGain = 0.9;  // of the best figure: less is no gain

// Of quasi-Newton steps in a turn of that number, from 1.
double newton_shift(int turn) {
  return std::min(kNewtonShift * std::pow(kShiftGrowth, std::max(turn - 2, 0)), kMostShift);
}

// Gaps are those at the start of such a step, not in its middle.
bool is_quasi_static(const LocalDynamics& p) {
  return !p.law.empty() && p.law.front().remaining > 0.75 * p.step();
}

// How many iterations are still to come, by how much the second half of those that were has done.
class Forecast {
 public:
  explicit Forecast(double goal) : goal_(goal) {}

  void add(double figure) {
    best_.push_back(best_.empty() ? figure : std::min(best_.back(), figure));
  }
  int done() const { return static_cast<int>(best_.size()); }
  double remaining() const {
    const std::size_t half = best_.size() / 2;
    const double fall =
        std::log(best_[half] / best_.back()) / static_cast<double>(best_.size() - half);
    return fall > 0 ? std::log(best_.back() / goal_) / fall
                    : std::numeric_limits<double>::infinity();
  }

 private:
  double goal_;
  std::vector<double> best_;  // smallest figures so far
};

// Whether a method that is tried should go on, after so much work and with so much to come, before
// another one that takes so much.
bool trial_pays(double work, double rest, double rival) {
  return rest <= kTrialShare * rival && rest <= std::max(rival - work, kTrialShare * work);
}

}  // namespace

std::optional<ErrorTarget> Automatic::target_left(const Run& run) const {
  if (!target) return {};
  return ErrorTarget{target->error, run.goal.time_left()};
}

void Automatic::add_stage(Run& run, const SolveStage& stage) {
  iterations += stage.iterations;
  run.merit = stage.figure;
  path_.push_back(stage);
}

void Automatic::add_newton_stage(Run& run, const SolveStage& stage) {
  newton_steps += stage.iterations;
  add_stage(run, stage);
}

// Sweeps of the first turn, where the figure is so many times the goal's.
int Automatic::first_patience(double ratio) const {
  const double sweeps = std::clamp<double>(kSweepsOfDecade * std::log10(std::max(1.0, ratio)),
                                           kLeastPatience, kFirstPatience);
  return std::max(static_cast<int>(std::min(sweeps, kFirstShare * settings.max_iterations)), 1);
}

// True, and notes it, where interior points may follow the first sweeps.
bool Automatic::see_interior_work(Run& run) {
  const double work =
      kInteriorSteps * sweeps_of_interior_step(run, kMostInteriorWork / kInteriorSteps);
  const bool may_follow = work <= kMostInteriorWork;
  if (may_follow) run.interior_work = work;
  return may_follow;
}

// Whether sweeps should go on after so many in their turn, with those that are forecast.
bool Automatic::sweeps_pay(const Run& run, int sweeps) const {
  const bool is_first = path_.empty();
  const double most = kMostFirstShare * settings.max_iterations;
  if (is_first && sweeps >= (1 + kShortRest) * most) return false;
  if (run.sweeps_left <= kShortRest * sweeps) return true;
  const double next = run.interior_work > 0 ? run.interior_work : kNewtonWork;
  return is_first && run.sweeps_left <= kWorkShare * next &&
         sweeps < (run.has_many_rows ? 2 : 1) * next && sweeps < most;
}

// Until the goal, the bound on iterations, or a forecast of many sweeps.
void Automatic::sweep(Run& run) {
  run.solution.R = run.sweeps_R;
  sweeps_.settings =
      GaussSeidelSettings::by_merit(settings.merit_value, settings.max_iterations - iterations);
  sweeps_.settings.memory = kMemory;
  sweeps_.settings.beyond = std::min(kSweepsBeyond, settings.max_iterations / kLeastOfBeyond);
  sweeps_.target = target_left(run);
  Forecast forecast(run.goal.value());
  const bool is_first = path_.empty();
  int least = run.patience;  // before it is asked
  run.swept_out = true;
  sweeps_.gives_up = [&](double figure) {
    forecast.add(figure);
    const int sweeps = forecast.done();
    if (is_first && sweeps == 1) least = run.patience = first_patience(figure / run.goal.value());
    if (is_first && run.is_cold && sweeps == std::min(kLeastPatience, run.patience) &&
        see_interior_work(run))
      least = sweeps;
    if (sweeps < least || (sweeps - least) % kAskAgain != 0) return false;
    run.sweeps_left = forecast.remaining();
    run.swept_out = sweeps_pay(run, sweeps);
    return !run.swept_out;
  };
  const SolveResult result = sweeps_.solve(run.problem, run.solution, run.communicator);
  sweeps_.gives_up = nullptr;
  run.sweeps_R = run.solution.R;
  run.spent += result.iterations;
  run.work = result.rank_work;
  status = result.status;
  add_stage(run, {"GS-AA", result.iterations, result.merit});
}

// The report's method, with reactions scaled to velocities, half of the shift that the report found
// to suit rigid bodies, and linear steps preconditioned by sweeps, which allow that. It begins at
// the best R so far, and may take half of the iterations that are left, or all where sweeps would
// not get there with them.
void Automatic::quasi_newton(Run& run, bool is_trial) {
  if (run.newton_turns++ == 0) run.newton_R = run.best_R;
  run.solution.R = run.newton_R;
  NewtonSettings& newton = quasi_newton_.settings;
  newton.merit_value = settings.merit_value;
  const int left = settings.max_iterations - iterations;
  newton.max_iterations = run.sweeps_left > left ? left : left - left / 2;
  newton.delta = newton_shift(run.newton_turns);
  newton.swept = true;
  newton.delta_unit = DeltaUnit::average;
  newton.omega = kNewtonSmoothing;
  newton.reaction_scale = kReactionScale;
  newton.falls_back = newton.least_norm = false;
  quasi_newton_.target = target_left(run);
  LastHalved halved;
  Forecast forecast(run.goal.value());
  int steps = 0;
  quasi_newton_.gives_up = [&](double figure) {
    halved.see(figure, ++steps);
    forecast.add(figure);
    if (is_trial) {
      if (steps < kTrialSteps || (steps - kTrialSteps) % kAskTrial != 0) return false;
      const double work = newton_work();
      return !trial_pays(work, forecast.remaining() * work / steps, run.interior_work);
    }
    return steps - halved.step >= run.patience;
  };
  const SolveResult result = quasi_newton_.solve(run.problem, run.solution, run.communicator);
  quasi_newton_.gives_up = nullptr;
  run.newton_R = run.solution.R;
  run.spent += newton_work();
  status = result.status;
  add_newton_stage(run, {"PQN", quasi_newton_.iterations, result.merit});
}

// After the first sweeps.
bool Automatic::gradients_may_do(const Run& run) const {
  const double distance = run.best / run.goal.value();
  return run.is_cold && path_.size() == 1 && distance > kNearestTrial &&
         distance < kFarthestTrial && !run.communicator.any(!is_cone_inequality(run.problem));
}

// From R = 0: where bodies are stacked high, reactions that sweeps have made keep them from it.
void Automatic::try_gradients(Run& run) {
  run.solution.R = run.start;
  const double rival = run.interior_work > 0 ? run.interior_work : kNewtonWork;
  Forecast forecast(run.goal.value());
  const auto gives_up = [&](double figure) {
    forecast.add(figure);
    const int steps = forecast.done();
    return steps >= kGradientSteps && (steps - kGradientSteps) % kAskGradient == 0 &&
           !trial_pays(kGradientWork * steps, kGradientWork * forecast.remaining(), rival);
  };
  const IterationOutcome outcome = solve_by_barzilai_borwein(
      {run.problem, run.solution, run.goal, run.channel, run.communicator, gives_up},
      settings.max_iterations - iterations);
  run.spent += kGradientWork * outcome.iterations;
  status = outcome.status;
  add_stage(run, {"BB", outcome.iterations, outcome.figure});
}

// Leaves nothing but its best R.
void Automatic::try_quasi_newton(Run& run) {
  quasi_newton(run, true);
  run.newton_turns = 0;
  run.newton_R = run.start;
}

// Of the last quasi-Newton steps.
double Automatic::newton_work() const {
  double work = 0;
  for (const int products : quasi_newton_.product_history)
    work += kNewtonStepWork + kProductWork * products;
  return work;
}

// What a step costs, in sweeps; less than that where it is more than `most`: without its factors,
// which take so many operations.
template <class Operations>
double Automatic::sweeps_of_step(Run& run, double most, Operations&& operations) {
  const LocalDynamics& p = run.problem;
  double sizes[] = {p.W.product_operations() + kRowOperations * p.rows() / p.W.batch_gain(),
                    RowFactor::block_operations(p.W)};
  run.communicator.max_all(sizes);
  const double sweep = run.sweep_operations = std::max(sizes[0], 1.0), blocks = sizes[1];
  if (blocks > most * sweep) return blocks / sweep;
  return (blocks + operations()) / sweep;
}

double Automatic::sweeps_of_interior_step(Run& run, double most) {
  return sweeps_of_step(
      run, most, [&] { return interior_point_.step_operations(run.problem, run.communicator); });
}

double Automatic::sweeps_of_proximal_step(Run& run, double most) {
  return sweeps_of_step(run, most, [&] {
    return proximal_newton_.step_operations(run.problem, run.solution, run.channel,
                                            run.communicator);
  });
}

// False when a problem takes more work than is given. Interior points are tried before, if they
// were not: at once where there is no R to start from, else when it has failed once. From R near a
// solution that it can't reach it fails again and again: every second turn begins at the start.
bool Automatic::proximal_newton(Run& run, double most_work) {
  const double most_cost = std::min(kMostStepCost, most_work / kProximalSteps);
  run.solution.R = run.best_R;  // contacts that press make a step dear: nearly all press there
  const double cost = sweeps_of_proximal_step(run, most_cost);
  if (cost > most_cost) return false;
  const bool is_near = !run.is_cold && cost > kDearStep && run.best < kNearGoal * run.goal.value();
  if (is_near && run.proximal_turns > 0) return false;
  if ((run.is_cold || run.proximal_turns > 0) && !run.has_interior && !is_near) {
    const double most_step = kMostInteriorStep * most_cost;
    const double step = sweeps_of_interior_step(run, most_step);
    if (step <= most_step) {
      run.has_interior = true;
      interior_point(run, step);
      if (ends(run)) return true;
    }
  }
  const bool from_start =
      !run.start_stalls && (run.newton_turns == 0 || run.proximal_turns % 2 == 1);
  run.proximal_turns++;
  run.solution.R = from_start ? run.start : run.newton_R;
  const double turn = std::max(kMostOfSpent * run.spent, kProximalSteps * cost);
  const int most =
      std::min(is_near ? kStepsNearGoal : kMostProximalSteps, settings.max_iterations - iterations);
  const ProximalNewton::Outcome outcome =
      proximal_newton_.solve(run.problem, run.solution, run.goal, run.channel, run.communicator,
                             {most, turn * run.sweep_operations});
  run.spent += outcome.operations / run.sweep_operations;
  if (from_start) run.start_stalls = outcome.stalled;
  add_newton_stage(run, {"PROXIMAL", outcome.steps, outcome.figure});
  status = outcome.figure <= run.goal.value() ? SolveStatus::ok : SolveStatus::diverged;
  return true;
}

// From a start of its own; once, since it would do the same again.
void Automatic::interior_point(Run& run, double cost) {
  run.solution.R = run.best_R;
  const IterationOutcome outcome =
      interior_point_.solve({run.problem, run.solution, run.goal, run.channel, run.communicator},
                            settings.max_iterations - iterations, kMostInteriorEnd);
  run.spent += cost * outcome.iterations;
  add_newton_stage(run, {"IPM", outcome.iterations, outcome.figure});
  status = outcome.status;
}

// Where no R meets the laws some methods miss them by as much with R that are larger by orders of
// magnitude, and balance each other but for rounding: these are to miss by less.
void Automatic::keep_if_best(Run& run, double figure) {
  double squares[] = {0, 0};
  for (int row = 0; row < run.problem.rows(); row++) {
    squares[0] += run.solution.R[row].squaredNorm();
    squares[1] += run.best_R[row].squaredNorm();
  }
  run.communicator.sum_all(squares);
  const double growth = squares[1] > 0 ? std::sqrt(squares[0] / squares[1]) : 1;
  if (!(figure * std::sqrt(std::max(1.0, growth)) < run.best)) return;
  run.best = figure;
  run.best_R = run.solution.R;
}

// Once sweeps have not solved it: a combination that misses may be their last, by far with much
// friction.
void Automatic::judge_start(Run& run) {
  run.solution.R = run.start;
  const double figure = run.goal.measure(run.problem, run.solution, run.channel);
  keep_if_best(run, figure);
  if (!(run.merit <= figure)) run.sweeps_R = run.start;
}

// After a method: keeps the best R, that of the start among them, which is what a solve leaves.
bool Automatic::ends(Run& run) {
  LocalSolution& s = run.solution;
  if (status == SolveStatus::ok && !target) return true;
  run.merit = path_.back().figure = run.goal.measure(run.problem, s, run.channel);
  // Sweeps that were ended may have reached a target without knowing.
  if (run.merit <= run.goal.value()) status = SolveStatus::ok;
  if (status == SolveStatus::ok) return true;
  keep_if_best(run, run.merit);
  if (path_.size() == 1) judge_start(run);
  return status == SolveStatus::out_of_time || iterations >= settings.max_iterations;
}

void Automatic::iterate(Run& run) {
  take_turns(run);
  if (status == SolveStatus::ok) return;
  // What is worse than no reactions at all is none.
  std::ranges::fill(run.solution.R, Vec3(Vec3::Zero()));
  keep_if_best(run, run.goal.measure(run.problem, run.solution, run.channel));
  run.solution.R = run.best_R;
  run.merit = run.goal.measure(run.problem, run.solution, run.channel);
}

void Automatic::take_turns(Run& run) {
  while (true) {
    const double before = run.best;
    const bool is_last = run.patience == kMostPatience;
    if (!run.swept_out && (is_last || run.sweeps_left <= kLongRest * run.patience)) {
      sweep(run);
      if (ends(run)) return;
    }
    if (gradients_may_do(run)) {
      try_gradients(run);
      if (ends(run)) return;
    }
    if (run.interior_work > 0 && !run.has_interior) {
      if (run.interior_work > kLeastRival) {
        try_quasi_newton(run);
        if (ends(run)) return;
      }
      run.has_interior = true;
      interior_point(run, run.interior_work / kInteriorSteps);
      if (ends(run)) return;
    }
    // Quasi-Newton steps go first where proximal ones take more than a turn of sweeps.
    const bool was_tried = run.newton_turns > 0;
    const bool has_proximal =
        proximal_newton(run, was_tried ? run.spent : std::min<double>(run.spent, run.patience));
    if (has_proximal && ends(run)) return;
    quasi_newton(run);
    if (ends(run)) return;
    const double next = kMorePatience * run.patience;  // sweeps of the next round
    if (!has_proximal && proximal_newton(run, std::max(run.spent, next)) && ends(run)) return;
    if ((is_last || run.swept_out) && !(run.best < kGain * before)) {
      status = SolveStatus::diverged;  // and so would all rounds to come
      return;
    }
    run.patience = std::min(kMorePatience * run.patience, kMostPatience);
  }
}

// In quasi-static steps bodies start from rest, and their free flight has nothing to do with how
// far they go: supports that miss by little of that may bend a stiff body by much, and what opens
// by little in each step falls in the end. There Newton steps go on until they no longer change the
// reactions of bodies that bend; where these are not unique, or bodies rigid, until next to nothing
// of the merit is left.
void Automatic::balance(Run& run) {
  const LocalDynamics& p = run.problem;
  if (iterations >= settings.max_iterations || !run.communicator.any(is_quasi_static(p)) ||
      sweeps_of_proximal_step(run, kMostStepCost) > kMostStepCost)
    return;
  bool bends = false;
  for (int row = 0; row < p.rows() && !bends; row++)
    for (int side : {0, 1}) bends = bends || p.W.end(row, side).size > 6;
  if (run.communicator.any(bends)) {
    const ProximalNewton::Outcome outcome =
        proximal_newton_.balance(run.problem, run.solution, run.goal, run.channel, run.communicator,
                                 settings.max_iterations - iterations);
    add_newton_stage(run, {"BALANCE", outcome.steps, outcome.figure});
  }
  refine(run);
}

void Automatic::refine(Run& run) {
  const Goal goal(kRefinement * settings.merit_value, std::nullopt, run.problem, run.communicator);
  if (!polish(run, goal, kMostRefinement)) return;
  if (run.best > goal.value() && iterations < settings.max_iterations) {
    const IterationOutcome interior =
        interior_point_.solve({run.problem, run.solution, goal, run.channel, run.communicator},
                              settings.max_iterations - iterations, kMostInteriorEnd);
    add_newton_stage(run, {"IPM", interior.iterations, interior.figure});
    keep_if_best(run, interior.figure);
  }
  take_best(run, goal);
}

// The merit is relative to what loads do: where they press by many weights it lets gaps pass that
// are larger than those at which contacts are lost, before the next step would close them.
void Automatic::tighten(Run& run) {
  if (!(gap_tolerance > 0)) return;
  const double most = kGapShare * gap_tolerance / run.problem.step();
  const double miss =
      largest_miss(run.problem, run.solution, run.goal.scale(), run.communicator).miss;
  if (miss <= most) return;
  const double cost = std::max(run.spent, kLeastTightening);
  if (sweeps_of_proximal_step(run, cost) > cost) return;
  const double square = most * most / (miss * miss);
  const Goal goal(std::max(kTightness * square, kMostTightness) * settings.merit_value,
                  std::nullopt, run.problem, run.communicator);
  if (polish(run, goal, kTighteningSteps)) take_best(run, goal);
}

// Newton steps from the R that there is, beyond the merit; false where there is nothing to do.
bool Automatic::polish(Run& run, const Goal& goal, int most) {
  run.best = goal.measure(run.problem, run.solution, run.channel);
  run.best_R = run.solution.R;
  if (run.best <= goal.value() || iterations >= settings.max_iterations) return false;
  const ProximalNewton::Outcome outcome =
      proximal_newton_.solve(run.problem, run.solution, goal, run.channel, run.communicator,
                             {std::min(most, settings.max_iterations - iterations)});
  add_newton_stage(run, {"PROXIMAL", outcome.steps, outcome.figure});
  keep_if_best(run, outcome.figure);
  return true;
}

void Automatic::take_best(Run& run, const Goal& goal) {
  run.solution.R = run.best_R;
  run.merit = path_.back().figure = goal.measure(run.problem, run.solution, run.channel);
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
  run.sweeps_R = run.newton_R = run.best_R = s.R;
  const bool has_start = std::ranges::any_of(s.R, [](const Vec3& R) { return !R.isZero(0); });
  double sums[] = {has_start ? 1.0 : 0.0, static_cast<double>(p.rows())};
  communicator.sum_all(sums);
  run.is_cold = sums[0] == 0;
  run.has_many_rows = sums[1] >= kManyRows;
  iterations = newton_steps = 0;
  path_.clear();
  iterate(run);
  if (!target && status == SolveStatus::ok) {
    balance(run);
    tighten(run);
  }
  if (!target)
    run.merit = joint_reactions_.take_least_norm(
        p, s, {run.start, run.merit, settings.merit_value, run.goal.scale()}, run.channel,
        communicator);
  SolveResult result{status, iterations, target ? merit(p, s, communicator) : run.merit};
  result.rank_work = run.work;
  return result;
}

}  // namespace solfec
