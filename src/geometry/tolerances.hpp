// Tolerances of geometry. All but the last one are relative to a size, said where they are used.
#pragma once

namespace solfec {

/// Of the size of a body, a piece or an element: differences of positions that rounding makes, with
/// room. Points nearer than that are one, faces flatter than that are plane, boxes are grown by it
/// so that rounding hides nothing. Of cosines too.
inline constexpr double kSamePlace = 1e-9;

/// Of the size of a solid or an element: a point that far outside of it still counts as on it, as
/// scripts give points with few digits.
inline constexpr double kOnSurface = 1e-6;

/// Of the cube of its size: an element with less volume has none.
inline constexpr double kNoVolume = 1e-12;

/// Of two moments of inertia: when they are that near they are one.
inline constexpr double kSameMoment = 1e-6;

/// The least number to divide by where it may be zero.
inline constexpr double kNotZero = 1e-300;

}  // namespace solfec
