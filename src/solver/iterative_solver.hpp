// What all solvers have that iterate until a criterion is met.
#pragma once

#include <memory>
#include <optional>

#include "solver/solver.hpp"

namespace solfec {

/// `Self` is the solver; its `Settings` have a member `failure`.
template <class Self, class Settings>
class IterativeSolver : public Solver {
 public:
  explicit IterativeSolver(const Settings& settings) : settings(settings) {}

  FailureAction failure_action() const override { return settings.failure; }
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

  IterationRecord record;  ///< of all calls
};

}  // namespace solfec
