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

}  // namespace

bool is_curved_pair(const PieceStore& pieces, int first, int second) {
  return pieces.kind(first) != PieceKind::polyhedron ||
         pieces.kind(second) != PieceKind::polyhedron;
}

std::optional<ContactPoint> moved_contact(PieceStore& pieces, int first, int second,
                                          const Displacement& of_first,
                                          const Displacement& of_second) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const PieceKind kind1 = pieces.kind(first), kind2 = pieces.kind(second);
  if (kind2 == PieceKind::polyhedron)
    return moved_ellipsoid_polyhedron(as_ellipsoid(pieces, first), pieces.polyhedron(second),
                                      of_first, of_second, kAny);
  if (kind1 == PieceKind::polyhedron) {
    auto contact = moved_ellipsoid_polyhedron(as_ellipsoid(pieces, second),
                                              pieces.polyhedron(first), of_second, of_first, kAny);
    if (contact) contact = exchanged(*contact);
    return contact;
  }
  if (kind1 == PieceKind::ball && kind2 == PieceKind::ball)
    return ball_ball({of_first(pieces.ball(first).center), pieces.ball(first).radius},
                     {of_second(pieces.ball(second).center), pieces.ball(second).radius}, kAny);
  return ellipsoid_ellipsoid(moved(as_ellipsoid(pieces, first), of_first),
                             moved(as_ellipsoid(pieces, second), of_second), kAny);
}

const ContactPoints& NarrowPhase::find(PieceStore& pieces, int first, int second, double tolerance,
                                       ContactMode mode) {
  const PieceKind kind1 = pieces.kind(first), kind2 = pieces.kind(second);
  if (kind1 == PieceKind::polyhedron && kind2 == PieceKind::polyhedron)
    return polyhedra_.find(pieces.polyhedron(first), pieces.polyhedron(second), tolerance, mode);

  std::optional<ContactPoint> contact;
  if (kind1 == PieceKind::ball && kind2 == PieceKind::ball)
    contact = ball_ball(pieces.ball(first), pieces.ball(second), tolerance);
  else if (kind2 == PieceKind::polyhedron)
    contact =
        ellipsoid_polyhedron(as_ellipsoid(pieces, first), pieces.polyhedron(second), tolerance);
  else if (kind1 == PieceKind::polyhedron)
    contact =
        ellipsoid_polyhedron(as_ellipsoid(pieces, second), pieces.polyhedron(first), tolerance);
  else
    contact =
        ellipsoid_ellipsoid(as_ellipsoid(pieces, first), as_ellipsoid(pieces, second), tolerance);

  one_.count = 0;
  if (!contact) return one_;
  if (kind1 == PieceKind::polyhedron) {
    contact->surface1 = pieces.surface(second);
    contact = exchanged(*contact);
  } else {
    contact->surface1 = pieces.surface(first);
    if (kind2 != PieceKind::polyhedron) contact->surface2 = pieces.surface(second);
  }
  one_.add(*contact);
  return one_;
}

}  // namespace solfec
