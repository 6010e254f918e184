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
// them the three directions are compared as if they were not there, as the body goes on behind.
// Where the normal would else lean over one of them, vertices and crossings of edges that are on
// elements behind them are left to these. Where the vector area vanishes, one piece sticks right
// through the other: the normal is then the face normal with the smallest overlap.
//
// Several points: seen along the normal, the depth is a concave function over the common projection
// of the two, linear between their vertices and the crossings of their edges (of faces that look at
// the other one). These are the points where two polyhedra can press: each is a feature of either
// body. Where the overlap merely runs out, as under a tilted box, nothing presses.
#pragma once

#include <optional>

#include "contact/covered_faces.hpp"
#include "contact/manifold.hpp"
#include "geometry/polyhedron_overlap.hpp"

namespace solfec {

/// Part of an edge that lies in the other piece, or over it.
struct EdgeInside {
  Vec3 start, end;
};

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
  bool reaches_neighbour(const ConvexView& view, double distance) const;
  double depth_with_neighbours(const ConvexView& first, const ConvexView& second,
                               const Vec3& normal, double tolerance);
  void keep_own_points(const ConvexView& first, const ConvexView& second, const Vec3& normal,
                       double tolerance, double distance);
  std::optional<Vec3> normal_with_neighbours(const ConvexView& first, const ConvexView& second,
                                             const Side (&sides)[2], const Vec3& mean_normal,
                                             double tolerance);
  void add_points(const ConvexView& first, const ConvexView& second, const Side (&sides)[2],
                  ContactPoint c, double tolerance, ContactMode mode, double distance,
                  bool has_points);
  void add_vertex(const ConvexView& view, int side, int vertex, const Vec3& out_of_other,
                  double deepest);
  // Bounds of the pieces; or open: elements behind them go on, and so do edges that end there.
  enum class InternalFaces { bound, open };
  void collect_features(const ConvexView& first, const ConvexView& second, const Vec3& normal,
                        double tolerance, double reach, double deepest,
                        InternalFaces internal_faces);
  void collect_features(const ConvexView& view, const ConvexView& other, int side,
                        const Vec3& normal, double tolerance, double reach, double deepest,
                        InternalFaces internal_faces);
  void collect_points(const ConvexView& first, const ConvexView& second, const Vec3& normal,
                      double tolerance, double reach, double distance, double deepest);
  void add_corners(const ConvexView& first, const ConvexView& second, double tolerance,
                   ContactMode mode, double distance, const ContactPoint& whole, bool has_points);

  PolyhedronOverlap overlap_;
  std::vector<std::uint8_t> seen_vertex_, seen_edge_;
  // Of each plane of the other piece: how much it looks at this one, how far beyond it counts, and
  // how much of that is for each metre of the pair's depth. Internal ones bound no depth: a vertex
  // is on the element that has the surface over it.
  struct Beyond {
    double slope, margin, recedes;
    bool internal;
  };
  std::vector<Beyond> beyond_;
  std::vector<EdgeInside> edges_[2];
  std::vector<PatchPoint> points_;
  ContactPoints result_;
};

}  // namespace solfec
