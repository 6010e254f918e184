// Contact points of a pair of pieces, whatever their kinds.
#pragma once

#include <optional>

#include "contact/contact_point.hpp"
#include "contact/pieces.hpp"
#include "contact/polyhedron_pair.hpp"

namespace solfec {

/// How a piece has moved:  x -> c + translation + D (x - c).
struct Displacement {
  Vec3 center, translation;
  Mat3 gradient;  ///< D

  Vec3 operator()(const Vec3& x) const { return center + translation + gradient * (x - center); }
};

/// Whether one of the two pieces is a ball or an ellipsoid.
bool is_curved_pair(const PieceStore& pieces, int first, int second);

/// Where such a pair touches, however wide its gap is, after its pieces have moved; a polyhedron
/// has turned only. Surfaces are left out.
std::optional<ContactPoint> moved_contact(PieceStore& pieces, int first, int second,
                                          const Displacement& of_first,
                                          const Displacement& of_second);

class NarrowPhase {
 public:
  /// Points where the two pieces are nearer than `tolerance` or overlap; the normal is outward of
  /// the second piece. What is returned lasts until the next call.
  const ContactPoints& find(PieceStore& pieces, int first, int second, double tolerance,
                            ContactMode mode);

 private:
  PolyhedronPair polyhedra_;
  ContactPoints one_;  // at most
};

}  // namespace solfec
