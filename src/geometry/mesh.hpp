// A volume mesh of tetrahedra, pyramids, wedges and hexahedra, as written by MESH, HEX and PIPE.
#pragma once

#include <array>
#include <span>
#include <vector>

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

/// Faces of an element with so many nodes, as loops of local node numbers, outward.
const FaceLoops& element_faces(int nodes);

/// A face of the input: its nodes (in any order) and its surface identifier.
struct FaceSurface {
  std::vector<int> nodes;
  int surface;
};

/// Builds a mesh: turns elements of negative volume inside out, finds the boundary, assigns
/// surfaces (the default, then the exceptions). Throws InputError for elements without volume, a
/// face shared by more than two elements, or an exception that is not a boundary face.
Mesh make_mesh(std::vector<Vec3> nodes, std::vector<Element> elements, int default_surface,
               std::span<const FaceSurface> exceptions);

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

Box bounding_box(const Mesh& mesh);
bool contains(const Mesh& mesh, const Vec3& point);

}  // namespace solfec
