#include "geometry/polyhedron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"

namespace solfec {
namespace {

// Each edge must be met once in either sense by the loops of a closed oriented surface.
void check_closed(const FaceLoops& faces) {
  std::map<std::pair<int, int>, int> directed;
  for (int f = 0; f < faces.count(); f++) {
    const auto loop = faces.loop(f);
    for (std::size_t k = 0; k < loop.size(); k++)
      if (directed[{loop[k], loop[(k + 1) % loop.size()]}]++ > 0)
        throw value_error(
            fmt::format("two faces run along the edge from vertex {} to vertex {} in the same "
                        "sense: all faces must be counter-clockwise when seen from outside",
                        loop[k], loop[(k + 1) % loop.size()]));
  }
  for (const auto& [edge, count] : directed)
    if (!directed.contains({edge.second, edge.first}))
      throw value_error(fmt::format("the edge between vertices {} and {} belongs to one face only",
                                    edge.first, edge.second));
}

}  // namespace

Plane face_plane(std::span<const Vec3> vertices, std::span<const int> loop) {
  Vec3 normal = Vec3::Zero(), mean = Vec3::Zero();
  const Vec3& origin = vertices[loop[0]];
  for (std::size_t k = 0; k < loop.size(); k++) {
    const Vec3 a = vertices[loop[k]] - origin;
    const Vec3 b = vertices[loop[(k + 1) % loop.size()]] - origin;
    normal += a.cross(b);
    mean += a;
  }
  normal.normalize();
  return {normal, normal.dot(origin + mean / static_cast<double>(loop.size()))};
}

void check_convex(const Polyhedron& p, double tolerance) {
  check_closed(p.faces);
  const double size = bounding_box(p.vertices).size().norm();
  for (int f = 0; f < p.faces.count(); f++) {
    const Plane plane = face_plane(p.vertices, p.faces.loop(f));
    if (!plane.normal.allFinite() || plane.normal.norm() < 0.5)
      throw value_error(fmt::format("face {} has no area", f));
    for (std::size_t v = 0; v < p.vertices.size(); v++)
      if (plane.distance(p.vertices[v]) > tolerance * size)
        throw value_error(
            fmt::format("not convex: vertex {} lies {:.3g} outside of face {} (or the vertices of "
                        "this face are not counter-clockwise when seen from outside)",
                        v, plane.distance(p.vertices[v]), f));
  }
}

Box bounding_box(std::span<const Vec3> points) {
  Box box;
  for (const Vec3& p : points) box.extend(p);
  return box;
}

bool contains(const Polyhedron& p, const Vec3& point) {
  for (int f = 0; f < p.faces.count(); f++)
    if (face_plane(p.vertices, p.faces.loop(f)).distance(point) > 0) return false;
  return true;
}

}  // namespace solfec
