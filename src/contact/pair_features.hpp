// The points where two overlapping polyhedra can press: vertices and crossings of edges.
//
// Seen along the normal, the depth is a concave function over the common projection of the two,
// linear between their vertices and the crossings of their edges (of faces that look at the other
// one): each of its corners is a feature of either body. Where the overlap merely runs out, as
// under a tilted box, nothing presses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "contact/manifold.hpp"
#include "geometry/polyhedron_overlap.hpp"

namespace solfec {

/// Two pieces and what they have in common.
struct OverlappingPair {
  const PolyhedronOverlap& overlap;
  const ConvexView& first;
  const ConvexView& second;

  const ConvexView& piece(int side) const { return side == 0 ? first : second; }
};

/// Part of an edge, in shares of its length.
struct EdgePart {
  double from = 0, to = 1;

  /// What is on the inner side of a plane from which its ends have these distances.
  void clip(double start, double end) {
    if (end > start)
      to = std::min(to, start / (start - end));
    else if (end < start)
      from = std::max(from, start / (start - end));
    else if (start > 0)
      to = -std::numeric_limits<double>::infinity();
  }
};

/// Keeps its memory between calls.
class PairFeatures {
 public:
  /// Bounds of the pieces; or open: elements behind them go on, and so do edges that end there.
  enum class InternalFaces { bound, open };

  /// How far from the surface of the other piece a feature counts [m].
  struct Reach {
    double tolerance;  ///< beside it
    double over;       ///< over it
    double deepest;    ///< depth of the pair: a point as deep is beside sides that recede
  };

  /// Collects the points along a normal, out of the second piece.
  void find(const OverlappingPair& pair, const Vec3& normal, const Reach& reach,
            InternalFaces internal_faces);
  /// The same where elements behind internal faces go on, as far as they touch or are flat on each
  /// other.
  void find_with_neighbours(const OverlappingPair& pair, const Vec3& normal, double tolerance);

  /// Removes points that are farther apart than the tolerance and `distance`, or, where that is
  /// more, than the slope of flat patches makes of their way to the deepest point.
  void keep_near(double tolerance, double slope, double distance);
  /// Keeps points that touch, within `distance`, and are on these two pieces.
  void keep_own(const OverlappingPair& pair, const Vec3& normal, double tolerance, double distance);

  const std::vector<PatchPoint>& points() const { return points_; }

 private:
  struct EdgeInside {
    Vec3 start, end;
  };
  // Of each plane of the other piece: how much it looks at this one, how far beyond it counts, and
  // how much of that is for each metre of the pair's depth. Internal ones bound no depth: a vertex
  // is on the element that has the surface over it.
  struct Beyond {
    double slope, margin, recedes;
    bool internal;
  };

  void find_of_side(const OverlappingPair& pair, int side, const Vec3& normal, const Reach& reach,
                    InternalFaces internal_faces);
  void bound_by(const ConvexView& other, const Vec3& out_of_other, const Reach& reach, bool open);
  void add_vertex(const OverlappingPair& pair, int side, int vertex, const Vec3& out_of_other,
                  double deepest);
  void add_edge(const OverlappingPair& pair, int side, const ConvexTopology::Edge& edge, bool open);
  void add_crossings(const Vec3& normal);

  std::vector<std::uint8_t> seen_vertex_, seen_edge_;
  std::vector<Beyond> beyond_;
  std::vector<EdgeInside> edges_[2];
  std::vector<PatchPoint> points_;
};

}  // namespace solfec
