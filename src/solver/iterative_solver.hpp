// What all solvers have that iterate until a criterion is met.
#pragma once

#include <cmath>
#include <memory>
#include <optional>

#include "solver/solver.hpp"

namespace solfec {

/// `Self` is the solver; its `Settings` have members `failure` and `merit_value`.
template <class Self, class Settings>
class IterativeSolver : public Solver {
 public:
  explicit IterativeSolver(const Settings& settings) : settings(settings) {}

  FailureAction failure_action() const override { return settings.failure; }
  /// The merit is of squares of velocities.
  double accuracy() const override { return std::sqrt(settings.merit_value); }
  void end_step(int of_step) override {
    step_iterations = of_step;
    record.add(of_step);
  }
  std::unique_ptr<Solver> with_target(const ErrorTarget& target) const override {
    auto solver = std::make_unique<Self>(settings);
    solver->target = target;
    return solver;
  }

  Settings settings;
  /// In place of the criterion of the settings, if it is there.
  std::optional<ErrorTarget> target;

  // Of the last call.
  SolveStatus status = SolveStatus::ok;
  int iterations = 0;

  int step_iterations = 0;  ///< of the last step
  IterationRecord record;
};

}  // namespace solfec
