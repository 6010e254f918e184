// A convex polyhedron, as written by CONVEX and HULL.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "geometry/moments.hpp"
#include "geometry/points.hpp"
#include "geometry/tolerances.hpp"

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
  void clear() {
    begin.assign(1, 0);
    vertex.clear();
  }
  auto operator<=>(const FaceLoops&) const = default;
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

template <class Archive>
void visit_numbers(Archive& archive, Polyhedron& p) {
  archive.volume(p.volume);
  archive.points(p.vertices);
  archive.faces(p.faces, p.surface);
}

/// Whether it is closed; convex it need not be exactly (check_convex).
const char* flaw(const Polyhedron& polyhedron);

inline void translate(Polyhedron& p, const Vec3& vector) {
  translate(std::span(p.vertices), vector);
}
inline void rotate(Polyhedron& p, const Vec3& point, const Mat3& rotation) {
  rotate(std::span(p.vertices), point, rotation);
}
void scale(Polyhedron& polyhedron, const Vec3& factors);

/// Plane through a face (Newell's normal, through the mean of the loop's points).
Plane face_plane(std::span<const Vec3> vertices, std::span<const int> loop);

/// Throws InputError when the solid is not a closed convex polyhedron with outward faces; the
/// tolerance is relative to its size.
void check_convex(const Polyhedron& polyhedron, double tolerance = kOnSurface);

/// Convex hull of a point set (Qhull); coplanar triangles are merged into polygons.
/// Throws RunError when the points lie in a plane.
Polyhedron convex_hull(std::span<const Vec3> points, int volume, int surface);

inline Box bounding_box(const Polyhedron& p) { return bounding_box(std::span(p.vertices)); }
inline void add_extent(const Polyhedron& p, const Vec3& axis, Extent& extent) {
  add_extent(std::span(p.vertices), axis, extent);
}
inline double radius_about(const Polyhedron& p, const Vec3& center) {
  return radius_about(std::span(p.vertices), center);
}
bool contains(const Polyhedron& polyhedron, const Vec3& point);
/// Signed sum of tetrahedra over the face triangles.
Moments moments(const Polyhedron& polyhedron, const Vec3& reference);

}  // namespace solfec
