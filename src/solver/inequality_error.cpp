#include "solver/inequality_error.hpp"

#include <cmath>

namespace solfec {

double InequalityError::share(const LocalDynamics& p, int row, const Vec3& U, const Vec3& R) const {
  const double w = row_weight(p, row);
  const Vec3 all = term_ ? Vec3(U + term_->velocity(row, R)) : U;
  const Vec3 F = inequality_.map(row, all);
  // Rows that move nothing have no reactions of their own.
  if (!(w > 0)) return 0;
  return w * (R - inequality_.project(row, R - F / w)).squaredNorm();
}

double InequalityError::of_sum(double sum) const { return std::sqrt(sum); }

double InequalityError::figure(const LocalDynamics& p, LocalSolution& s) const {
  double sum = 0;
  for (int row = 0; row < p.rows(); row++) sum += share(p, row, s.U[row], s.R[row]);
  return of_sum(communicator_.sum(sum));
}

}  // namespace solfec
