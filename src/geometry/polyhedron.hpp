// A convex polyhedron, as written by CONVEX and HULL.
#pragma once

#include <span>
#include <vector>

#include "geometry/box.hpp"

namespace solfec {

/// A plane { x : normal . x = offset } with unit normal.
struct Plane {
  Vec3 normal;
  double offset;

  double distance(const Vec3& point) const { return normal.dot(point) - offset; }
};

/// Which vertices make which face: loops counter-clockwise when seen from outside.
struct FaceLoops {
  std::vector<int> begin = {0};  ///< face f owns vertex[begin[f]] .. vertex[begin[f + 1] - 1]
  std::vector<int> vertex;

  int count() const { return static_cast<int>(begin.size()) - 1; }
  std::span<const int> loop(int face) const {
    return {vertex.data() + begin[face], static_cast<std::size_t>(begin[face + 1] - begin[face])};
  }
  void add(std::span<const int> loop) {
    vertex.insert(vertex.end(), loop.begin(), loop.end());
    begin.push_back(static_cast<int>(vertex.size()));
  }
  bool operator==(const FaceLoops&) const = default;
};

struct Polyhedron {
  std::vector<Vec3> vertices;
  FaceLoops faces;
  std::vector<int> surface;  ///< surface identifier of each face
  int volume = 0;
};

template <class Archive>
void visit_fields(Archive& archive, Polyhedron& p) {
  archive(p.vertices, p.faces.begin, p.faces.vertex, p.surface, p.volume);
}

/// Plane through a face (Newell's normal, through the mean of the loop's points).
Plane face_plane(std::span<const Vec3> vertices, std::span<const int> loop);

/// Throws InputError when the solid is not a closed convex polyhedron with outward faces; the
/// tolerance is relative to its size.
void check_convex(const Polyhedron& polyhedron, double tolerance = 1e-6);

/// Convex hull of a point set (Qhull); coplanar triangles are merged into polygons.
/// Throws RunError when the points lie in a plane.
Polyhedron convex_hull(std::span<const Vec3> points, int volume, int surface);

Box bounding_box(std::span<const Vec3> points);
bool contains(const Polyhedron& polyhedron, const Vec3& point);

}  // namespace solfec
