#include "contact/narrow_phase.hpp"

#include <limits>

#include "contact/ellipsoid_polyhedron.hpp"

namespace solfec {
namespace {

EllipsoidView as_ellipsoid(const PieceStore& pieces, int piece) {
  if (pieces.kind(piece) == PieceKind::ellipsoid) return pieces.ellipsoid(piece);
  const Ball& ball = pieces.ball(piece);
  return {ball.center, ball.radius * Mat3::Identity()};
}

EllipsoidView moved(const EllipsoidView& e, const Displacement& by) {
  return {by(e.center), by.gradient * e.map};
}

// In the axes of the polyhedron, which has turned, the ellipsoid is where it moved less that.
std::optional<ContactPoint> moved_ellipsoid_polyhedron(const EllipsoidView& ellipsoid,
                                                       const ConvexView& polyhedron,
                                                       const Displacement& of_ellipsoid,
                                                       const Displacement& of_polyhedron,
                                                       double tolerance) {
  const Displacement& p = of_polyhedron;
  const EllipsoidView at_end = moved(ellipsoid, of_ellipsoid);
  const Mat3 back = p.gradient.transpose();
  const EllipsoidView relative{p.center + back * (at_end.center - p.center - p.translation),
                               back * at_end.map};
  std::optional<ContactPoint> contact = ellipsoid_polyhedron(relative, polyhedron, tolerance);
  if (!contact) return std::nullopt;
  contact->point = p(contact->point);
  contact->normal = p.gradient * contact->normal;
  return contact;
}

// The plane of the face with an outward normal.
std::optional<Plane> face_with(const ConvexView& polyhedron, const Vec3& normal) {
  constexpr double kSame = 1e-12;  // 1 - cosine
  for (const Plane& plane : polyhedron.planes)
    if (plane.normal.dot(normal) > 1 - kSame) return plane;
  return std::nullopt;
}

ContactPoint ellipsoid_plane(const EllipsoidView& ellipsoid, const Plane& plane) {
  const Vec3 lowest = ellipsoid.center + ellipsoid.support(-plane.normal);
  ContactPoint contact;
  contact.normal = plane.normal;
  contact.gap = plane.distance(lowest);
  contact.point = lowest - 0.5 * contact.gap * plane.normal;
  return contact;
}

Plane moved(const Plane& plane, const Displacement& by) {
  const Vec3 normal = (by.gradient.inverse().transpose() * plane.normal).normalized();
  return {normal, normal.dot(by(plane.offset * plane.normal))};
}

// The algorithm for the kinds of a pair, one of which is a ball or an ellipsoid.
template <class Balls, class Ellipsoids, class EllipsoidPolyhedron>
std::optional<ContactPoint> by_kinds(const PieceStore& pieces, int first, int second,
                                     const Balls& balls, const Ellipsoids& ellipsoids,
                                     const EllipsoidPolyhedron& ellipsoid_and_polyhedron) {
  const PieceKind kind1 = pieces.kind(first), kind2 = pieces.kind(second);
  if (kind1 == PieceKind::ball && kind2 == PieceKind::ball) return balls();
  if (kind2 == PieceKind::polyhedron) return ellipsoid_and_polyhedron(first, second);
  if (kind1 != PieceKind::polyhedron) return ellipsoids();
  std::optional<ContactPoint> contact = ellipsoid_and_polyhedron(second, first);
  if (contact) contact = exchanged(*contact);
  return contact;
}

std::optional<ContactPoint> curved_contact(PieceStore& pieces, int first, int second,
                                           double tolerance) {
  return by_kinds(
      pieces, first, second,
      [&] { return ball_ball(pieces.ball(first), pieces.ball(second), tolerance); },
      [&] {
        return ellipsoid_ellipsoid(as_ellipsoid(pieces, first), as_ellipsoid(pieces, second),
                                   tolerance);
      },
      [&](int ellipsoid, int polyhedron) {
        return ellipsoid_polyhedron(as_ellipsoid(pieces, ellipsoid), pieces.polyhedron(polyhedron),
                                    tolerance);
      });
}

// Of a pair of an ellipsoid and a polyhedron, the first one moved by the shift.
bool at_seam(PieceStore& pieces, int first, int second, const Vec3& normal, double tolerance,
             const Surroundings& surroundings) {
  const bool first_is_curved = pieces.kind(first) != PieceKind::polyhedron;
  if (first_is_curved && pieces.kind(second) != PieceKind::polyhedron) return false;
  const double side = first_is_curved ? 1 : -1;
  EllipsoidView ellipsoid = as_ellipsoid(pieces, first_is_curved ? first : second);
  ellipsoid.center += side * surroundings.shift;
  return is_seam(ellipsoid, pieces.polyhedron(first_is_curved ? second : first), side * normal,
                 tolerance, first_is_curved ? 0 : 1, surroundings);
}

}  // namespace

bool is_curved_pair(const PieceStore& pieces, int first, int second) {
  return pieces.kind(first) != PieceKind::polyhedron ||
         pieces.kind(second) != PieceKind::polyhedron;
}

std::optional<ContactPoint> moved_contact(PieceStore& pieces, int first, int second,
                                          const Displacement& of_first,
                                          const Displacement& of_second) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const auto displacement = [&](int piece) -> const Displacement& {
    return piece == first ? of_first : of_second;
  };
  return by_kinds(
      pieces, first, second,
      [&] {
        return ball_ball({of_first(pieces.ball(first).center), pieces.ball(first).radius},
                         {of_second(pieces.ball(second).center), pieces.ball(second).radius}, kAny);
      },
      [&] {
        return ellipsoid_ellipsoid(moved(as_ellipsoid(pieces, first), of_first),
                                   moved(as_ellipsoid(pieces, second), of_second), kAny);
      },
      [&](int ellipsoid, int polyhedron) {
        return moved_ellipsoid_polyhedron(as_ellipsoid(pieces, ellipsoid),
                                          pieces.polyhedron(polyhedron), displacement(ellipsoid),
                                          displacement(polyhedron), kAny);
      });
}

