// A volume mesh of tetrahedra, pyramids, wedges and hexahedra, as written by MESH, HEX and PIPE.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "geometry/polyhedron.hpp"

namespace solfec {

/// An element by its number of nodes: 4 tetrahedron, 5 pyramid, 6 wedge, 8 hexahedron. Node order:
/// base counter-clockwise seen from the opposite side (apex or top), then the apex or the top.
struct Element {
  int nodes = 0;  ///< 4, 5, 6 or 8
  std::array<int, 8> node{};
  int volume = 0;

  std::span<const int> used() const { return {node.data(), static_cast<std::size_t>(nodes)}; }
};

template <class Archive>
void visit_fields(Archive& archive, Element& e) {
  archive(e.nodes, e.node, e.volume);
}

/// Whether there are elements with so many nodes.
inline bool is_element(int nodes) { return nodes == 4 || nodes == 5 || nodes == 6 || nodes == 8; }

/// Face of an element that belongs to no other element.
struct BoundaryFace {
  int element;
  int side;  ///< number of the face within the element, see element_faces
  int surface;
};

template <class Archive>
void visit_fields(Archive& archive, BoundaryFace& f) {
  archive(f.element, f.side, f.surface);
}

struct Mesh {
  std::vector<Vec3> nodes;
  std::vector<Element> elements;
  std::vector<BoundaryFace> boundary;  ///< sorted by element, then side
};

template <class Archive>
void visit_fields(Archive& archive, Mesh& m) {
  archive(m.nodes, m.elements, m.boundary);
}

template <class Archive>
void visit_numbers(Archive& archive, Mesh& m) {
  archive.points(m.nodes);
  archive.counted(m.elements, [&](Element& e) {
    archive.integer(e.nodes);
    if (!is_element(e.nodes))
      throw RunError("an element has " + std::to_string(e.nodes) + " nodes");
    for (int k = 0; k < e.nodes; k++) archive.integer(e.node[k]);
    archive.integer(e.volume);
  });
  archive.until_end(m.boundary, [&](BoundaryFace& face) {
    archive.integer(face.element);
    archive.integer(face.side);
    archive.integer(face.surface);
  });
}

/// Whether nodes and elements make a mesh, and its surface is of theirs.
const char* flaw(const Mesh& mesh);

inline void translate(Mesh& m, const Vec3& vector) { translate(std::span(m.nodes), vector); }
inline void rotate(Mesh& m, const Vec3& point, const Mat3& rotation) {
  rotate(std::span(m.nodes), point, rotation);
}
void scale(Mesh& mesh, const Vec3& factors);

/// Faces of an element with so many nodes, as loops of local node numbers, outward.
const FaceLoops& element_faces(int nodes);

/// Nodes of the boundary faces of a surface, rising.
std::vector<int> surface_nodes(const Mesh& mesh, int surface);

/// A face of the input: its nodes (in any order) and its surface identifier.
struct FaceSurface {
  std::vector<int> nodes;
  int surface;
};

/// Builds a mesh: turns elements of negative volume inside out, finds the boundary, assigns
/// surfaces (the default, then the exceptions). Throws InputError for elements without volume, two
/// of the same nodes, a face shared by more than two elements, or an exception that is not a
/// boundary face.
Mesh make_mesh(std::vector<Vec3> nodes, std::vector<Element> elements, int default_surface,
               std::span<const FaceSurface> exceptions);

/// Into how many parts without a common node the elements fall.
int count_parts(const Mesh& mesh);

/// Hexahedra between 8 corners, trilinear. `sizes[d]` holds the relative sizes of the layers along
/// local direction d (0->1, 0->3, 0->4). Surfaces: bottom, i-, j+, i+, j-, top.
Mesh make_hexahedral_mesh(std::array<Vec3, 8> corners,
                          const std::array<std::vector<double>, 3>& sizes, int volume,
                          const std::array<int, 6>& surfaces);

/// A pipe of hexahedra from `base` along `axis` (whose length is the pipe's). Divisions: along the
/// axis, round the circumference, through the wall. Surfaces: bottom, top, inner, outer.
Mesh make_pipe_mesh(const Vec3& base, const Vec3& axis, double inner_radius, double thickness,
                    const std::array<int, 3>& divisions, int volume,
                    const std::array<int, 4>& surfaces);

inline Box bounding_box(const Mesh& m) { return bounding_box(std::span(m.nodes)); }
inline double radius_about(const Mesh& m, const Vec3& center) {
  return radius_about(std::span(m.nodes), center);
}
inline void add_extent(const Mesh& m, const Vec3& axis, Extent& extent) {
  add_extent(std::span(m.nodes), axis, extent);
}
bool contains(const Mesh& mesh, const Vec3& point);
/// Sum over the elements, each by quadrature that is exact for the isoparametric map.
Moments moments(const Mesh& mesh, const Vec3& reference);
Moments element_moments(std::span<const Vec3> nodes, const Element& element,
                        const Vec3& reference = Vec3::Zero());

}  // namespace solfec
