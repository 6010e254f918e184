// Contact between two convex polyhedra, from their overlap (manual, chapter 6).
//
// The overlap is bounded by parts of faces of either polyhedron, areas a_i, outward normals n_i.
//   normal  of three directions the one along which the two separate soonest: the vector area
//           sum_2 a n - sum_1 a n  over the touching surfaces, exact where a vertex meets a face
//           and where two edges cross, and on either side the face that carries most of the
//           projected area. In a face on a face the vector area is tilted by depth / width, by
//           the strips that the overlap cuts out of the sides; where a corner slides over an edge
//           it lies between two faces, and the gap along it would not follow the motion. Where they
//           barely touch, all separating distances are short, and it is the one across which
//           a plane separates them best. Crossing edges touch once they overlap.
//   point   centroid of the overlap projected along the normal, half way between both sides
//   area    of that projection
//   gap     minus the distance along the normal that separates the two (directional_depth)
// Internal faces of mesh elements do not touch. An element by itself is left soonest over one: near
// them the three directions, and those across edges that cross, are compared by how soon the bodies
// around separate along them. Where the normal leans over an internal face, vertices and crossings
// of edges that are on elements behind it are left to these. Where the vector area vanishes, one
// piece sticks right through the other: the normal is then the face normal with the smallest
// overlap.
#pragma once

#include <optional>

#include "contact/covered_faces.hpp"
#include "contact/crossing_edges.hpp"
#include "contact/pair_features.hpp"

namespace solfec {

/// Keeps its memory between calls.
class PolyhedronPair {
 public:
  /// Finds the contact points of two pieces; none when a face plane separates them by more than
  /// `tolerance`. With ContactMode::many these are the places where vertices or crossing edges
  /// touch, as far as they span the overlap, each with its own depth and a share of the area; with
  /// ContactMode::patch also corners of flat patches whose gaps are larger than the tolerance, and
  /// all within `distance`. What is returned lasts until the next call.
  const ContactPoints& find(const ConvexView& first, const ConvexView& second, double tolerance,
                            ContactMode mode, double distance = 0,
                            const Surroundings& surroundings = {});
  /// The same with a known normal, of pieces that barely touch.
  const ContactPoints& find_along(const Vec3& normal, const ConvexView& first,
                                  const ConvexView& second, double tolerance, ContactMode mode,
                                  double distance);

 private:
  // What one of the two shows to the other.
  struct Side {
    Vec3 normal;            // of the surface with most of its projected area; outward of the second
    double share = 0;       // part of the projected area that it carries
    int overlap_face = -1;  // that surface in the overlap; -1: none faces the other
    int surface = 0;
    bool internal = false;  // internal faces bound the overlap
  };
  // Which points a pair has; elements behind internal faces have the others.
  enum class Share {
    all,       // its features, or, where none is as deep as the pair, the middle of the overlap
    features,  // vertices and crossings of edges
    own        // of those with elements behind internal faces what is on these two
  };
  Vec3 vector_area_normal(const ConvexView& first, const ConvexView& second,
                          double tolerance) const;
  Vec3 middle() const;  // of the overlap
  std::optional<Vec3> open_normal(const ConvexView& first, const ConvexView& second,
                                  const ContactPoint& contact, double tolerance,
                                  const Surroundings& surroundings) const;
  Side look_at(const ConvexView& view, int side, const Vec3& normal) const;
  double gap_along(const ConvexView& first, const ConvexView& second, const Vec3& normal,
                   double tolerance) const;
  ContactPoint left_soonest(const ConvexView& first, const ConvexView& second,
                            const Side (&sides)[2], const Vec3& mean_normal,
                            double tolerance) const;
  bool leans_over_neighbour(const ConvexView& first, const ConvexView& second,
                            const Side (&sides)[2], const Vec3& normal) const;
  bool lie_beside(const ConvexView& first, const ConvexView& second, const ContactPoint& contact,
                  double tolerance) const;
  bool reaches_neighbour(const ConvexView& view, double distance) const;
  Vec3 left_soonest_by_bodies(const OverlappingPair& pair, const Side (&sides)[2],
                              const Vec3& mean_normal, const Vec3& own_normal, double own_depth,
                              double tolerance, const Surroundings& surroundings);
  void add_points(const ConvexView& first, const ConvexView& second, const Side (&sides)[2],
                  ContactPoint c, double tolerance, ContactMode mode, double distance, Share share);
  void add_corners(const ConvexView& first, const ConvexView& second, double tolerance,
                   ContactMode mode, double distance, const ContactPoint& whole, Share share);

  PolyhedronOverlap overlap_;
  CrossingEdges crossings_;
  PairFeatures features_;
  ContactPoints result_;
};

}  // namespace solfec
