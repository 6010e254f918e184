// Finite rotations: the exponential map and its derivative.
#pragma once

#include "core/vector.hpp"

namespace solfec {

/// Rotation by the vector psi (Rodrigues' formula), exact also for psi -> 0.
Mat3 exponential(const Vec3& psi);

/// Right Jacobian T of the exponential map: exp(psi + d) = exp(psi) exp(T d) to first order in d.
Mat3 exponential_jacobian(const Vec3& psi);

/// The rotation closest to a matrix that is one already but for round-off: one step of the
/// Newton-Schulz iteration R <- R (3 I - R^T R) / 2.
Mat3 reorthogonalised(const Mat3& rotation);

/// The rotation R nearest to any matrix A, with the largest tr(R^T A): the polar factor of A when
/// its determinant is positive.
Mat3 nearest_rotation(const Mat3& matrix);

/// Rotation about `axis` (any length but zero) by `angle` in radians.
Mat3 rotation_about(const Vec3& axis, double angle);

}  // namespace solfec
