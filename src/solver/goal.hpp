// What a solve is to reach, and how far it is from there: the merit, or, where a target is given,
// the error of the natural map (natural_map.hpp). A figure of all ranks.
#pragma once

#include <chrono>
#include <optional>

#include "solver/solver.hpp"

namespace solfec {

class Goal {
 public:
  /// Collective, as are all members but the first four. Time runs from here.
  Goal(double merit_value, const std::optional<ErrorTarget>& target, const LocalDynamics& problem,
       const Communicator& communicator);

  /// The largest figure that will do.
  double value() const { return value_; }
  /// What a velocity that misses the laws must come down to, where the figure is this, over itself.
  double needed_decrease(double figure) const;
  /// Denominator of the figure.
  double scale() const { return scale_; }
  /// Time that is left to a target [s].
  double time_left() const;

  /// The figure of R, whose U is there.
  double figure(const LocalDynamics& problem, LocalSolution& solution) const;
  /// The figure of R; brings the external R and U up to date.
  double measure(const LocalDynamics& problem, LocalSolution& solution, Channel& channel) const;
  bool is_late() const;

 private:
  const Communicator& communicator_;
  bool by_error_;
  double value_;
  double scale_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace solfec
