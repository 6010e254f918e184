// What the narrow phase says of a pair of pieces.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "core/vector.hpp"

namespace solfec {

/// Whose vertex, or node, a contact point is: it moves with that body, and the normal turns with
/// the other one. None of crossing edges, of balls and ellipsoids.
enum class Vertex : std::uint8_t { none, first, second };

/// One point where two pieces touch. The normal is outward of the second piece, so that it points
/// from the second into the first; `gap` is negative in penetration: moving the first piece by
/// -gap along the normal separates the two.
struct ContactPoint {
  Vec3 point;
  Vec3 normal;
  double gap = 0;   ///< [m]
  double area = 0;  ///< of the overlap projected along the normal [m^2]
  int surface1 = 0, surface2 = 0;
  Vertex vertex = Vertex::none;
};

/// The same seen with the two pieces exchanged.
inline ContactPoint exchanged(ContactPoint c) {
  c.normal = -c.normal;
  std::swap(c.surface1, c.surface2);
  if (c.vertex != Vertex::none)
    c.vertex = c.vertex == Vertex::first ? Vertex::second : Vertex::first;
  return c;
}

/// The points of one pair: up to eight corners that touch, a deeper point, and eight that hover.
struct ContactPoints {
  static constexpr int kMost = 17;
  std::array<ContactPoint, kMost> points;
  int count = 0;
  /// None, as elements behind internal faces have the contact.
  bool left_to_neighbour = false;

  void clear() {
    count = 0;
    left_to_neighbour = false;
  }
  void add(const ContactPoint& point) { points[count++] = point; }
};

/// How many points a pair of polyhedra may have (SOLFEC.contact_points: one or many).
enum class ContactMode {
  one,
  many,
  patch  ///< as many, and the other corners of flat patches, which do not touch
};

}  // namespace solfec
