// Rows of rigid bodies in contact, solved several at a time in sweeps of Gauss-Seidel.
#pragma once

#include <array>
#include <cstdint>
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
  using Contacts = std::array<ContactBlock<double>, kLanes>;
  // The diagonal blocks of a batch: only what they are made of.
  struct BallDiagonal {
    BallContact<Lanes> ball;

    void take(const Contacts& w);
    const BallContact<Lanes>& block() const { return ball; }
  };
  struct RigidDiagonal {
    Lanes a, b, d, wx, wy, normal, compliance, inverse;  // symmetric

    void take(const Contacts& w);
    ContactBlock<Lanes> block() const {
      return {a, b, b, d, wx, wy, wx * compliance, wy * compliance, normal, compliance, inverse};
    }
  };
  template <class Diagonal>
  struct Law {
    Diagonal W;
    VectorOf<Lanes> B;  // with restitution and target
    Lanes friction, cohesion;
  };
  using BallLaw = Law<BallDiagonal>;
  using RigidLaw = Law<RigidDiagonal>;

  const BallLaw& law(const RowBatch<BallBlocks>& batch) const { return of_balls_[batch.place]; }
  const RigidLaw& law(const RowBatch<RigidBlocks>& batch) const { return of_rigid_[batch.place]; }
  BallLaw& law(const RowBatch<BallBlocks>& batch) { return of_balls_[batch.place]; }
  RigidLaw& law(const RowBatch<RigidBlocks>& batch) { return of_rigid_[batch.place]; }
  template <class Diagonal>
  static void take(const LocalDynamics& problem, const BatchRows& rows, Law<Diagonal>& law);
  // One function: calls in between would pass lanes through memory.
  template <class Blocks, class Diagonal>
  [[gnu::flatten]] static bool solve(const RowBatch<Blocks>& batch, const Law<Diagonal>& law,
                                     FactoredForm& form, double epsilon, int max_iterations,
                                     std::span<Vec3> R, bool natural, SweepSums<Lanes>& sums);

  const RowBatches* rows_ = nullptr;
  std::vector<std::uint8_t> is_fit_;  // of a batch: to be solved at once
  std::vector<BallLaw> of_balls_;
  std::vector<RigidLaw> of_rigid_;
};

}  // namespace solfec
