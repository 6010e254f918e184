// Contact between two convex polyhedra, from their overlap (manual, chapter 6).
//
// The overlap is bounded by parts of faces of either polyhedron, areas a_i, outward normals n_i.
//   normal  of three directions the one along which the two separate soonest: the vector area
//           sum_2 a n - sum_1 a n  over the touching surfaces, exact where a vertex meets a face
//           and where two edges cross, and on either side the face that carries most of the
//           overlap's shadow. In a face on a face the vector area is tilted by depth / width, by
//           the strips that the overlap cuts out of the sides; where a corner slides over an edge
//           it lies between two faces, and the gap along it would not follow the motion.
//   point   centroid of the overlap's shadow along the normal, half way between both sides
//   area    area of that shadow
//   gap     minus the way along the normal that separates the two (directional_depth)
// Internal faces of mesh elements do not touch: a contact that only they would carry, or whose
// normal leans over one of them, is left to the neighbour element behind it. Where the vector area
// vanishes, one piece sticks right through the other: the normal is then the face normal with the
// smallest overlap.
#pragma once

#include "contact/contact_point.hpp"
#include "geometry/polyhedron_overlap.hpp"

namespace solfec {

/// A line along the normal through a corner of the overlap: the stretch of it in both pieces.
struct Chord {
  Vec3 middle;
  double length;
};

struct OverlapEdge {
  Vec3 start, end;
};

/// Keeps its memory between calls.
class PolyhedronPair {
 public:
  /// Finds the contact points of two pieces; none when a face plane separates them by more than
  /// `tolerance`. With ContactMode::many a contact has up to four points, corners of the overlap
  /// that span it, each with its own depth and a share of the area.
  ContactPoints find(const ConvexView& first, const ConvexView& second, double tolerance,
                     ContactMode mode);

 private:
  // What one of the two shows to the other.
  struct Side {
    Vec3 normal;            // of the surface that carries most of its shadow; outward of the second
    double share = 0;       // part of the shadow that it carries
    int overlap_face = -1;  // that surface in the overlap; -1: none faces the other
    int surface = 0;
    bool internal = false;  // internal faces bound the overlap
  };
  Vec3 vector_area_normal(const ConvexView& first, const ConvexView& second) const;
  Side look_at(const ConvexView& view, int side, const Vec3& normal) const;
  bool left_to_neighbour(const ConvexView& view, int side, const Vec3& normal) const;
  void collect_chords(const ConvexView& first, const ConvexView& second, const Vec3& normal);
  void add_corners(const ConvexView& first, const ConvexView& second, double tolerance,
                   const ContactPoint& whole, ContactPoints& result);

  PolyhedronOverlap overlap_;
  std::vector<Chord> chords_;
  std::vector<OverlapEdge> edges_[2];
};

}  // namespace solfec
