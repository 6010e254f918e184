// Random shapes in random positions, the same on every machine.
#pragma once

#include "geometry/convex_view.hpp"
#include "geometry/polyhedron.hpp"
#include "support/random.hpp"

namespace solfec::testing {

/// A polyhedron in space that owns what a ConvexView points to.
class PlacedPolyhedron {
 public:
  explicit PlacedPolyhedron(Polyhedron solid)
      : solid_(std::move(solid)), topology_(solid_.faces), internal_(solid_.surface.size(), 0) {
    for (int f = 0; f < solid_.faces.count(); f++)
      planes_.push_back(face_plane(solid_.vertices, solid_.faces.loop(f)));
  }

  ConvexView view() const {
    return {solid_.vertices, planes_, &topology_, solid_.surface.data(), internal_.data()};
  }
  const Polyhedron& solid() const { return solid_; }
  void set_internal(int face) { internal_[face] = 1; }

 private:
  Polyhedron solid_;
  ConvexTopology topology_;
  std::vector<Plane> planes_;
  std::vector<std::uint8_t> internal_;
};

inline Polyhedron make_box(const Vec3& center, const Vec3& half, const Mat3& rotation) {
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; i++)
    corners.push_back(center + rotation * Vec3(i & 1 ? half.x() : -half.x(),
                                               i & 2 ? half.y() : -half.y(),
                                               i & 4 ? half.z() : -half.z()));
  return convex_hull(corners, 1, 1);
}

/// A box, a tetrahedron or a hull of up to a dozen points on an ellipsoid, of size about `size`.
inline Polyhedron random_polyhedron(Random& random, const Vec3& center, double size) {
  const Vec3 stretch(random.uniform(0.3, 1), random.uniform(0.3, 1), random.uniform(0.3, 1));
  const Mat3 rotation = random.rotation();
  const int kind = random.integer(0, 2);
  if (kind == 0) return make_box(center, size * stretch, rotation);
  std::vector<Vec3> points;
  const int count = kind == 1 ? 4 : random.integer(5, 12);
  for (;;) {
    points.clear();
    for (int k = 0; k < count; k++)
      points.push_back(center + size * (rotation * random.direction().cwiseProduct(stretch)));
    if (count > 4) break;
    // No slivers: the exact values below would lose their digits.
    const double volume =
        (points[1] - points[0]).cross(points[2] - points[0]).dot(points[3] - points[0]);
    if (std::abs(volume) > 0.1 * std::pow(size, 3) * stretch.prod()) break;
  }
  return convex_hull(points, 1, 1);
}

}  // namespace solfec::testing
