#include "contact/depth_of_bodies.hpp"

#include <algorithm>
#include <limits>

namespace solfec {
namespace {

Box moved(const Box& box, const Vec3& by) { return {box.lower + by, box.upper + by}; }

}  // namespace

void DepthOfBodies::gather(const PlacedPieces& placed, int piece, std::vector<Around>& around) {
  const auto& [pieces, tree, exclusions] = placed;
  const int body = pieces.body(piece);
  around.clear();
  around.push_back({piece, false, 0});
  for (int feature : pieces.reference(body).adjacent(pieces.feature(piece)))
    if (const int other = pieces.first(body) + feature; pieces.kind(other) == PieceKind::polyhedron)
      around.push_back({other, false, 0});
  if (exclusions.empty()) return;
  const BodyId id = pieces.body_id(piece);
  tree.overlapping(pieces.boxes()[piece], [&](int other) {
    if (pieces.body(other) != body && pieces.kind(other) == PieceKind::polyhedron &&
        exclusions.bodies(id, pieces.body_id(other)))
      around.push_back({other, false, 0});
  });
}

void DepthOfBodies::take(const PlacedPieces& placed, int first, int second) {
  pieces_ = &placed.pieces;
  gather(placed, first, around_[0]);
  gather(placed, second, around_[1]);
}

double DepthOfBodies::along(const Parting& parting) {
  const auto& [normal, shift, place, flat, bound] = parting;
  const auto look = [&](Around& a, const Vec3& by, const Vec3& direction) {
    a.is_near = overlap(moved(pieces_->boxes()[a.piece], by), place);
    if (!a.is_near) return;
    const auto vertices = pieces_->vertices(a.piece);
    a.end = normal.dot(vertices[support_vertex(vertices, direction)] + by);
  };
  for (Around& a : around_[0]) look(a, shift, -normal);
  for (Around& b : around_[1]) look(b, Vec3::Zero(), normal);
  double most = -std::numeric_limits<double>::infinity();
  for (const Around& a : around_[0])
    for (const Around& b : around_[1]) {
      // The overlap of the projections, which bounds the way: hardly any pair has to be asked.
      const double projected = b.end - a.end;
      if (!a.is_near || !b.is_near || projected <= most ||
          !overlap(moved(pieces_->boxes()[a.piece], shift), pieces_->boxes()[b.piece]))
        continue;
      if (flat)
        most = projected;
      else if (const auto depth = exit_distance(pieces_->vertices(a.piece),
                                                pieces_->vertices(b.piece), normal, shift))
        most = std::max(most, *depth);
      if (most > bound) return most;
    }
  return most;
}

}  // namespace solfec
