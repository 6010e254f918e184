// A body of convex polyhedra inside of a coarse mesh that moves it: which part of the body is in
// which element, and how to integrate over it.
//
// Faces of an element that are not plane count as the four triangles around the mean of their
// corners. Both elements at a face see the same ones, and the volume of an element is that of its
// isoparametric map exactly, so that what is found in the elements adds up to the body.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/mesh.hpp"
#include "geometry/reduced_quadrature.hpp"

namespace solfec {

struct CutMesh {
  /// The material of one volume identifier in an element.
  struct Part {
    int element;
    int volume;  ///< volume identifier
    /// It fills the element: the points are those of quadrature(), as in a mesh without cuts.
    bool filled;
    int begin, end;  ///< in `points`
  };
  struct Place {
    int element;
    Vec3 local;
  };

  /// The mesh without the elements that hold nothing, and without the nodes that only those use.
  Mesh mesh;
  std::vector<int> node;     ///< of `mesh` -> of the mesh given
  std::vector<int> element;  ///< of `mesh` -> of the mesh given
  std::vector<Part> parts;   ///< sorted by element, then volume identifier
  std::vector<MaterialPoint> points;
  /// Where the vertices of the convexes are: those of convex c begin at vertex_begin[c].
  std::vector<Place> vertices;
  std::vector<int> vertex_begin;
  /// Elements that a convex overlaps, sorted: those of convex c begin at overlap_begin[c].
  std::vector<int> overlaps;
  std::vector<int> overlap_begin;
  /// Of the body, and what the elements hold of it [m^3]; both count convexes that overlap as often
  /// as they do.
  double volume = 0, found = 0;
  /// Volume of the body outside of the mesh, the sum over the convexes [m^3]: to be refused when it
  /// is more than round-off of the input.
  double missing = 0;
  Vec3 missing_point = Vec3::Zero();  ///< one of those outside, when that is more than round-off
  /// Tetrahedra and elements that had to be looked at because their boxes overlap.
  std::int64_t pairs = 0;

  std::span<const MaterialPoint> points_of(const Part& part) const {
    return {points.data() + part.begin, static_cast<std::size_t>(part.end - part.begin)};
  }
};

struct CutTolerances {
  /// Of the volume of an element, or of all volumes of one identifier when that is less: what an
  /// element holds below is left out, and gaps below count as filled.
  double sliver = 1e-6;
};

/// Finds the parts. What slivers take away, or lies outside, is made up for by the other parts of
/// the same volume identifier, in proportion, so that the volumes of the body are kept.
/// O(n log n + pairs) in the numbers of elements and of tetrahedra of the convexes. Throws
/// InputError for elements so distorted that they are not what their faces enclose, naming them.
CutMesh cut_mesh(const Mesh& background, std::span<const Polyhedron> convexes,
                 const CutTolerances& tolerances = {});

}  // namespace solfec
