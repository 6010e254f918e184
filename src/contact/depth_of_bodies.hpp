// How deep the bodies of two elements overlap where these touch: elements by themselves are left
// over internal faces, where their bodies are not.
#pragma once

#include <vector>

#include "contact/covered_faces.hpp"
#include "contact/exclusions.hpp"
#include "contact/pieces.hpp"
#include "geometry/box_tree.hpp"

namespace solfec {

/// Where pieces are and what must not touch.
struct PlacedPieces {
  const PieceStore& pieces;
  const BoxTree& tree;
  const ContactExclusions& exclusions;
};

/// Of two pieces, and those around them: those of their bodies that share a node or vertex with
/// them, and those of bodies that these must not touch, as parts of one mesh. Keeps its memory
/// between pairs.
class DepthOfBodies {
 public:
  void take(const PlacedPieces& placed, int first, int second);

  /// How far the first pieces have to go to leave the second ones: of pairs whose boxes overlap,
  /// and reach to the place. Where the two barely touch the overlap of projections.
  double along(const Parting& parting);

 private:
  // Of those around, one that reaches to the place.
  struct Near {
    int piece;
    Box box;
    double end;  // of its projection on the direction towards the other side
  };
  static void gather(const PlacedPieces& placed, int piece, std::vector<int>& around);
  void find_near(int side, const Box& place, const Vec3& shift, const Vec3& towards_other);

  const PieceStore* pieces_ = nullptr;
  std::vector<int> around_[2];
  std::vector<Near> near_[2];  // the farthest first
};

}  // namespace solfec
