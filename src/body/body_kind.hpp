// The kinds of bodies, and what the rest of the program asks of a kind. Only body/ and input/ name
// single kinds (check.closed_sets): others ask for a property, so that a new kind is told here what
// it is.
#pragma once

#include <cstddef>
#include <cstdint>

namespace solfec {

enum class BodyKind : std::uint8_t { obstacle, rigid, pseudo_rigid, finite_element };

inline constexpr BodyKind kLastBodyKind = BodyKind::finite_element;
inline constexpr std::size_t kBodyKinds = static_cast<std::size_t>(kLastBodyKind) + 1;

struct BodyKindTraits {
  const char* name;  ///< in the log's count of bodies
  bool obstacle;     ///< moves as it is told; contacts and loads do not move it; every rank has it
  bool affine;       ///< x = xc + F (X - Xc) with an F that is no rotation: it deforms uniformly
  bool meshed;       ///< its velocities are those of the nodes of a mesh
  int dofs;          ///< velocities, 0 for three per node
};

constexpr BodyKindTraits traits_of(BodyKind kind) {
  switch (kind) {
    case BodyKind::obstacle:
      return {"obstacles", true, false, false, 6};
    case BodyKind::rigid:
      return {"rigid", false, false, false, 6};
    case BodyKind::pseudo_rigid:
      return {"pseudo-rigid", false, true, false, 12};
    case BodyKind::finite_element:
      return {"finite-element", false, false, true, 0};
  }
  __builtin_unreachable();
}

constexpr bool is_obstacle(BodyKind kind) { return traits_of(kind).obstacle; }
constexpr bool is_affine(BodyKind kind) { return traits_of(kind).affine; }
constexpr bool is_meshed(BodyKind kind) { return traits_of(kind).meshed; }
constexpr bool is_deformable(BodyKind kind) { return is_affine(kind) || is_meshed(kind); }
/// Moves, and keeps its shape.
constexpr bool is_rigid(BodyKind kind) { return !is_obstacle(kind) && !is_deformable(kind); }

}  // namespace solfec
