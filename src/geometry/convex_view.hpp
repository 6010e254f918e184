// A convex polyhedron in space as the pair algorithms see it: nothing is owned here.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "geometry/polyhedron.hpp"

namespace solfec {

/// Connectivity of a convex polyhedron, shared by all that have the same face loops.
struct ConvexTopology {
  struct Edge {
    int start, end;   ///< vertices
    int left, right;  ///< faces; the loop of `left` runs from start to end
  };

  explicit ConvexTopology(FaceLoops loops);

  FaceLoops faces;
  std::vector<Edge> edges;
  std::vector<int> face_edge;     ///< edge after each entry of faces.vertex
  std::vector<int> vertex_begin;  ///< edges at vertex v: vertex_edge[vertex_begin[v]] ...
  std::vector<int> vertex_edge;

  std::span<const int> edges_at(int vertex) const {
    return {vertex_edge.data() + vertex_begin[vertex],
            static_cast<std::size_t>(vertex_begin[vertex + 1] - vertex_begin[vertex])};
  }
};

struct ConvexView {
  std::span<const Vec3> vertices;
  std::span<const Plane> planes;  ///< outward, one per face
  const ConvexTopology* topology;
  const int* surface;            ///< surface identifier of each face
  const std::uint8_t* internal;  ///< non-zero: the face lies in one of another piece of the body

  int faces() const { return static_cast<int>(planes.size()); }
};

/// Vertex that is farthest along a direction (the first one of equals).
inline int support_vertex(std::span<const Vec3> vertices, const Vec3& direction) {
  int best = 0;
  double height = direction.dot(vertices[0]);
  for (int v = 1; v < static_cast<int>(vertices.size()); v++) {
    const double h = direction.dot(vertices[v]);
    if (h > height) {
      height = h;
      best = v;
    }
  }
  return best;
}

/// Largest distance of a vertex from the first one.
inline double extent(const ConvexView& view) {
  double most = 0;
  for (const Vec3& v : view.vertices) most = std::max(most, (v - view.vertices[0]).squaredNorm());
  return std::sqrt(most);
}

/// Overlap of the two projections on a unit vector, of `first` above `second` along it: negative
/// where a plane across it separates them. This and the following are of convex hulls of points.
double projected_overlap(std::span<const Vec3> first, std::span<const Vec3> second,
                         const Vec3& direction);

/// How far `first`, moved by `shift`, must go along the unit vector `direction` to leave `second`:
/// the largest t with (first + shift + t direction) meeting second; nothing where it never does.
/// Found as the exit point of a ray from the Minkowski difference second - first by portal
/// refinement (Snethen 2008); exact for polyhedra.
std::optional<double> exit_distance(std::span<const Vec3> first, std::span<const Vec3> second,
                                    const Vec3& direction, const Vec3& shift = Vec3::Zero());

/// The same; where there is none (barely touching pairs) the overlap of the two projections on
/// `direction`, which bounds it from above.
double directional_depth(std::span<const Vec3> first, std::span<const Vec3> second,
                         const Vec3& direction);

}  // namespace solfec
