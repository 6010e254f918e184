#include "geometry/polyhedron.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

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

const char* flaw(const Polyhedron& p) {
  const int vertices = static_cast<int>(p.vertices.size());
  if (p.faces.count() < 4 ||
      !std::ranges::all_of(p.vertices, [](const Vec3& v) { return v.allFinite(); }))
    return "a polyhedron is not one";
  std::set<std::pair<int, int>> edges;  // each one once in both directions: it is closed
  for (int f = 0; f < p.faces.count(); f++) {
    const auto loop = p.faces.loop(f);
    if (loop.size() < 3) return "a face has less than three vertices";
    for (std::size_t k = 0; k < loop.size(); k++) {
      if (loop[k] < 0 || loop[k] >= vertices) return "a face has a vertex that is not there";
      if (!edges.emplace(loop[k], loop[(k + 1) % loop.size()]).second)
        return "a polyhedron is not closed";
    }
  }
  const bool closed = std::ranges::all_of(edges, [&](const auto& e) {
    return edges.contains({e.second, e.first});
  });
  return closed ? nullptr : "a polyhedron is not closed";
}

void scale(Polyhedron& p, const Vec3& factors) {
  scale(std::span(p.vertices), factors);
  if (factors.prod() > 0) return;
  for (int f = 0; f < p.faces.count(); f++)  // a mirrored one has its loops reversed
    std::reverse(p.faces.vertex.begin() + p.faces.begin[f],
                 p.faces.vertex.begin() + p.faces.begin[f + 1]);
}

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

bool contains(const Polyhedron& p, const Vec3& point) {
  for (int f = 0; f < p.faces.count(); f++)
    if (face_plane(p.vertices, p.faces.loop(f)).distance(point) > 0) return false;
  return true;
}

Moments moments(const Polyhedron& p, const Vec3& reference) {
  // About a vertex of the solid, to keep the cancellation between tetrahedra small.
  const Vec3& apex = p.vertices[p.faces.vertex[0]];
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();
  for (int f = 0; f < p.faces.count(); f++) {
    const auto loop = p.faces.loop(f);
    const Vec3 a = p.vertices[loop[0]] - apex;
    for (std::size_t k = 2; k < loop.size(); k++) {
      const Vec3 b = p.vertices[loop[k - 1]] - apex;
      const Vec3 c = p.vertices[loop[k]] - apex;
      const double v = a.dot(b.cross(c)) / 6;
      const Vec3 sum = a + b + c;
      volume += v;
      first += v / 4 * sum;
      second += v / 20 *
                (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
  }
  const Vec3 center = apex + first / volume;
  const Mat3 central = second - first * first.transpose() / volume;
  return moments_about(reference, volume, center, central);
}

}  // namespace solfec
