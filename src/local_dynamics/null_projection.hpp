// Orthogonal projections on the null space of an equilibrium matrix Q, Q z = 0, and on its left
// null space, Q^T v = 0: the motions that no reaction resists.
//
//   by factors of K + d I, K = Q Q^T, d = 1E-10 (iterated Tikhonov regularisation):
//     w <- w - Q^T (K + d I)^-1 Q w,   v <- d (K + d I)^-1 v
//   each of which shrinks what belongs to a singular value s of Q to the part d / (s^2 + d), or
//   by conjugate gradients for least squares (CGLS: Hestenes and Stiefel 1952)
//     w - Q^T y,  v - Q x
//
// until Q w or Q^T v has 1E-13 of the size of what was projected. The diagonal blocks of K are unit
// matrices.
#pragma once

#include <memory>

#include "local_dynamics/equilibrium_matrix.hpp"

namespace solfec {

/// With more operations for the factor, conjugate gradients take its place.
inline constexpr double kMostFactorOperations = 5e9;

class NullProjection {
 public:
  explicit NullProjection(const EquilibriumMatrix& Q,
                          double most_operations = kMostFactorOperations);
  ~NullProjection();

  bool factored() const { return factor_ != nullptr; }
  /// Projects z, on the null space. False if the iteration does not come to its end.
  bool project(Eigen::VectorXd& z) const;
  /// The same of v, on the left null space; by factors with a relative error of about 1E-6 within
  /// it, as their smallest pivots have.
  bool project_left(Eigen::VectorXd& v) const;

 private:
  class Factor;
  const EquilibriumMatrix& Q_;
  std::unique_ptr<Factor> factor_;
};

}  // namespace solfec
