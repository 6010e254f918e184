// The intersection of two convex polyhedra, as the pieces of their faces that bound it.
#pragma once

#include <vector>

#include "geometry/convex_view.hpp"

namespace solfec {

/// Part of one polyhedron's face that lies in the other polyhedron.
struct OverlapFace {
  int side;  ///< 0: face of the first polyhedron, 1: of the second
  int face;
  double area;  ///< [m^2]
  Vec3 centroid;
  int begin, end;  ///< corners in PolyhedronOverlap::corners
};

/// Each face of either polyhedron is clipped by the planes of the other one. Nothing is assumed of
/// the position of the two: coincident faces and touching pairs give the common polygon twice,
/// once for either side. The object keeps its memory between calls.
class PolyhedronOverlap {
 public:
  /// False when some face plane separates the two by more than `tolerance`. Overlaps flatter than
  /// twice the tolerance are clipped with planes moved outwards by it, so that touching faces are
  /// found.
  bool compute(const ConvexView& first, const ConvexView& second, double tolerance);

  const std::vector<OverlapFace>& faces() const { return faces_; }
  std::span<const Vec3> corners(const OverlapFace& face) const {
    return {corners_.data() + face.begin, static_cast<std::size_t>(face.end - face.begin)};
  }
  /// Largest signed distance by which a face plane separates the two (negative: overlap).
  double face_separation() const { return separation_; }
  /// The same by one face plane of a side.
  double separation(int side, int face) const { return separations_[side][face]; }
  /// Flatter than twice the tolerance.
  bool is_flat(double tolerance) const { return separation_ > -2 * tolerance; }
  /// Distance of a vertex from a face plane of the other polyhedron; only when compute() was true.
  double distance(int side, int vertex, int plane) const {
    return distance_[side][static_cast<std::size_t>(plane) * vertices_[side] + vertex];
  }

 private:
  bool measure(const ConvexView& of, const ConvexView& planes, int side, double tolerance);
  void clip(const ConvexView& subject, const ConvexView& clipper, int side, double margin);
  void keep(int side, int face, const Vec3& normal);

  std::vector<double> distance_[2];     // [plane of the other][vertex]
  std::vector<double> separations_[2];  // of the faces of either side
  std::size_t vertices_[2] = {};
  std::vector<Vec3> corners_, polygon_, clipped_;
  std::vector<OverlapFace> faces_;
  double separation_ = 0;
};

}  // namespace solfec
