// The criterion of problems that are solved within others: how far R is from a solution of a
// variational inequality, by its natural map with a step of each row's own,
//
//   e^2 = sum w |R - P_X (R - F(U) / w)|^2,   w = row_weight
//
// so that e^2 is a power [N m/s], whatever the units.
#pragma once

#include "solver/cone_inequality.hpp"
#include "solver/criterion.hpp"
#include "solver/proximal_term.hpp"

namespace solfec {

class InequalityError final : public Criterion {
 public:
  /// Ends at the value; time is that of the outer criterion. `term`: none, or what is added to U.
  InequalityError(const ConeInequality& inequality, const ProximalTerm* term, double value,
                  const Criterion& outer, const Communicator& communicator)
      : inequality_(inequality),
        term_(term),
        value_(value),
        outer_(outer),
        communicator_(communicator) {}

  double value() const override { return value_; }
  double share(const LocalDynamics& problem, int row, const Vec3& U, const Vec3& R) const override;
  double of_sum(double sum) const override;
  bool is_late() const override { return outer_.is_late(); }
  double figure(const LocalDynamics& problem, LocalSolution& solution) const override;

 private:
  const ConeInequality& inequality_;
  const ProximalTerm* term_;
  double value_;
  const Criterion& outer_;
  const Communicator& communicator_;
};

}  // namespace solfec
