// What a solve is to reach, and how far it is from there: the merit, or, where a target is given,
// the error of the natural map (natural_map.hpp).
#pragma once

#include <chrono>
#include <optional>

#include "solver/criterion.hpp"
#include "solver/solver.hpp"

namespace solfec {

class Goal final : public Criterion {
 public:
  /// Collective. Time runs from here.
  Goal(double merit_value, const std::optional<ErrorTarget>& target, const LocalDynamics& problem,
       const Communicator& communicator);

  double value() const override { return value_; }
  /// Denominator of the figure.
  double scale() const { return scale_; }
  /// Time that is left to a target [s].
  double time_left() const;

  double share(const LocalDynamics& problem, int row, const Vec3& U, const Vec3& R) const override;
  double of_sum(double sum) const override;
  /// The merit is a square of velocities.
  double error(double figure) const override;
  bool is_late() const override;
  /// Leaves the merits of the rows, if it is the merit.
  double figure(const LocalDynamics& problem, LocalSolution& solution) const override;

 private:
  const Communicator& communicator_;
  bool by_error_;
  double value_;
  double scale_;
  std::chrono::steady_clock::time_point deadline_;
};

}  // namespace solfec
