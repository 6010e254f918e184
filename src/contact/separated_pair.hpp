// Contact of two convex polyhedra that do not touch yet but will, if they go on as they move.
#pragma once

#include <optional>

#include "contact/polyhedron_pair.hpp"
#include "geometry/convex_distance.hpp"

namespace solfec {

/// Gap and normal after the first of two convex bodies has moved by a part of its way.
struct GapOnTheWay {
  double gap;
  Vec3 normal;
};

/// The part, at most 1, of a straight way after which the gap is `tolerance` at most; none when the
/// first body misses the second. The gap of convex bodies is a convex function of that part, so
/// that Newton's method comes to its first root from below.
template <class GapAt>
std::optional<double> part_of_way(const Vec3& way, double tolerance, const GapAt& gap_at) {
  constexpr int kMost = 50;
  double part = 0;
  for (int k = 0; k < kMost; k++) {
    const std::optional<GapOnTheWay> at = gap_at(part);
    if (!at) return {};
    if (at->gap <= tolerance) return part;
    const double closing = -way.dot(at->normal);
    if (!(closing > 0)) return {};
    part += at->gap / closing;
    if (part > 1) return {};
  }
  return {};
}

/// Whether a normal out of the second one, from its point x2 to x1 of the first, leans over an
/// internal face there: an element behind that face is nearer.
bool leans_over_neighbour(const ConvexView& first, const ConvexView& second, const Vec3& x1,
                          const Vec3& x2, const Vec3& normal, double tolerance);

/// Keeps its memory between calls.
class SeparatedPair {
 public:
  /// Moves the first one by `shift`; its separation from the second, then.
  std::optional<Separation> separation(const ConvexView& first, const ConvexView& second,
                                       const Vec3& shift);
  /// Contact points after the first one has moved by `shift` to where they overlap a little;
  /// corners that hover within `distance` too. What is returned lasts until the next call.
  const ContactPoints& find(const ConvexView& first, const ConvexView& second, const Vec3& shift,
                            double tolerance, ContactMode mode, double distance,
                            const Surroundings& surroundings = {});
  /// The same along a given normal, where they barely touch, at `point`; where PolyhedronPair finds
  /// nothing (corner against corner) that point.
  const ContactPoints& find_along(const Vec3& normal, const Vec3& point, const ConvexView& first,
                                  const ConvexView& second, const Vec3& shift, double tolerance,
                                  ContactMode mode, double distance);

 private:
  ConvexView moved(const ConvexView& first, const Vec3& shift);

  PolyhedronPair pair_;
  std::vector<Vec3> vertices_;
  std::vector<Plane> planes_;
  ContactPoints result_;
};

}  // namespace solfec
