// Edges of two overlapping pieces that touch where they cross: the normal is then across both.
//
// The overlap of whole polyhedra shows it (its vector area). Near faces between elements it does
// not: those cut the overlap off, and of the two faces at a body's edge an element may have only
// one.
#pragma once

#include <vector>

#include "contact/pair_features.hpp"

namespace solfec {

/// Keeps its memory between calls.
class CrossingEdges {
 public:
  struct Crossing {
    Vec3 normal;   ///< across both edges, out of the second piece
    double depth;  ///< along it, to where a plane separates the pieces [m]
  };
  /// Of edges in the overlap that are the farthest parts of their pieces across both of them, each
  /// with a face that is not internal, and as far as the normal is another one than that.
  const std::vector<Crossing>& find(const OverlappingPair& pair, const Vec3& known,
                                    double tolerance);

 private:
  struct Edge {
    Vec3 start, direction;  // unit
    Vec3 left, right;       // into its faces, across it
  };
  void find_edges(const OverlappingPair& pair, int side, double tolerance);

  std::vector<Edge> edges_[2];
  std::vector<Crossing> crossings_;
};

}  // namespace solfec
