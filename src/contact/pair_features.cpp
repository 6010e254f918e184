#include "contact/pair_features.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace solfec {
namespace {

// A plane whose normal is this near to a right angle with a line neither lets it in nor out.
constexpr double kSteep = 1e-6;
// A side of the other piece that leans by less bounds no depth: a vertex that is beside it by
// next to nothing would be as far away as the lean makes of that.
constexpr double kLateral = kFlat;
// A side that recedes under the surface leaves it along the normal: a point that is as deep as d is
// beside it by the slope times d; but for inner faces of a mesh, behind which there is a neighbour.
// A face that looks back, as that of a plate which the other piece has gone through, does not.
constexpr double kBack = -0.9;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Where two edges cross, seen along the normal, if they do. The edge of the second piece is on its
// upper side, the other one on the lower side of the first.
template <class Edge>
std::optional<PatchPoint> crossing_seen_along(const Vec3& normal, const Edge& first,
                                              const Edge& second) {
  const Vec3 a = first.end - first.start, b = second.end - second.start;
  const Vec3 across = normal.cross(b);
  constexpr double kParallel = 1e-6;
  if (std::abs(across.dot(a)) < kParallel * across.norm() * a.norm()) return {};
  const double start = across.dot(first.start - second.start);
  const double end = across.dot(first.end - second.start);
  if (!(start * end <= 0) || start == end) return {};
  const Vec3 x = first.start + start / (start - end) * a;
  const Vec3 along = across.cross(normal);
  const double place = along.dot(x - second.start) / along.dot(b);
  if (!(place >= 0 && place <= 1)) return {};
  const double depth = (second.start + place * b - x).dot(normal);
  return PatchPoint{x + 0.5 * depth * normal, depth};
}

bool is_at_neighbour(const ConvexView& view, const ConvexTopology::Edge& edge) {
  return view.internal[edge.left] || view.internal[edge.right];
}

bool is_at_neighbour(const ConvexView& view, int vertex) {
  const ConvexTopology& topology = *view.topology;
  return std::ranges::any_of(topology.edges_at(vertex),
                             [&](int e) { return is_at_neighbour(view, topology.edges[e]); });
}

}  // namespace

void PairFeatures::bound_by(const ConvexView& other, const Vec3& out_of_other, const Reach& reach,
                            bool open) {
  beyond_.clear();
  for (int f = 0; f < other.faces(); f++) {
    const bool internal = other.internal[f];
    const double slope = other.planes[f].normal.dot(out_of_other);
    const double back = open ? -1.0 : kBack;  // the neighbour may have a knife's other flank
    const double recedes = !internal && slope < 0 && slope > back ? -slope : 0.0;
    double margin = slope > kLateral ? reach.over : reach.tolerance + recedes * reach.deepest;
    if (internal) margin = open ? kUnbounded : reach.tolerance;
    beyond_.push_back({slope, margin, recedes, internal});
  }
}

void PairFeatures::add_vertex(const OverlappingPair& pair, int side, int vertex,
                              const Vec3& out_of_other, double deepest) {
  const ConvexView& view = pair.piece(side);
  const Vec3& x = view.vertices[vertex];
  const auto distance = [&](std::size_t p) {
    return pair.overlap.distance(side, vertex, static_cast<int>(p));
  };
  double depth = kUnbounded;
  for (std::size_t p = 0; p < beyond_.size(); p++) {
    const Beyond& plane = beyond_[p];
    if (plane.internal) continue;
    if (distance(p) > plane.margin) return;
    if (plane.slope > kLateral) depth = std::min(depth, -distance(p) / plane.slope);
  }
  if (depth == kUnbounded) return;
  // Over the other piece, as seen along the normal.
  for (std::size_t p = 0; p < beyond_.size(); p++) {
    const Beyond& plane = beyond_[p];
    const double above = plane.internal
                             ? plane.slope * depth
                             : plane.recedes * (deepest - std::clamp(depth, 0.0, deepest));
    if (distance(p) + above > plane.margin) return;
  }
  // The middle of what lies in both: of a small piece deep in the other one, in itself. Elements at
  // a node are to have the same one: behind faces between them the body goes on.
  double inside = depth;
  if (depth > 0)
    for (int f = 0; f < view.faces(); f++) {
      const double slope = view.planes[f].normal.dot(out_of_other);
      if (slope > kLateral && !view.internal[f])
        inside = std::min(inside, std::max(0.0, -view.planes[f].distance(x) / slope));
    }
  points_.push_back(
      {x + 0.5 * inside * out_of_other, depth, side == 0 ? Vertex::first : Vertex::second});
}

