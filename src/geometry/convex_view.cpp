#include "geometry/convex_view.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "core/error.hpp"

namespace solfec {

ConvexTopology::ConvexTopology(FaceLoops loops) : faces(std::move(loops)) {
  std::map<std::pair<int, int>, int> edge_of;  // directed edge -> edge
  int vertices = 0;
  for (int f = 0; f < faces.count(); f++) {
    const auto loop = faces.loop(f);
    for (std::size_t k = 0; k < loop.size(); k++) {
      const int a = loop[k], b = loop[(k + 1) % loop.size()];
      vertices = std::max(vertices, a + 1);
      if (const auto opposite = edge_of.find({b, a}); opposite != edge_of.end()) {
        edges[opposite->second].right = f;
        face_edge.push_back(opposite->second);
      } else {
        edge_of[{a, b}] = static_cast<int>(edges.size());
        face_edge.push_back(static_cast<int>(edges.size()));
        edges.push_back({a, b, f, f});
      }
    }
  }
  vertex_begin.assign(static_cast<std::size_t>(vertices) + 1, 0);
  for (const Edge& e : edges) {
    vertex_begin[e.start + 1]++;
    vertex_begin[e.end + 1]++;
  }
  for (int v = 0; v < vertices; v++) vertex_begin[v + 1] += vertex_begin[v];
  vertex_edge.resize(2 * edges.size());
  std::vector<int> next(vertex_begin.begin(), vertex_begin.end() - 1);
  for (int e = 0; e < static_cast<int>(edges.size()); e++) {
    vertex_edge[next[edges[e].start]++] = e;
    vertex_edge[next[edges[e].end]++] = e;
  }
}

namespace {

// The Minkowski difference second - first, seen from a point `origin` of it.
class Difference {
 public:
  Difference(std::span<const Vec3> first, std::span<const Vec3> second, const Vec3& origin)
      : first_(first), second_(second), origin_(origin) {}

  Vec3 support(const Vec3& direction) const {
    return second_[support_vertex(second_, direction)] -
           first_[support_vertex(first_, -direction)] - origin_;
  }

 private:
  std::span<const Vec3> first_, second_;
  Vec3 origin_;
};

// Distance from the origin to the boundary along the ray r; nothing when the origin is outside or
// the search does not settle. The portal is a triangle of difference points that the ray crosses.
std::optional<double> ray_exit(const Difference& difference, const Vec3& r, double size) {
  constexpr double kRounding = 1e-14, kGrazing = 1e-12;  // of the size; cosine
  const double tolerance = kRounding * size;
  Vec3 v1 = difference.support(r);
  if (v1.dot(r) <= 0) return std::nullopt;
  Vec3 side = v1.cross(r);
  if (side.norm() <= tolerance) return v1.dot(r);
  Vec3 v2 = difference.support(side);
  if (v2.dot(side) <= 0) return std::nullopt;
  side = v1.cross(v2);
  if (side.dot(r) < 0) {
    std::swap(v1, v2);
    side = -side;
  }
  Vec3 v3;
  constexpr int kMaxIterations = 100;
  for (int i = 0;; i++) {
    if (i == kMaxIterations) return std::nullopt;
    v3 = difference.support(side);
    // By next to nothing: one of v1 and v2 once more, from which the search would go round.
    if (v3.dot(side) <= tolerance * side.norm()) return std::nullopt;
    if (v1.cross(v3).dot(r) > tolerance * size) {
      v2 = v3;
      side = v1.cross(v3);
    } else if (v3.cross(v2).dot(r) > tolerance * size) {
      v1 = v3;
      side = v3.cross(v2);
    } else {
      break;
    }
  }
  for (int i = 0; i < kMaxIterations; i++) {
    Vec3 normal = (v2 - v1).cross(v3 - v1);
    if (normal.dot(r) < 0) normal = -normal;
    const double length = normal.norm();
    if (length <= tolerance * size) return std::nullopt;
    normal /= length;
    const double slope = normal.dot(r);
    if (slope <= kGrazing) return std::nullopt;
    const Vec3 v4 = difference.support(normal);
    if ((v4 - v1).dot(normal) <= 4 * tolerance) return normal.dot(v1) / slope;
    const Vec3 cut = v4.cross(r);
    if (v1.dot(cut) < 0) {
      if (v2.dot(cut) < 0)
        v1 = v4;
      else
        v3 = v4;
    } else {
      if (v3.dot(cut) < 0)
        v2 = v4;
      else
        v1 = v4;
    }
  }
  return std::nullopt;
}

struct Interval {
  double low, high;
};

Interval project(std::span<const Vec3> vertices, const Vec3& direction) {
  Interval s{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Vec3& v : vertices) {
    const double h = direction.dot(v);
    s.low = std::min(s.low, h);
    s.high = std::max(s.high, h);
  }
  return s;
}

}  // namespace

double projected_overlap(std::span<const Vec3> first, std::span<const Vec3> second,
                         const Vec3& direction) {
  return project(second, direction).high - project(first, direction).low;
}

std::optional<double> exit_distance(std::span<const Vec3> first, std::span<const Vec3> second,
                                    const Vec3& direction, const Vec3& shift) {
  const Interval a = project(first, direction), b = project(second, direction);
  const double bound = b.high - a.low - direction.dot(shift);
  const double thickness = std::min(a.high - a.low, b.high - b.low);
  // The ray starts behind the origin, well inside of the difference; nearer when that is outside.
  constexpr double kNearest = 1e-10;  // of the thickness
  for (double behind = 0.25 * thickness; behind > kNearest * thickness; behind /= 16) {
    const Difference difference(first, second, shift - behind * direction);
    if (const auto exit = ray_exit(difference, direction, std::abs(bound) + thickness))
      return std::min(*exit - behind, bound);
  }
  return std::nullopt;
}

double directional_depth(std::span<const Vec3> first, std::span<const Vec3> second,
                         const Vec3& direction) {
  if (const auto exit = exit_distance(first, second, direction)) return *exit;
  return projected_overlap(first, second, direction);
}

}  // namespace solfec