std::optional<ContactPoint> moved_face_contact(PieceStore& pieces, int first, int second,
                                               const Vec3& normal, const Displacement& of_first,
                                               const Displacement& of_second) {
  const auto none = [] { return std::optional<ContactPoint>(); };
  const auto displacement = [&](int piece) -> const Displacement& {
    return piece == first ? of_first : of_second;
  };
  return by_kinds(pieces, first, second, none, none, [&](int ellipsoid, int polyhedron) {
    const Vec3 outward = polyhedron == second ? normal : Vec3(-normal);
    const std::optional<Plane> face = face_with(pieces.polyhedron(polyhedron), outward);
    if (!face) return none();
    return std::optional(
        ellipsoid_plane(moved(as_ellipsoid(pieces, ellipsoid), displacement(ellipsoid)),
                        moved(*face, displacement(polyhedron))));
  });
}

// Surfaces of balls and ellipsoids are those of their pieces.
void NarrowPhase::keep(const PieceStore& pieces, int first, int second, ContactPoint contact) {
  if (pieces.kind(first) != PieceKind::polyhedron) contact.surface1 = pieces.surface(first);
  if (pieces.kind(second) != PieceKind::polyhedron) contact.surface2 = pieces.surface(second);
  one_.add(contact);
}

// With next to no overlap it does not tell the normal: a corner on a face would as well be on a
// face of its own. The separation does, after the first one has been lifted a little.
const ContactPoints& NarrowPhase::touching_polyhedra(const ConvexView& first,
                                                     const ConvexView& second, double tolerance,
                                                     ContactMode mode, double distance,
                                                     const Surroundings& surroundings) {
  constexpr double kShallow = 10;  // tolerances
  constexpr double kSame = 1e-12;  // 1 - cosine
  const auto find_them = [&]() -> const ContactPoints& {
    return polyhedra_.find(first, second, tolerance, mode, distance, surroundings);
  };
  const ContactPoints& found = find_them();
  if (distance == 0 || found.count == 0) return found;
  const Vec3 normal = found.points[0].normal;
  double depth = 0;
  for (int k = 0; k < found.count; k++) depth = std::max(depth, -found.points[k].gap);
  if (depth > kShallow * tolerance) return found;
  const Vec3 lift = (depth + kShallow * tolerance) * normal;
  const auto apart = separated_.separation(first, second, lift);
  if (!apart || apart->normal.dot(normal) > 1 - kSame ||
      leans_over_neighbour(first, second, apart->first - lift, apart->second, apart->normal,
                           tolerance))
    return found;
  const ContactPoints& along =
      polyhedra_.find_along(apart->normal, first, second, tolerance, mode, distance);
  return along.count > 0 ? along : find_them();
}

