#include "contact/depth_of_bodies.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace solfec {
namespace {

Box moved(const Box& box, const Vec3& by) { return {box.lower + by, box.upper + by}; }

}  // namespace

void DepthOfBodies::gather(const PlacedPieces& placed, int piece, std::vector<int>& around) {
  const auto& [pieces, tree, exclusions] = placed;
  const int body = pieces.body(piece);
  around.clear();
  around.push_back(piece);
  for (int feature : pieces.reference(body).adjacent(pieces.feature(piece)))
    if (const int other = pieces.first(body) + feature; pieces.kind(other) == PieceKind::polyhedron)
      around.push_back(other);
  if (exclusions.empty()) return;
  const BodyId id = pieces.body_id(piece);
  tree.overlapping(pieces.boxes()[piece], [&](int other) {
    if (pieces.body(other) != body && pieces.kind(other) == PieceKind::polyhedron &&
        exclusions.bodies(id, pieces.body_id(other)))
      around.push_back(other);
  });
}

void DepthOfBodies::take(const PlacedPieces& placed, int first, int second) {
  pieces_ = &placed.pieces;
  gather(placed, first, around_[0]);
  gather(placed, second, around_[1]);
}

void DepthOfBodies::find_near(int side, const Box& place, const Vec3& shift,
                              const Vec3& towards_other) {
  near_[side].clear();
  for (const int piece : around_[side]) {
    const Box box = moved(pieces_->boxes()[piece], shift);
    if (!overlap(box, place)) continue;
    const auto vertices = pieces_->vertices(piece);
    const Vec3& end = vertices[support_vertex(vertices, towards_other)];
    near_[side].push_back({piece, box, towards_other.dot(end + shift)});
  }
  std::ranges::sort(near_[side], std::greater(), &Near::end);
}

double DepthOfBodies::along(const Parting& parting) {
  const auto& [normal, shift, place, flat, bound] = parting;
  find_near(0, place, shift, -normal);
  find_near(1, place, Vec3::Zero(), normal);
  double most = -std::numeric_limits<double>::infinity();
  for (const Near& a : near_[0])
    for (const Near& b : near_[1]) {
      // The overlap of the projections, which bounds the way: hardly any pair has to be asked.
      const double projected = a.end + b.end;
      if (projected <= most) break;
      if (!overlap(a.box, b.box)) continue;
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
