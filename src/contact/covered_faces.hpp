// Faces that a third body covers touch nothing, as inner faces of a mesh do: a block that slides
// over the seam of two others does not meet the side of the second one, though it has sunk in by
// next to nothing. Where two edges meet, so that the overlap is thin along more than one face, the
// contact goes to a face that is not covered; where all are, the bodies that cover them have it.
#pragma once

#include <functional>

#include "geometry/convex_view.hpp"

namespace solfec {

/// Whether a third body fills a place beside one of the two pieces, where the other one (0: the
/// first) would touch it.
struct Surroundings {
  std::function<bool(const Vec3& x, int toucher)> filled = {};
  Vec3 shift = Vec3::Zero();  ///< by which the first piece has been moved there
};

/// Below which an overlap does not tell on which face of an edge two pieces touch [m].
double thin_overlap(const ConvexView& first, const ConvexView& second, double tolerance);

/// Whether a body covers either piece at x, where a plane across the normal (out of the second one)
/// bounds it: it is right beside it, or at the other side of a joint over which the toucher
/// reaches.
bool is_covered(const ConvexView& first, const ConvexView& second, const Vec3& normal,
                const Vec3& x, double tolerance, const Surroundings& surroundings);

}  // namespace solfec
