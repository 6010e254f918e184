// Boxes and prisms with a regular base, as made by BOX and CYLINDER.
#pragma once

#include <array>

#include "geometry/polyhedron.hpp"

namespace solfec {

/// A box along x, y, z. Surfaces as of a mesh of hexahedra: bottom (z-), x-, y+, x+, y-, top (z+).
Polyhedron make_box(const Vec3& center, const Vec3& sizes, int volume,
                    const std::array<int, 6>& surfaces);

/// A prism from `base` along `axis` (whose length is the prism's), with `sides` of equal width
/// whose corners are at `radius`. Surfaces: bottom, top, side.
Polyhedron make_cylinder(const Vec3& base, const Vec3& axis, double radius, int sides, int volume,
                         const std::array<int, 3>& surfaces);

}  // namespace solfec
