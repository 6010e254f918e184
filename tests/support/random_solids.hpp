// Random shapes in random positions, the same on every machine.
#pragma once

#include <cmath>
#include <cstdint>

#include "geometry/convex_view.hpp"
#include "geometry/polyhedron.hpp"

namespace solfec::testing {

/// A generator whose numbers do not depend on the standard library (splitmix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  double uniform(double low, double high) { return low + (high - low) * unit(); }
  int integer(int low, int high) { return low + static_cast<int>(next() % (high - low + 1)); }
  Vec3 in_box(double half) {
    return {uniform(-half, half), uniform(-half, half), uniform(-half, half)};
  }
  Vec3 direction() {
    const double z = uniform(-1, 1), a = uniform(0, 2 * EIGEN_PI), r = std::sqrt(1 - z * z);
    return {r * std::cos(a), r * std::sin(a), z};
  }
  Mat3 rotation() {
    const Vec3 axis = direction();
    return Eigen::AngleAxisd(uniform(0, 2 * EIGEN_PI), axis).toRotationMatrix();
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  std::uint64_t state_;
};

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