// The part of it that lies in the other piece, or over it.
void PairFeatures::add_edge(const OverlappingPair& pair, int side, const ConvexTopology::Edge& edge,
                            bool open) {
  const ConvexView& view = pair.piece(side);
  if (open && is_at_neighbour(view, edge)) return;
  const Vec3& start = view.vertices[edge.start];
  const Vec3 along = view.vertices[edge.end] - start;
  EdgePart part;
  if (open) {  // edges go on in the neighbour
    if (is_at_neighbour(view, edge.start)) part.from = -1;
    if (is_at_neighbour(view, edge.end)) part.to = 2;
  }
  for (int p = 0; p < static_cast<int>(beyond_.size()) && part.from < part.to; p++)
    if (const double margin = beyond_[p].margin; margin != kUnbounded)
      part.clip(pair.overlap.distance(side, edge.start, p) - margin,
                pair.overlap.distance(side, edge.end, p) - margin);
  if (part.from < part.to)
    edges_[side].push_back({start + part.from * along, start + part.to * along});
}

void PairFeatures::find_of_side(const OverlappingPair& pair, int side, const Vec3& normal,
                                const Reach& reach, InternalFaces internal_faces) {
  // From this piece to the surface of the other one that looks at it.
  const Vec3 out_of_other = side == 0 ? normal : Vec3(-normal);
  const bool open = internal_faces == InternalFaces::open;
  bound_by(pair.piece(1 - side), out_of_other, reach, open);
  const ConvexView& view = pair.piece(side);
  const ConvexTopology& topology = *view.topology;
  seen_vertex_.assign(view.vertices.size(), 0);
  seen_edge_.assign(topology.edges.size(), 0);
  for (int f = 0; f < view.faces(); f++) {
    if (view.internal[f] || view.planes[f].normal.dot(out_of_other) > -kSteep) continue;
    for (int k = topology.faces.begin[f]; k < topology.faces.begin[f + 1]; k++) {
      const int v = topology.faces.vertex[k], e = topology.face_edge[k];
      if (!std::exchange(seen_vertex_[v], 1) && !(open && is_at_neighbour(view, v)))
        add_vertex(pair, side, v, out_of_other, reach.deepest);
      if (!std::exchange(seen_edge_[e], 1)) add_edge(pair, side, topology.edges[e], open);
    }
  }
}

void PairFeatures::add_crossings(const Vec3& normal) {
  for (const EdgeInside& a : edges_[0])
    for (const EdgeInside& b : edges_[1])
      if (const auto crossing = crossing_seen_along(normal, a, b)) points_.push_back(*crossing);
}

void PairFeatures::find(const OverlappingPair& pair, const Vec3& normal, const Reach& reach,
                        InternalFaces internal_faces) {
  // Room for all but unusual pairs, so that a step which has more of them asks for no memory.
  constexpr std::size_t kUsual = 64;
  points_.clear();
  points_.reserve(kUsual);
  for (std::vector<EdgeInside>& edges : edges_) {
    edges.clear();
    edges.reserve(kUsual);
  }
  for (int side : {0, 1}) find_of_side(pair, side, normal, reach, internal_faces);
  add_crossings(normal);
}

void PairFeatures::find_with_neighbours(const OverlappingPair& pair, const Vec3& normal,
                                        double tolerance) {
  const double flat = kFlat * std::min(extent(pair.first), extent(pair.second));
  find(pair, normal, {tolerance, tolerance, flat}, InternalFaces::open);
}

void PairFeatures::keep_near(double tolerance, double slope, double distance) {
  if (points_.empty()) return;
  const Vec3 lowest = std::ranges::max_element(points_, {}, &PatchPoint::depth)->point;
  std::erase_if(points_, [&](const PatchPoint& p) {
    return p.depth < -tolerance - std::max(slope * (p.point - lowest).norm(), distance);
  });
}

// By as much as its depth, if it is small, a point may be astray: in a notch between two elements
// it touches both.
void PairFeatures::keep_own(const OverlappingPair& pair, const Vec3& normal, double tolerance,
                            double distance) {
  constexpr double kSmall = 10;
  const auto within = [&](const ConvexView& view, const Vec3& x, double astray) {
    for (int f = 0; f < view.faces(); f++)
      if (view.internal[f] && view.planes[f].distance(x) > astray) return false;
    return true;
  };
  std::erase_if(points_, [&](const PatchPoint& p) {
    const Vec3 half = 0.5 * p.depth * normal;  // to the surfaces of the two
    const double astray = std::clamp(p.depth, tolerance, kSmall * tolerance);
    return p.depth < -tolerance - distance || !within(pair.first, p.point - half, astray) ||
           !within(pair.second, p.point + half, astray);
  });
}

}  // namespace solfec
