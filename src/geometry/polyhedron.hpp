// A convex polyhedron, as written by CONVEX and HULL.
#pragma once

#include <span>
#include <vector>

#include "geometry/box.hpp"
#include "geometry/extent.hpp"
#include "geometry/moments.hpp"
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
  bool operator==(const FaceLoops&) const = default;
};

/// A face and its surface identifier: the loop of its vertices, or for make_mesh its nodes in any
/// order.
struct FaceSurface {
  std::vector<int> nodes;
  int surface;
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

std::vector<FaceSurface> faces_of(const Polyhedron& polyhedron);
void set_faces(Polyhedron& polyhedron, const std::vector<FaceSurface>& faces);

template <class Archive>
void visit_numbers(Archive& archive, Polyhedron& p) {
  archive.volume(p.volume);
  archive.points(p.vertices);
  std::vector<FaceSurface> faces = faces_of(p);
  archive.until_end(faces, [&](FaceSurface& face) {
    archive.counted(face.nodes, [&](int& vertex) { archive.integer(vertex); });
    archive.integer(face.surface);
  });
  set_faces(p, faces);
}

/// Whether it is closed; convex it need not be exactly (check_convex).
const char* flaw(const Polyhedron& polyhedron);

void translate(Polyhedron& polyhedron, const Vec3& vector);
void rotate(Polyhedron& polyhedron, const Vec3& point, const Mat3& rotation);
void scale(Polyhedron& polyhedron, const Vec3& factors);

/// Plane through a face (Newell's normal, through the mean of the loop's points).
Plane face_plane(std::span<const Vec3> vertices, std::span<const int> loop);

/// Throws InputError when the solid is not a closed convex polyhedron with outward faces; the
/// tolerance is relative to its size.
void check_convex(const Polyhedron& polyhedron, double tolerance = kOnSurface);

/// Convex hull of a point set (Qhull); coplanar triangles are merged into polygons.
/// Throws RunError when the points lie in a plane.
Polyhedron convex_hull(std::span<const Vec3> points, int volume, int surface);

Box bounding_box(std::span<const Vec3> points);
inline Box bounding_box(const Polyhedron& p) { return bounding_box(std::span(p.vertices)); }
inline void add_extent(std::span<const Vec3> points, const Vec3& axis, Extent& extent) {
  for (const Vec3& x : points) extent.add(axis.dot(x), 0);
}
inline void add_extent(const Polyhedron& p, const Vec3& axis, Extent& extent) {
  add_extent(std::span(p.vertices), axis, extent);
}
/// Largest distance of a point from `center`.
double radius_about(std::span<const Vec3> points, const Vec3& center);
inline double radius_about(const Polyhedron& p, const Vec3& center) {
  return radius_about(std::span(p.vertices), center);
}
bool contains(const Polyhedron& polyhedron, const Vec3& point);
/// Signed sum of tetrahedra over the face triangles.
Moments moments(const Polyhedron& polyhedron, const Vec3& reference);

}  // namespace solfec
