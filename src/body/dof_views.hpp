// Parts of a body's generalised velocities u, and of b, f and reactions, which are ordered alike:
//
//   rigid, obstacle   angular (3), linear (3)    referential spin or torque; of the mass centre
//   pseudo-rigid      rate (9), linear (3)       of the deformation gradient, column-wise
//   finite-element    of each node (3)           positions x too
//
// Views of numbers that the store of bodies keeps: a view of const numbers cannot change them.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/vector.hpp"

namespace solfec {

/// A vector or matrix that is const where its numbers are.
template <class Matrix, class Number>
using View = Eigen::Map<std::conditional_t<std::is_const_v<Number>, const Matrix, Matrix>>;

template <class Number>
View<Vec3, Number> angular_part(Number* u) {
  return View<Vec3, Number>(u);
}
template <class Number>
View<Vec3, Number> rigid_linear_part(Number* u) {
  return View<Vec3, Number>(u + 3);
}

template <class Number>
View<Mat3, Number> affine_rate_part(Number* u) {
  return View<Mat3, Number>(u);
}
template <class Number>
View<Vec3, Number> affine_linear_part(Number* u) {
  return View<Vec3, Number>(u + 9);
}

/// Of the mass centre, of a rigid or affine body with so many dofs: the last three.
template <class Number>
View<Vec3, Number> linear_part(Number* u, int dofs) {
  return View<Vec3, Number>(u + dofs - 3);
}

/// Of configurations q: rotation or deformation gradient (9), mass centre (3).
template <class Number>
View<Mat3, Number> gradient_part(Number* q) {
  return View<Mat3, Number>(q);
}
template <class Number>
View<Vec3, Number> center_part(Number* q) {
  return View<Vec3, Number>(q + 9);
}

template <class Number>
View<Vec3, Number> node_part(Number* x, std::ptrdiff_t node) {
  return View<Vec3, Number>(x + 3 * node);
}

}  // namespace solfec
