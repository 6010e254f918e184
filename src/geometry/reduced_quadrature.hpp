// Few quadrature points for a part of an element.
#pragma once

#include <span>
#include <vector>

#include "geometry/tetrahedron.hpp"

namespace solfec {

/// A quadrature point of the material in an element.
struct MaterialPoint {
  Vec3 local;
  double volume;  ///< weight: reference volume [m^3]
};

/// The points of quadrature() for an element that is filled; where it is inside out their volumes
/// are negative.
std::vector<MaterialPoint> standard_points(std::span<const Vec3> corners);

/// The rule of degree 5 over a tetrahedron, 14 points (Walkington 2000): barycentric coordinates
/// and weights, which are positive and sum up to 1.
struct TetrahedronPoint {
  std::array<double, 4> share;
  double weight;
};
std::span<const TetrahedronPoint> tetrahedron_rule();

/// Points for the material that these tetrahedra are, in the element with these corners: 1
/// (tetrahedron), at most 13 (pyramid), 10 (wedge) or 23 points (hexahedron), all in the material,
/// of positive weight. Sums over them are integrals of
///
///   linear functions of x in any element,
///   all N_a and all products of two of their slopes in elements with parallel opposite edges: the
///   stiffness is exact, and has the rank that it should have however little is filled. (In
///   pyramids N_a are rational: there the integrals are those of the rule above, which is near.)
///
/// From the rule above on each tetrahedron most points are dropped again: n weights that satisfy
/// m < n linear equations move along null vectors of these until n - m of them are zero
/// (Caratheodory), of groups of points first (Litterer and Lyons 2012; Tchernychova 2016). Throws
/// InputError when the element is so distorted that points are not found in it.
std::vector<MaterialPoint> reduced_quadrature(std::span<const Vec3> corners,
                                              std::span<const Tetrahedron> material);

}  // namespace solfec
