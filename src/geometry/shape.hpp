// The shape of a body: a list of solids. The file of each kind of solid has
//
//   translate, rotate, scale, bounding_box, contains, moments   as below, of that kind
//   radius_about (solid, center)     largest distance of its points, or a bound
//   add_extent (solid, axis, extent) along a unit vector
//   visit_fields (archive, solid)    on its way to other ranks
//   visit_numbers (archive, solid)   what results hold of it: its volume identifier, points, reals
//                                    and integers (output/solid_numbers.hpp)
//   flaw (solid)                     what is wrong with one that a file holds; null: nothing. May
//                                    throw InputError, too
#pragma once

#include <concepts>
#include <variant>
#include <vector>

#include "geometry/ellipsoid.hpp"
#include "geometry/mesh.hpp"
#include "geometry/polyhedron.hpp"
#include "geometry/sphere.hpp"

namespace solfec {

/// Results hold the index: new kinds come at the end.
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
/// Moves every point by x -> diag(factors) x, no factor zero (SCALE); of a sphere the center, its
/// radius takes the first factor.
void scale(Solid& solid, const Vec3& factors);

// Not by conversion to Solid: a kind without its own would call itself for ever.
template <std::same_as<Solid> S>
Box bounding_box(const S& solid) {
  return std::visit([](const auto& s) { return bounding_box(s); }, solid);
}
Box bounding_box(const Shape& shape);
/// Largest distance of a point of the shape from `center` (of ellipsoids an upper bound).
double radius_about(const Shape& shape, const Vec3& center);
template <std::same_as<Solid> S>
bool contains(const S& solid, const Vec3& point) {
  return std::visit([&](const auto& s) { return contains(s, point); }, solid);
}
template <std::same_as<Solid> S>
const char* flaw(const S& solid) {
  return std::visit([](const auto& s) { return flaw(s); }, solid);
}
/// Half of the diagonal of a shape's box [m], rounded to single precision: copies of a shape at
/// other places have the same.
double half_diagonal(const Box& box);

/// Moments of a union by pieces (overlaps count as often as they are covered).
Moments moments(const Shape& shape, const Vec3& reference);
/// Centre of mass of uniform density.
Vec3 mass_center(const Shape& shape);

}  // namespace solfec
