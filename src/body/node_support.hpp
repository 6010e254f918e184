// Supports of nodes of a finite-element body: directions along which their velocities are given in
// this step (domain/supports.hpp). They are not rows of W, but eliminated in the matrix of the body
// (supported_nodes.hpp).
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "core/vector.hpp"

namespace solfec {

struct NodeSupport {
  int node = -1;
  Mat3 free = Mat3::Zero();             ///< projection on the directions that are not supported
  Vec3 velocity = Vec3::Zero();         ///< at the end of the step; its supported part counts
  Vec3 impulse = Vec3::Zero();          ///< of the support in the step [N s]
  Vec3 impulse_at_ends = Vec3::Zero();  ///< and in no time, at the start and the end of the step

  Vec3 held(const Vec3& v) const { return v - free * v; }
};

/// Of supports with rising nodes; null where there is none.
template <class Support>
Support* support_of(std::span<Support> supports, int node) {
  const auto found = std::ranges::lower_bound(supports, node, {}, &NodeSupport::node);
  return found != supports.end() && found->node == node ? &*found : nullptr;
}

/// Share of the compliance of a supported node along supported directions that rows keep, so that a
/// contact there has a W with an inverse. Velocities of bodies do not have it.
inline constexpr double kSupportCompliance = 1e-8;

/// What stands in the place of the projection in rows: its square has that compliance.
inline Mat3 projection_of_rows(const Mat3& free) {
  static const double root = std::sqrt(kSupportCompliance);
  return free + root * (Mat3::Identity() - free);
}

}  // namespace solfec
