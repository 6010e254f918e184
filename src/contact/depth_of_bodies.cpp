#include "contact/depth_of_bodies.hpp"

#include <algorithm>
#include <limits>

namespace solfec {
namespace {

// Calls work with the piece and those around it.
template <class Work>
void for_each_around(const PlacedPieces& placed, int piece, const Work& work) {
  const auto& [pieces, tree, exclusions] = placed;
  work(piece);
  const int body = pieces.body(piece);
  for (int feature : pieces.reference(body).adjacent(pieces.feature(piece)))
    if (const int other = pieces.first(body) + feature; pieces.kind(other) == PieceKind::polyhedron)
      work(other);
  if (exclusions.empty()) return;
  const BodyId id = pieces.body_id(piece);
  tree.overlapping(pieces.boxes()[piece], [&](int other) {
    if (pieces.body(other) != body && pieces.kind(other) == PieceKind::polyhedron &&
        exclusions.bodies(id, pieces.body_id(other)))
      work(other);
  });
}

Box moved(const Box& box, const Vec3& by) { return {box.lower + by, box.upper + by}; }

}  // namespace

double depth_of_bodies(const PlacedPieces& placed, int first, int second, const Vec3& normal,
                       const Vec3& shift, bool flat) {
  const PieceStore& pieces = placed.pieces;
  double most = -std::numeric_limits<double>::infinity();
  for_each_around(placed, first, [&](int a) {
    for_each_around(placed, second, [&](int b) {
      if (!overlap(moved(pieces.boxes()[a], shift), pieces.boxes()[b])) return;
      const auto of_first = pieces.vertices(a), of_second = pieces.vertices(b);
      if (flat)
        most = std::max(most, projected_overlap(of_first, of_second, normal) - normal.dot(shift));
      else if (const auto depth = exit_distance(of_first, of_second, normal, shift))
        most = std::max(most, *depth);
    });
  });
  return most;
}

}  // namespace solfec
