#include "simulation/progress.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <numeric>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/terminal.hpp"
#include "output/output_file.hpp"
#include "simulation/contradiction.hpp"

namespace solfec {
namespace {

constexpr double kTerminalInterval = 0.25, kLogInterval = 10;  // [s]

// Above, the end is not known: [s], 30 years.
constexpr double kLongest = 1e9;

std::string clock_text(double seconds) {
  if (!(seconds < kLongest)) return "-";
  const long s = std::lround(seconds);
  return s >= 86400
             ? fmt::format("{}d {:02}:{:02}:{:02}", s / 86400, s / 3600 % 24, s / 60 % 60, s % 60)
             : fmt::format("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

struct BodyCounts {
  std::array<std::int64_t, kBodyKinds> of{};  // by kind
  std::int64_t dofs = 0;                      // of those that move
};

// Of all ranks; obstacles are on each of them.
BodyCounts count_bodies(const Domain& d) {
  const BodyStore& bodies = d.bodies;
  BodyCounts n;
  std::array<double, kBodyKinds + 1> sums{};
  for (int i = 0; i < bodies.owned(); i++) {
    const auto kind = static_cast<std::size_t>(bodies.kind(i));
    if (is_obstacle(bodies.kind(i))) {
      n.of[kind]++;
    } else {
      sums[kind]++;
      sums.back() += bodies.dofs(i);
    }
  }
  d.communicator.sum_all(sums);
  for (std::size_t kind = 0; kind < kBodyKinds; kind++)
    n.of[kind] += static_cast<std::int64_t>(sums[kind]);
  n.dofs = static_cast<std::int64_t>(sums.back());
  return n;
}

// "1 obstacles, 3 rigid, 0 pseudo-rigid, 0 finite-element"
std::string listed(const BodyCounts& n) {
  std::vector<std::string> parts;
  for (std::size_t kind = 0; kind < kBodyKinds; kind++)
    parts.push_back(fmt::format("{} {}", n.of[kind], traits_of(static_cast<BodyKind>(kind)).name));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// Bodies, boxes, constraints and contact points dropped, on this rank.
constexpr const char* kCountNames[] = {"BODIES", "BOXES", "CONSTRAINTS", "SPARSIFIED"};

std::array<std::int64_t, 4> counts(const Simulation& s) {
  const Domain& d = s.domain;
  return {owned_bodies(s), d.pieces.count(), d.constraints.count(), d.sparsified};
}

// In percents of the time of this rank.
std::array<double, kPhases> shares(const PhaseTimes& timing) {
  std::array<double, kPhases> result = timing.seconds();
  const double total = std::accumulate(result.begin(), result.end(), 0.0);
  for (double& share : result) share = total > 0 ? 100 * share / total : 0;
  return result;
}

std::string figures(const Simulation& s, const PhaseTimes& timing) {
  std::string text;
  const auto count = counts(s);
  for (std::size_t k = 0; k < count.size(); k++)
    text += fmt::format("{}: {}\n", kCountNames[k], count[k]);
  const auto share = shares(timing);
  for (std::size_t k = 0; k < kPhases; k++)
    text += fmt::format("{}{}: {:.0f}%", k ? ", " : "", kPhaseNames[k], share[k]);
  return text + "\n";
}

std::string figures_of_ranks(const Simulation& s, const PhaseTimes& timing) {
  std::vector<double> least, most, sum;
  for (std::int64_t count : counts(s)) sum.push_back(static_cast<double>(count));
  const std::size_t counted = sum.size();
  for (double share : shares(timing)) sum.push_back(share);
  least = most = sum;
  s.communicator.sum_all(sum);
  s.communicator.min_all(least);
  s.communicator.max_all(most);
  const double ranks = s.communicator.size();
  std::string text;
  for (std::size_t k = 0; k < counted; k++)
    text += fmt::format("{}: SUM {:.0f}, MIN {:.0f}, AVG {:.1f}, MAX {:.0f}\n", kCountNames[k],
                        sum[k], least[k], sum[k] / ranks, most[k]);
  for (std::size_t k = counted; k < sum.size(); k++)
    text += fmt::format("{}: MIN {:.0f}%, AVG {:.0f}%, MAX {:.0f}%\n", kPhaseNames[k - counted],
                        least[k], sum[k] / ranks, most[k]);
  return text;
}

}  // namespace

Progress::Progress(const Simulation& s, double end)
    : start_time_(s.clock.time),
      end_time_(end),
      time_rate_(s.clock.time),
      step_rate_(0),
      start_steps_(s.clock.steps),
      start_(Clock::now()),
      columns_(log::columns()) {
  const bool terminal = columns_ > 0;
  interval_ = terminal ? kTerminalInterval : kLogInterval;
  next_report_ = start_ + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(terminal ? 0.0 : 1.0));
  if (s.settings.verbosity == Verbosity::on) {
    const BodyCounts n = count_bodies(s.domain);
    log::info(fmt::format(
        "{}: {} bodies ({}), {} degrees of freedom; time {:g} to {:g} s, step {:g} s",
        s.results.title, body_count(s), listed(n), n.dofs, s.clock.time, end, s.settings.step));
  }
}

double Progress::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

double Progress::seconds_left(double time) const {
  return std::max(0.0, end_time_ - time) / time_rate_.per_second();
}

std::string Progress::line(const Simulation& s) const {
  const double percent = 100 * (s.clock.time - start_time_) / (end_time_ - start_time_);
  const std::string done = fmt::format("{:3.0f}%", std::min(percent, 100.0));
  const std::string left = "left " + clock_text(seconds_left(s.clock.time));
  if (s.settings.verbosity == Verbosity::percent) return done + " | " + left;
  const std::vector<std::string> parts = {done,
                                          fmt::format("time {:.4g} s", s.clock.time),
                                          fmt::format("step {:.3g}", s.last.h),
                                          fmt::format("contacts {}", constraint_count(s)),
                                          fmt::format("iterations {}", s.last.solution.iterations),
                                          fmt::format("merit {:.1e}", s.last.solution.merit),
                                          fmt::format("{:.3g} steps/s", step_rate_.per_second()),
                                          left};
  // The cursor stands in the last column.
  return line_that_fits(parts, {0, 2, 7, 4, 6, 3, 5, 1}, columns_ > 0 ? columns_ - 1 : kAnyColumns);
}

void Progress::report(const Simulation& s, bool last) {
  const double now = elapsed();
  time_rate_.look(now, s.clock.time);
  step_rate_.look(now, static_cast<double>(s.clock.steps - start_steps_));
  const std::string text = state_text(s, timing_, seconds_left(s.clock.time));
  if (s.communicator.rank() > 0) return;
  try {
    publish_file((std::filesystem::path(s.results.directory) / "STATE").string(),
                 std::as_bytes(std::span(text)));
  } catch (const RunError&) {  // of use while it lasts; results say what is wrong with the disk
  }
  if (s.settings.verbosity == Verbosity::off) return;
  if (columns_ == 0) {
    log::info(line(s));
    return;
  }
  // Spaces wipe out a longer text before, also where nobody knows the codes of terminals.
  const std::string text_now = line(s);
  log::part_of_line(fmt::format("\r{:<{}}{}", text_now, shown_, last ? "\n" : ""));
  shown_ = text_now.size();
}

bool Progress::is_due(const Communicator& communicator) const {
  return communicator.rank() == 0 && Clock::now() >= next_report_;
}

// Of those at the start and the first ones that come later.
void Progress::tell_of_placement(Simulation& s) const {
  const char* kind = s.clock.steps == 1 ? "placed at the start" : "placed later";
  if (s.script.next_body == s.last.first_new.value || s.script.warned.contains(kind)) return;
  const std::string placed = watch_.placement(s.communicator);
  if (placed.empty()) return;
  s.script.warned.insert(kind);
  log::warning(s.results.title + ": " + placed);
}

void Progress::update(Simulation& s, bool due) {
  watch_.look(s.domain, s.clock.time - s.last.h, s.last.h, s.last.first_new);
  tell_of_placement(s);
  for (std::size_t k = 0; k < kPhases; k++) timing_.seconds()[k] += s.last.timing.seconds()[k];
  if (s.last.solution.status == SolveStatus::ok) {
    // Springs are solved by their own rule, and no merit lets anything pass.
    if (s.last.solver != SolverKind::penalty)
      watch_.look_at_miss(
          s.domain, largest_miss(s.domain.local_dynamics, s.domain.local_solution, s.communicator),
          s.clock.time);
  } else {
    failed_steps_++;
    largest_merit_ = std::max(largest_merit_, s.last.solution.merit);
  }
  if (!due) return;
  next_report_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                    std::chrono::duration<double>(interval_));
  report(s, false);
}

void Progress::finish(const Simulation& s, const std::string& reason) {
  report(s, true);
  watch_.look_at_shapes(s.domain);
  const StepWatch::Report steps = watch_.report(s.communicator);
  for (const std::string& warning : steps.warnings) log::warning(s.results.title + ": " + warning);
  if (s.settings.verbosity != Verbosity::on) return;
  std::string text = fmt::format("{} steps in {:.3g} s", s.clock.steps - start_steps_, elapsed());
  if (failed_steps_ > 0)
    text += fmt::format("; {} have not converged, largest merit {:.1e}: {}", failed_steps_,
                        largest_merit_, failure_advice(s));
  for (const std::string& part : {reason, steps.overlap})
    if (!part.empty()) text += "; " + part;
  log::info(text);
}

std::string line_that_fits(const std::vector<std::string>& parts, const std::vector<int>& ranks,
                           int columns) {
  for (int most = static_cast<int>(parts.size());; most--) {
    std::string line = parts[0];
    for (std::size_t k = 1; k < parts.size(); k++)
      if (ranks[k] < most) line += " | " + parts[k];
    if (most <= 1 || static_cast<int>(line.size()) <= columns) return line;
  }
}

std::string state_text(const Simulation& s, const PhaseTimes& timing, double seconds_left) {
  const std::time_t now = std::time(nullptr);
  std::string text = fmt::format("{:%Y-%m-%d %H:%M:%S}\n", fmt::localtime(now));
  if (seconds_left < kLongest) {
    const long left = std::lround(seconds_left);
    text += fmt::format("Estimated end in {} days, {} hours, {} minutes and {} seconds\n",
                        left / 86400, left / 3600 % 24, left / 60 % 60, left % 60);
  }
  text += fmt::format("TIME: {:g}\n", s.clock.time);
  return text + (s.communicator.size() == 1 ? figures(s, timing) : figures_of_ranks(s, timing));
}

}  // namespace solfec
