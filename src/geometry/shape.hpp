// The shape of a body: a list of solids.
#pragma once

#include <variant>
#include <vector>

#include "geometry/moments.hpp"

namespace solfec {

using Solid = std::variant<Polyhedron, Mesh, Sphere, Ellipsoid>;
using Shape = std::vector<Solid>;

/// The mesh that a shape is, null when it is anything else.
inline const Mesh* only_mesh(const Shape& shape) {
  return shape.size() == 1 ? std::get_if<Mesh>(&shape.front()) : nullptr;
}

/// Moves every point by x -> x + vector.
void translate(Solid& solid, const Vec3& vector);
/// Moves every point by x -> point + rotation (x - point).
void rotate(Solid& solid, const Vec3& point, const Mat3& rotation);
/// Moves every point by x -> diag(factors) x, no factor zero; the radius of a sphere takes the
/// first factor only (SCALE).
void scale(Solid& solid, const Vec3& factors);

Box bounding_box(const Solid& solid);
Box bounding_box(const Shape& shape);
/// Largest distance of a point of the shape from `center` (of ellipsoids an upper bound).
double radius_about(const Shape& shape, const Vec3& center);
bool contains(const Solid& solid, const Vec3& point);
/// Half of the diagonal of a shape's box [m], rounded to single precision: copies of a shape at
/// other places have the same.
double half_diagonal(const Box& box);

/// Moments of a union by pieces (overlaps count as often as they are covered).
Moments moments(const Shape& shape, const Vec3& reference);
/// Centre of mass of uniform density.
Vec3 mass_center(const Shape& shape);

}  // namespace solfec
