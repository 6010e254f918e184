// Rows of rigid bodies in contact, solved several at a time in sweeps of Gauss-Seidel.
#pragma once

#include <vector>

#include "local_dynamics/local_dynamics.hpp"
#include "local_dynamics/row_batches.hpp"
#include "solver/coulomb_contact.hpp"

namespace solfec {

/// What rows bring to the sums over a sweep.
template <class Real>
struct SweepSums {
  Real change = 0;    ///< |dR|^2
  Real size = 0;      ///< |R|^2
  Real merit = 0;     ///< of the rows as they were met, times the merit's denominator
  Real residual = 0;  ///< |C|^2 as they were met: of the natural map
};

/// The laws of contacts in batches of rows.
class ContactBatches {
 public:
  /// Of a problem whose rows stand in these batches, which stay where they are.
  void take(const LocalDynamics& problem, const RowBatches& batches);

  const RowBatches& rows() const { return *rows_; }

  /// Solves the rows of a batch to the relative accuracy `epsilon` and adds to the sums, to those
  /// of the natural map if it is asked for. Returns false, with nothing changed, if the rows want
  /// to be taken one by one: some are other than contacts of Signorini and Coulomb, or not solved.
  bool solve(int batch, FactoredForm& form, double epsilon, int max_iterations, std::span<Vec3> R,
             bool natural, SweepSums<Lanes>& sums) const;

 private:
  struct Law {
    bool is_fit = true;                                  // to be solved at once
    Lanes a, b, d, wx, wy, normal, compliance, inverse;  // of a symmetric ContactBlock
    VectorOf<Lanes> B;                                   // with restitution and target
    Lanes friction, cohesion;

    ContactBlock<Lanes> block() const {
      return {a, b, b, d, wx, wy, wx * compliance, wy * compliance, normal, compliance, inverse};
    }
  };
  static void take(const LocalDynamics& problem, const RowBatch& batch, Law& law);

  const RowBatches* rows_ = nullptr;
  std::vector<Law> laws_;
};

}  // namespace solfec
