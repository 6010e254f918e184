// A criterion that is never met and notes down a function of each R that is judged.
#pragma once

#include <functional>
#include <vector>

#include "solver/criterion.hpp"

namespace solfec::testing {

class Watch final : public Criterion {
 public:
  explicit Watch(std::function<double(const LocalSolution&)> function)
      : function_(std::move(function)) {}

  double value() const override { return 0; }
  double share(const LocalDynamics&, int, const Vec3&, const Vec3&) const override { return 1; }
  double of_sum(double sum) const override { return sum; }
  bool is_late() const override { return false; }
  double figure(const LocalDynamics&, LocalSolution& solution) const override {
    values.push_back(function_(solution));
    return 1.0 / static_cast<double>(values.size());  // the last R counts as the best one
  }

  mutable std::vector<double> values;  ///< of the start first, of what was left last

 private:
  std::function<double(const LocalSolution&)> function_;
};

}  // namespace solfec::testing
