// The mesh of ROUGH_HEX: a box of hexahedra around a shape.
#pragma once

#include <array>
#include <vector>

#include "geometry/shape.hpp"

namespace solfec {

/// Principal axes of inertia of a shape of uniform density, as columns: a rotation, the nearest one
/// to the axes of space. Where moments of inertia coincide, to 1e-6, any axes in their plane (or
/// any at all) are principal: those along the axes of space, as far as there are such, are taken.
Mat3 principal_axes(const Shape& shape);

/// Hexahedra that fill the least box with edges along the principal axes that holds the shape.
/// `sizes[d]` holds the relative sizes of the layers along axis d. Volume and surfaces are 0.
Mesh make_rough_hex(const Shape& shape, const std::array<std::vector<double>, 3>& sizes);

}  // namespace solfec
