// Faces that a third body covers touch nothing, as inner faces of a mesh do: a block that slides
// over the seam of two others does not meet the side of the second one, though it has sunk in by
// next to nothing. Where two edges meet, so that the overlap is thin along more than one face, the
// contact goes to a face that is not covered; where all are, the bodies that cover them have it.
// Nor do balls and ellipsoids touch an edge if another piece goes on beyond it where they are.
#pragma once

#include <functional>

#include "contact/ellipsoid_pair.hpp"
#include "geometry/box.hpp"
#include "geometry/convex_view.hpp"

namespace solfec {

/// A direction along which two bodies may leave each other, where two of their pieces touch.
struct Parting {
  const Vec3& normal;  ///< out of the second
  const Vec3& shift;   ///< by which the first is moved before
  const Box& place;    ///< of the contact
  bool flat;           ///< they barely touch there
  double bound;        ///< of a longer way any part that is longer will do
};

/// Whether a piece of a third body, or also another one of the body that is touched, fills a place
/// beside one of the two pieces, where the other one (0: the first) would touch it.
struct Surroundings {
  enum class By { third_bodies, touched_body_too };
  std::function<bool(const Vec3& x, int toucher, By by)> filled = {};
  Vec3 shift = Vec3::Zero();  ///< by which the first piece has been moved there
  /// Of the two bodies around the pieces (depth_of_bodies.hpp).
  std::function<double(const Parting& parting)> depth = {};
  /// Elements behind internal faces have not found the contact that was left to them.
  bool neighbours_missed_it = false;
};

/// Below which an overlap does not tell on which face of an edge two pieces touch [m].
double thin_overlap(const ConvexView& first, const ConvexView& second, double tolerance);

/// Whether a body covers either piece at x, where a plane across the normal (out of the second one)
/// bounds it: it is right beside it, or at the other side of a joint over which the toucher
/// reaches.
bool is_covered(const ConvexView& first, const ConvexView& second, const Vec3& normal,
                const Vec3& x, double tolerance, const Surroundings& surroundings);

/// Whether an ellipsoid touches an edge or a corner, with this normal out of the polyhedron, beyond
/// which another piece goes on with the face: under the ellipsoid, which touches that piece.
/// `toucher`: which of the two the ellipsoid is.
bool is_seam(const EllipsoidView& ellipsoid, const ConvexView& polyhedron, const Vec3& normal,
             double tolerance, int toucher, const Surroundings& surroundings);

}  // namespace solfec
