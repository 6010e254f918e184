// When an iteration ends: a figure of R over all ranks, made of a share of each row, is to become
// small enough.
#pragma once

#include <limits>

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

class Criterion {
 public:
  virtual ~Criterion() = default;

  /// The largest figure that will do.
  virtual double value() const = 0;
  /// What an owned row with these U and R adds to the sum that the figure is made of.
  virtual double share(const LocalDynamics& problem, int row, const Vec3& U,
                       const Vec3& R) const = 0;
  /// The figure of a sum over all ranks.
  virtual double of_sum(double sum) const = 0;
  /// The relative error that a figure stands for.
  virtual double error(double figure) const { return figure; }
  /// Whether time is over. Collective.
  virtual bool is_late() const = 0;
  /// The figure of R, whose U is there. Collective.
  virtual double figure(const LocalDynamics& problem, LocalSolution& solution) const = 0;

  /// The figure of R; brings the external R and U up to date. Collective.
  double measure(const LocalDynamics& problem, LocalSolution& solution, Channel& channel) const {
    refresh(problem.halo, channel, solution.R);
    update_velocities(problem, solution);
    return figure(problem, solution);
  }
};

/// When the figure of an iteration was last halved: whether it gets on.
struct LastHalved {
  double figure = std::numeric_limits<double>::infinity();
  int step = 0;

  void see(double now, int at) {
    if (now < 0.5 * figure) *this = {now, at};
  }
};

/// When a sweep asks for the exact figure of its outcome, which costs as much as a sweep. What it
/// met on its way (residuals of the rows, changes of R) costs nothing, and tells by the ratio of
/// both when last seen.
class DeferredCheck {
 public:
  /// Asks for it first when what was met is at most this, or after so many sweeps.
  explicit DeferredCheck(double ask_at, int ask_after = 10)
      : ask_at_(ask_at), ask_after_(ask_after) {}

  bool is_due(double met, int sweeps) const { return met <= ask_at_ || sweeps >= ask_after_; }
  /// What was met has to fall by this factor.
  void learn(double met, double factor, int sweeps) {
    ask_at_ = met * factor;
    ask_after_ = sweeps + sweeps / 10 + 10;
  }

 private:
  double ask_at_;
  int ask_after_;
};

}  // namespace solfec
