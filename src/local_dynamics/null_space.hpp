// The null space of an equilibrium matrix Q. With the orthogonal projection P on it,
//
//   dimension = trace P = number of components - rank Q,   redundancy of component i = P_ii
//
// (Stroebel 1997; von Scheven, Ramm and Bischoff 2021), which is zero for a component that is zero
// all over the null space.
#pragma once

#include "local_dynamics/null_projection.hpp"

namespace solfec {

struct NullSpace {
  double dimension = 0;
  double deviation = 0;        ///< standard deviation of `dimension`; 0: it is exact
  bool resolved = true;        ///< false: the iteration did not come to its end
  Eigen::VectorXd redundancy;  ///< of each component, in [0, 1]
};

/// Components with less redundancy are determined.
inline constexpr double kDetermined = 1e-12;

/// By eigenvalues of Q^T Q: with n components n^2 numbers and about 10 n^3 operations. Those below
/// 1E-12 are zero; the largest is at most 2.
NullSpace dense_null_space(const EquilibriumMatrix& Q);

/// By projections of random vectors (null_projection.hpp), whose entries vanish with probability 1
/// in determined components only. Their number of dimensions is that of the null space as soon as
/// there are more vectors; if it has many, that of the left null space is found in the same way,
/// and if both have, the dimension is the mean of |P w|^2, with its deviation. Redundancies are
/// estimates: their relative error is about sqrt(2 / vectors), 4 at least.
NullSpace projected_null_space(const EquilibriumMatrix& Q,
                               double most_operations = kMostFactorOperations);

}  // namespace solfec
