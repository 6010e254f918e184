// Distance of two convex polyhedra (Gilbert, Johnson, Keerthi 1988).
#pragma once

#include <optional>

#include "geometry/convex_view.hpp"

namespace solfec {

struct Separation {
  double distance;     ///< > 0 [m]
  Vec3 normal;         ///< unit vector from the second to the first
  Vec3 first, second;  ///< their nearest points
};

/// Nothing when they touch or overlap.
std::optional<Separation> separation_of(const ConvexView& first, const ConvexView& second);

}  // namespace solfec
