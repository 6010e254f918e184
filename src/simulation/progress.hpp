// What a run tells while it works: a line on a terminal that rewrites itself, now and then a line
// in a log, and the STATE file.
#pragma once

#include <chrono>
#include <string>

#include "simulation/recent_rate.hpp"
#include "simulation/simulation.hpp"
#include "simulation/step_watch.hpp"

namespace solfec {

class Progress {
 public:
  /// The run goes from the present time to `end`.
  Progress(const Simulation& simulation, double end);

  /// Whether it is time to tell; only the first rank thinks so. Not collective.
  bool is_due(const Communicator& communicator) const;
  /// After a step; tells when all ranks are asked to. Collective.
  void update(Simulation& simulation, bool due);
  /// At the end, with the reason when it is not the planned one; tells of steps that have not
  /// converged and of those that were too long, if there were any. Collective.
  void finish(const Simulation& simulation, const std::string& reason);

 private:
  using Clock = std::chrono::steady_clock;
  std::string line(const Simulation& simulation) const;
  void report(const Simulation& simulation, bool last);
  void tell_of_placement(Simulation& simulation) const;
  double elapsed() const;
  double seconds_left(double time) const;

  double start_time_, end_time_;
  RecentRate time_rate_, step_rate_;
  std::int64_t start_steps_;
  Clock::time_point start_, next_report_;
  double interval_;
  int columns_;            // of the terminal; 0 when there is none
  std::size_t shown_ = 0;  // length of the line that is there
  PhaseTimes timing_;      // of the run
  // Steps whose solver has not converged, and the largest merit among them.
  std::int64_t failed_steps_ = 0;
  double largest_merit_ = 0;
  StepWatch watch_;
};

/// Parts of a line with " | " between them, as many as fit into `columns`: the first part, and of
/// the others those of the lowest rank of `ranks` (as many as parts), in their order.
std::string line_that_fits(const std::vector<std::string>& parts, const std::vector<int>& ranks,
                           int columns);

/// Text of the STATE file, on the first rank. Collective.
std::string state_text(const Simulation& simulation, const PhaseTimes& timing, double seconds_left);

}  // namespace solfec
