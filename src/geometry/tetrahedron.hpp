// Tetrahedra as pieces of solids: solids cut up into them, and cut by planes.
#pragma once

#include <array>
#include <vector>

#include "geometry/polyhedron.hpp"

namespace solfec {

using Tetrahedron = std::array<Vec3, 4>;

/// (b - a) x (c - a) . (d - a) / 6 [m^3]
double signed_volume(const Tetrahedron& t);

Vec3 centroid(const Tetrahedron& t);

/// Its outward planes, when its volume is positive.
std::array<Plane, 4> planes_of(const Tetrahedron& t);

/// Tetrahedra from one corner of a convex polyhedron over its faces; flat ones are left out.
std::vector<Tetrahedron> tetrahedra_of(const Polyhedron& convex);

/// Adds the parts of a tetrahedron behind and before a plane, at most three each. They fill it to
/// round-off wherever the plane is: there is no tolerance. Parts of at most the volume `least` are
/// left out; all are oriented, but for those whose volume is round-off.
void split(const Tetrahedron& t, const Plane& plane, double least, std::vector<Tetrahedron>& behind,
           std::vector<Tetrahedron>& before);

}  // namespace solfec
