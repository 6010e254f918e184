// Contact points of a pair of pieces, whatever their kinds.
#pragma once

#include "contact/contact_point.hpp"
#include "contact/pieces.hpp"
#include "contact/polyhedron_pair.hpp"

namespace solfec {

class NarrowPhase {
 public:
  /// Points where the two pieces are nearer than `tolerance` or overlap; the normal is outward of
  /// the second piece.
  ContactPoints find(PieceStore& pieces, int first, int second, double tolerance, ContactMode mode);

 private:
  PolyhedronPair polyhedra_;
};

}  // namespace solfec
