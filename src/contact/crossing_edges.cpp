#include "contact/crossing_edges.hpp"

#include <algorithm>

namespace solfec {

// Those that have a part in the other piece, which goes on behind its internal faces.
void CrossingEdges::find_edges(const OverlappingPair& pair, int side, double tolerance) {
  const ConvexView &view = pair.piece(side), &other = pair.piece(1 - side);
  edges_[side].clear();
  for (const auto& [start, end, left, right] : view.topology->edges) {
    if (view.internal[left] && view.internal[right]) continue;
    EdgePart part;
    for (int p = 0; p < other.faces() && part.from <= part.to; p++)
      if (!other.internal[p])
        part.clip(pair.overlap.distance(side, start, p) - tolerance,
                  pair.overlap.distance(side, end, p) - tolerance);
    if (part.from > part.to) continue;
    const Vec3& x = view.vertices[start];
    const Vec3 along = (view.vertices[end] - x).normalized();
    edges_[side].push_back(
        {x, along, view.planes[left].normal.cross(along), along.cross(view.planes[right].normal)});
  }
}

const std::vector<CrossingEdges::Crossing>& CrossingEdges::find(const OverlappingPair& pair,
                                                                const Vec3& known,
                                                                double tolerance) {
  constexpr double kParallel = kFlat, kRounding = 1e-9;  // sines
  crossings_.clear();
  for (int side : {0, 1}) find_edges(pair, side, tolerance);
  for (const Edge& a : edges_[0])
    for (const Edge& b : edges_[1]) {
      const Vec3 across = a.direction.cross(b.direction);
      const double sine = across.norm();
      if (sine < kParallel) continue;
      // The first piece is to be on the side to which the normal looks, the second on the other.
      const auto [least, most] = std::minmax(
          {across.dot(a.left), across.dot(a.right), -across.dot(b.left), -across.dot(b.right)});
      if (least < -kRounding && most > kRounding) continue;
      const Vec3 normal = (most > -least ? 1 : -1) / sine * across;
      const double depth = normal.dot(b.start - a.start);
      if (depth > -tolerance && (normal - known).norm() > kFlat)
        crossings_.push_back({normal, depth});
    }
  return crossings_;
}

}  // namespace solfec
