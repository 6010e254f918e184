// The shape of a body: a list of solids. Each kind of solid has the functions below in its own
// file, flaw(solid): what makes it no solid of its kind, as files may hold it, null if nothing
// does; and visit_numbers(archive, solid): its volume identifier, points, reals and integers as
// results hold them (output/solid_numbers.hpp).
#pragma once

#include <variant>
#include <vector>

#include "geometry/ellipsoid.hpp"
#include "geometry/mesh.hpp"
#include "geometry/polyhedron.hpp"
#include "geometry/sphere.hpp"

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
/// Moves every point by x -> diag(factors) x, no factor zero (SCALE).
void scale(Solid& solid, const Vec3& factors);

Box bounding_box(const Solid& solid);
Box bounding_box(const Shape& shape);
/// Largest distance of a point of the shape from `center` (of ellipsoids an upper bound).
double radius_about(const Shape& shape, const Vec3& center);
bool contains(const Solid& solid, const Vec3& point);
const char* flaw(const Solid& solid);
/// Half of the diagonal of a shape's box [m], rounded to single precision: copies of a shape at
/// other places have the same.
double half_diagonal(const Box& box);

/// Moments of a union by pieces (overlaps count as often as they are covered).
Moments moments(const Shape& shape, const Vec3& reference);
/// Centre of mass of uniform density.
Vec3 mass_center(const Shape& shape);

}  // namespace solfec
