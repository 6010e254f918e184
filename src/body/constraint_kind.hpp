// The kinds of constraints, and what the rest of the program asks of a kind. Only body/ and input/
// name single kinds (check.closed_sets): others ask for a property, so that a new joint is told
// here what it is.
#pragma once

#include <cstdint>

namespace solfec {

enum class ConstraintKind : std::uint8_t {
  contact,
  // Joints:
  fixed_point,         ///< to a point in space or of another body
  fixed_direction,     ///< along one direction only
  prescribed_motion,   ///< along a direction, in space
  rigid_link,          ///< constant distance from a point in space or of another body
  glue,                ///< a fixed point between nodes of two parts of a body
  prescribed_motion3,  ///< along three directions, in space
  spring               ///< a force by the user's function between two points, or one and space
};

inline constexpr ConstraintKind kLastConstraintKind = ConstraintKind::spring;

struct ConstraintKindTraits {
  const char* name;     ///< CONSTRAINT.kind
  const char* made_by;  ///< in messages
  int directions;       ///< along which it binds the motion: 3, 1 (N), or 0: it has a law of forces
  bool moves;           ///< a point, as the script says
  bool two_points;      ///< acts between points that are apart, the second one maybe in space
};

constexpr ConstraintKindTraits traits_of(ConstraintKind kind) {
  switch (kind) {
    case ConstraintKind::contact:
      return {"CONTACT", "contact", 0, false, false};
    case ConstraintKind::fixed_point:
      return {"FIXPNT", "FIX_POINT", 3, false, false};
    case ConstraintKind::fixed_direction:
      return {"FIXDIR", "FIX_DIRECTION", 1, false, false};
    case ConstraintKind::prescribed_motion:
      return {"VELODIR", "prescribed motion", 1, true, false};
    case ConstraintKind::rigid_link:
      return {"RIGLNK", "PUT_RIGID_LINK", 1, false, true};
    case ConstraintKind::glue:
      return {"GLUE", "glue", 3, false, false};
    case ConstraintKind::prescribed_motion3:
      return {"VELODIR3", "prescribed motion", 3, true, false};
    case ConstraintKind::spring:
      return {"SPRING", "PUT_SPRING", 0, false, true};
  }
  __builtin_unreachable();
}

constexpr bool is_contact(ConstraintKind kind) { return kind == ConstraintKind::contact; }
/// Whether it is an equation for a motion, and no law of forces as those of contacts and springs.
constexpr bool binds(ConstraintKind kind) { return traits_of(kind).directions > 0; }
constexpr bool binds_all_directions(ConstraintKind kind) { return traits_of(kind).directions == 3; }
/// Whether its force follows from a function of the script.
constexpr bool is_spring(ConstraintKind kind) { return kind == ConstraintKind::spring; }
constexpr bool prescribes_motion(ConstraintKind kind) { return traits_of(kind).moves; }
constexpr bool joins_two_points(ConstraintKind kind) { return traits_of(kind).two_points; }
/// Whether it holds a point where it is.
constexpr bool fixes_point(ConstraintKind kind) {
  return binds_all_directions(kind) && !prescribes_motion(kind);
}
/// Whether it holds the distance of two points.
constexpr bool keeps_length(ConstraintKind kind) { return binds(kind) && joins_two_points(kind); }
/// Whether it holds a point along one direction.
constexpr bool fixes_direction(ConstraintKind kind) {
  return binds(kind) && !binds_all_directions(kind) && !prescribes_motion(kind) &&
         !joins_two_points(kind);
}
/// What PUT_RIGID_LINK makes of points that are apart, and of points that coincide.
inline constexpr ConstraintKind kLink = ConstraintKind::rigid_link,
                                kLinkOfNoLength = ConstraintKind::fixed_point;
/// Whether it moves a point along three directions.
constexpr bool prescribes_all_directions(ConstraintKind kind) {
  return binds_all_directions(kind) && prescribes_motion(kind);
}

}  // namespace solfec
