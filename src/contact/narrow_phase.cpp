#include "contact/narrow_phase.hpp"

#include "contact/ellipsoid_polyhedron.hpp"

namespace solfec {
namespace {

EllipsoidView as_ellipsoid(const PieceStore& pieces, int piece) {
  if (pieces.kind(piece) == PieceKind::ellipsoid) return pieces.ellipsoid(piece);
  const Ball& ball = pieces.ball(piece);
  return {ball.center, ball.radius * Mat3::Identity()};
}

}  // namespace

ContactPoints NarrowPhase::find(PieceStore& pieces, int first, int second, double tolerance,
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

  ContactPoints result;
  if (!contact) return result;
  if (kind1 == PieceKind::polyhedron) {
    contact->surface1 = pieces.surface(second);
    contact = exchanged(*contact);
  } else {
    contact->surface1 = pieces.surface(first);
    if (kind2 != PieceKind::polyhedron) contact->surface2 = pieces.surface(second);
  }
  result.add(*contact);
  return result;
}

}  // namespace solfec