const ContactPoints& NarrowPhase::find(PieceStore& pieces, int first, int second, double tolerance,
                                       ContactMode mode, double distance,
                                       const Surroundings& surroundings) {
  if (!is_curved_pair(pieces, first, second))
    return touching_polyhedra(pieces.polyhedron(first), pieces.polyhedron(second), tolerance, mode,
                              distance, surroundings);
  one_.clear();
  const auto contact = curved_contact(pieces, first, second, tolerance);
  if (contact && !at_seam(pieces, first, second, contact->normal, tolerance, surroundings))
    keep(pieces, first, second, *contact);
  return one_;
}

NarrowPhase::ContactsAhead NarrowPhase::find_ahead(PieceStore& pieces, int first, int second,
                                                   const RelativeMotion& motion, const Reach& reach,
                                                   double tolerance, ContactMode mode,
                                                   const Surroundings& surroundings) {
  return is_curved_pair(pieces, first, second)
             ? curved_ahead(pieces, first, second, motion, reach, tolerance, surroundings)
             : polyhedra_ahead(pieces.polyhedron(first), pieces.polyhedron(second), motion, reach,
                               tolerance, mode, surroundings);
}

NarrowPhase::ContactsAhead NarrowPhase::curved_ahead(PieceStore& pieces, int first, int second,
                                                     const RelativeMotion& motion,
                                                     const Reach& reach, double tolerance,
                                                     const Surroundings& surroundings) {
  one_.clear();
  const ContactsAhead none{one_, Vec3::Zero(), false};
  const auto now = curved_contact(pieces, first, second, reach.distance);
  if (!now) return none;
  const Vec3 way = motion(now->point);
  std::optional<ContactPoint> there;
  const auto part = part_of_way(way, tolerance, [&](double s) -> std::optional<GapOnTheWay> {
    there = moved_contact(pieces, first, second, {Vec3::Zero(), s * way, Mat3::Identity()},
                          {Vec3::Zero(), Vec3::Zero(), Mat3::Identity()});
    if (!there) return {};
    return GapOnTheWay{there->gap, there->normal};
  });
  if (!part && now->gap > reach.near) return none;
  const Vec3 shift = part ? Vec3(*part * way) : Vec3(Vec3::Zero());
  const ContactPoint& contact = part ? *there : *now;
  if (at_seam(pieces, first, second, contact.normal, tolerance, {surroundings.filled, shift}))
    return none;
  keep(pieces, first, second, contact);
  return {one_, shift, !part};
}

NarrowPhase::ContactsAhead NarrowPhase::polyhedra_ahead(
    const ConvexView& first, const ConvexView& second, const RelativeMotion& motion,
    const Reach& reach, double tolerance, ContactMode mode, const Surroundings& surroundings) {
  constexpr double kInto = 20, kFalls = 4;  // times the tolerance, and the fall
  one_.clear();
  const auto now = separated_.separation(first, second, Vec3::Zero());
  if (!now || now->distance > reach.distance) return {one_, Vec3::Zero(), false};
  const Vec3 way = motion(0.5 * (now->first + now->second));
  const auto part = part_of_way(way, tolerance, [&](double s) -> std::optional<GapOnTheWay> {
    const auto apart = separated_.separation(first, second, s * way);
    if (!apart) return GapOnTheWay{0, Vec3::Zero()};
    return GapOnTheWay{apart->distance, apart->normal};
  });
  if (part) {
    // A little further on, so that the overlap tells the normal: of a box that slides over a seam
    // between two others that of the floor, and not of the side that it comes to.
    const double into = kInto * tolerance + kFalls * reach.fall;
    const Vec3 shift = (*part + into / way.norm()) * way;
    const ContactPoints& points =
        separated_.find(first, second, shift, tolerance, mode, reach.distance, surroundings);
    if (points.count > 0) return {points, shift, false};
  }
  if (now->distance > reach.near ||
      is_covered(first, second, now->normal, 0.5 * (now->first + now->second), tolerance,
                 surroundings))
    return {one_, Vec3::Zero(), false};
  // Of pieces that are apart by rounding the direction is that of rounding, too.
  if (projected_overlap(first.vertices, second.vertices, now->normal) > tolerance)
    return {one_, Vec3::Zero(), false};
  const Vec3 shift = -now->distance * now->normal;
  const ContactPoints& points = separated_.find_along(now->normal, now->second, first, second,
                                                      shift, tolerance, mode, reach.distance);
  return {points, shift, true};
}

}  // namespace solfec
