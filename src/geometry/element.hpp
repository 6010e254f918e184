// Shape functions of the four linear elements, in local coordinates (x, y, z).
//
//   4 tetrahedron   x, y, z >= 0, x + y + z <= 1: corner 0 at the origin, 1, 2, 3 along the axes
//   5 pyramid       0 <= z <= 1, |x|, |y| <= 1 - z: the base at z = 0, the apex at (0, 0, 1)
//   6 wedge         x, y >= 0, x + y <= 1, |z| <= 1: the base at z = -1
//   8 hexahedron    |x|, |y|, |z| <= 1: the base at z = -1
//
// Pyramid, with w = 1 - z and the corner at (s, t, 0) of the base (Bedrosian 1992):
//
//   N = (w + s x + t y + s t x y / w) / 4,  N_apex = z
//
// Any value of x y / w leaves linear fields as they are. Where |x| or |y| exceeds 2 w, which is
// outside of the element, and beyond the apex the term is replaced by its continuation linear in
// x, y, w: values are continuous and gradients bounded everywhere.
#pragma once

#include <optional>
#include <span>

#include "core/vector.hpp"

namespace solfec {

/// N[k](local) for k < nodes.
void shape_functions(int nodes, const Vec3& local, std::span<double> N);

/// dN[k] / d local for k < nodes. At the apex of a pyramid: the limit along its axis.
void shape_gradients(int nodes, const Vec3& local, std::span<Vec3> dN);

/// The centroid in local coordinates.
Vec3 local_center(int nodes);

struct QuadraturePoint {
  Vec3 local;
  double weight;  ///< of local volume; the weights sum up to the volume in local coordinates
};

/// 1 (tetrahedron), 8 (pyramid), 6 (wedge) or 8 points (hexahedron): exact for N det(dx/dlocal) of
/// distorted elements, hence for volumes, first moments and row sums of the mass matrix.
std::span<const QuadraturePoint> quadrature(int nodes);

/// dx / d local of the element with these corners [m].
Mat3 jacobian(std::span<const Vec3> nodes, const Vec3& local);

/// Where x [m] is in the element, by Newton's method; x may lie a little outside. None when the
/// iteration fails: far outside of distorted elements the map cannot be inverted.
std::optional<Vec3> local_coordinates(std::span<const Vec3> nodes, const Vec3& x);

/// Whether the point is in the element enlarged by `tolerance`, in local coordinates.
bool inside(int nodes, const Vec3& local, double tolerance);

/// How far outside of the element the point is, in a few coarse steps of local coordinates; 0
/// inside.
double outside(int nodes, const Vec3& local);

}  // namespace solfec
