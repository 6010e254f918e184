#include "geometry/prism.hpp"

#include <cmath>

namespace solfec {
namespace {

// A prism between two polygons of as many corners each, counter-clockwise seen from the top:
// vertices 0 to n - 1 are the bottom, n to 2 n - 1 the top. Faces: bottom, top, sides in their
// order.
Polyhedron prism_of(std::vector<Vec3> vertices, int volume) {
  Polyhedron prism;
  const int n = static_cast<int>(vertices.size()) / 2;
  std::vector<int> bottom, top;
  for (int k = 0; k < n; k++) {
    bottom.push_back(n - 1 - k);
    top.push_back(n + k);
  }
  prism.faces.add(bottom);
  prism.faces.add(top);
  for (int k = 0; k < n; k++) {
    const int next = (k + 1) % n;
    prism.faces.add(std::array{k, next, n + next, n + k});
  }
  prism.vertices = std::move(vertices);
  prism.volume = volume;
  return prism;
}

}  // namespace

Polyhedron make_box(const Vec3& center, const Vec3& sizes, int volume,
                    const std::array<int, 6>& surfaces) {
  std::vector<Vec3> vertices;
  for (int z : {-1, 1})
    for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}})
      vertices.push_back(center + 0.5 * Vec3(x, y, z).cwiseProduct(sizes));
  Polyhedron box = prism_of(std::move(vertices), volume);
  const auto [bottom, left, back, right, front, top] = surfaces;  // z-, x-, y+, x+, y-, z+
  box.surface = {bottom, top, front, right, back, left};
  return box;
}

Polyhedron make_cylinder(const Vec3& base, const Vec3& axis, double radius, int sides, int volume,
                         const std::array<int, 3>& surfaces) {
  const Vec3 x = axis.normalized().unitOrthogonal();
  const Vec3 y = axis.normalized().cross(x);
  std::vector<Vec3> vertices;
  for (const Vec3& center : {base, Vec3(base + axis)})
    for (int k = 0; k < sides; k++) {
      const double angle = static_cast<double>(2 * EIGEN_PI * k / sides);
      vertices.push_back(center + radius * (std::cos(angle) * x + std::sin(angle) * y));
    }
  Polyhedron prism = prism_of(std::move(vertices), volume);
  prism.surface.assign(static_cast<std::size_t>(sides) + 2, surfaces[2]);
  prism.surface[0] = surfaces[0];
  prism.surface[1] = surfaces[1];
  return prism;
}

}  // namespace solfec
