// How deep the bodies of two elements overlap where these touch: elements by themselves are left
// over internal faces, where their bodies are not.
#pragma once

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

/// How far the first piece and those around it, moved by `shift`, have to go along a unit vector,
/// out of the second, to leave the second piece and those around that: of pairs whose boxes
/// overlap. Around a piece are those of its body that share a node or vertex with it, and those of
/// bodies that it must not touch, as parts of one mesh. Where the two barely touch (`flat`) the
/// overlap of projections.
double depth_of_bodies(const PlacedPieces& placed, int first, int second, const Vec3& normal,
                       const Vec3& shift, bool flat);

}  // namespace solfec
