// Volume integrals over shapes, exact for every shape: V = int dx, int x dx, int x x^T dx.
#pragma once

#include <span>

#include "geometry/ellipsoid.hpp"
#include "geometry/mesh.hpp"
#include "geometry/polyhedron.hpp"
#include "geometry/sphere.hpp"

namespace solfec {

/// Moments of a solid about a reference point.
struct Moments {
  double volume = 0;           ///< [m^3]
  Vec3 first = Vec3::Zero();   ///< int (x - reference) dx [m^4]
  Mat3 second = Mat3::Zero();  ///< int (x - reference)(x - reference)^T dx [m^5]

  Moments& operator+=(const Moments& other);
};

Moments moments(const Sphere& sphere, const Vec3& reference);
Moments moments(const Ellipsoid& ellipsoid, const Vec3& reference);
/// Signed sum of tetrahedra over the face triangles.
Moments moments(const Polyhedron& polyhedron, const Vec3& reference);
/// Sum over the elements, each by quadrature that is exact for the isoparametric map.
Moments moments(const Mesh& mesh, const Vec3& reference);

Moments element_moments(std::span<const Vec3> nodes, const Element& element,
                        const Vec3& reference = Vec3::Zero());

}  // namespace solfec
