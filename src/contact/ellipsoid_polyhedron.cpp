#include "contact/ellipsoid_polyhedron.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/tolerances.hpp"

namespace solfec {
namespace {

// A local maximum of the gap over normals: normal, gap and the face it is charged to.
struct Maximum {
  Vec3 normal;
  double gap;
  int face;  // or kOfNeighbour: it leans over an internal face
};
constexpr int kOfNeighbour = -2;

// False for the normals of faces without area, and for sums of opposite normals: a polyhedron may
// have become flat.
bool is_direction(const Vec3& n) { return n.squaredNorm() > 0.5; }

class NormalMap {
 public:
  NormalMap(const EllipsoidView& ellipsoid, const ConvexView& polyhedron, double slack)
      : e_(ellipsoid), p_(polyhedron), topology_(*polyhedron.topology), slack_(slack) {}

  // Gap along a face's normal.
  double face_gap(int face) const {
    const Plane& plane = p_.planes[face];
    return plane.distance(e_.center) - e_.height(plane.normal);
  }

  // Climbs from a face. Nothing: the maximum belongs to a neighbour behind an internal face.
  std::optional<Maximum> climb(int face) const {
    return own(climb({At::face, face}, p_.planes[face].normal));
  }
  // Climbs from any normal; from none that is no direction.
  std::optional<Maximum> climb(const Vec3& n) const {
    if (!is_direction(n)) return std::nullopt;
    return own(climb_from_vertex(n));
  }
  // Whether they separate sooner on the other side, over internal faces: the ellipsoid is in an
  // element behind these, and touches this one in no more than a node or an edge.
  bool is_beyond_neighbour(const Maximum& found) const {
    const std::optional<Maximum> back = climb_from_vertex(-found.normal);
    return back && back->face == kOfNeighbour && back->gap > found.gap;
  }

 private:
  enum class At { face, edge, vertex, done, neighbour };
  struct Step {
    At at;
    int index = -1;
  };

  static std::optional<Maximum> own(const std::optional<Maximum>& found) {
    return found && found->face == kOfNeighbour ? std::nullopt : found;
  }

  std::optional<Maximum> climb_from_vertex(const Vec3& n) const {
    return climb({At::vertex, support_vertex(p_.vertices, n)}, n);
  }

  std::optional<Maximum> climb(Step step, Vec3 n) const {
    for (int i = 0; i < 64; i++) {
      switch (step.at) {
        case At::face:
          step = from_face(step.index, n);
          break;
        case At::edge:
          step = from_edge(step.index, n);
          break;
        case At::vertex:
          step = from_vertex(step.index, n);
          break;
        case At::done:
          return maximum(n);
        case At::neighbour:
          return Maximum{n, gap(n), kOfNeighbour};
      }
    }
    return maximum(n);
  }

  // Nothing where faces without area have led nowhere.
  std::optional<Maximum> maximum(const Vec3& n) const {
    const Maximum found{n, gap(n), charged_face(n)};
    if (!is_direction(n) || !std::isfinite(found.gap) || found.face < 0) return std::nullopt;
    return found;
  }

  double gap(const Vec3& n) const {
    const int v = support_vertex(p_.vertices, n);
    return n.dot(e_.center - p_.vertices[v]) - e_.height(n);
  }

  // Point of the ellipsoid that is nearest to the polyhedron along n.
  Vec3 foot(const Vec3& n) const { return e_.center - e_.support(n); }

  // Touching surface whose normal is closest to n.
  int charged_face(const Vec3& n) const {
    int best = -1;
    double cosine = -2;
    for (int f = 0; f < p_.faces(); f++) {
      if (p_.internal[f]) continue;
      const double c = n.dot(p_.planes[f].normal);
      if (c > cosine) {
        cosine = c;
        best = f;
      }
    }
    return best;
  }

  Step from_face(int face, Vec3& n) const {
    n = p_.planes[face].normal;
    const Vec3 x = foot(n);
    const auto loop = topology_.faces.loop(face);
    const int first = topology_.faces.begin[face];
    double worst = slack_;
    int beyond = -1;
    for (std::size_t k = 0; k < loop.size(); k++) {
      const Vec3& a = p_.vertices[loop[k]];
      const Vec3& b = p_.vertices[loop[(k + 1) % loop.size()]];
      const Vec3 outward = (b - a).cross(n);
      const double excess = outward.dot(x - a) / outward.norm();
      if (excess > worst) {
        worst = excess;
        beyond = topology_.face_edge[first + static_cast<int>(k)];
      }
    }
    if (beyond < 0) return {At::done};
    return {At::edge, beyond};
  }

  // Climbs along the arc between the normals of the two faces of an edge, from n.
  Step from_edge(int edge, Vec3& n) const {
    const auto& [start, end, left, right] = topology_.edges[edge];
    const Vec3& a = p_.vertices[start];
    const Vec3 along = (p_.vertices[end] - a).normalized();
    // Angles from the normal of the left face; the arc turns towards `side`.
    const Vec3& origin = p_.planes[left].normal;
    const Vec3 side = along.cross(origin);
    const double full = std::max(
        0.0, std::atan2(side.dot(p_.planes[right].normal), origin.dot(p_.planes[right].normal)));
    const auto normal_at = [&](double angle) -> Vec3 {
      return std::cos(angle) * origin + std::sin(angle) * side;
    };
    const SupportGap function(e_.center - a, e_);
    double angle = std::clamp(std::atan2(side.dot(n), origin.dot(n)), 0.0, full);
    n = normal_at(angle);
    SupportGap::Value at = function.value(n);
    for (int i = 0; i < 60; i++) {
      const Vec3 tangent = -std::sin(angle) * origin + std::cos(angle) * side;
      const double slope = tangent.dot(at.gradient);
      if (slope <= 0 && angle == 0) return to_face(left, n);
      if (slope >= 0 && angle == full) return to_face(right, n);
      const double bend = tangent.dot(at.curvature * tangent) + at.gap;  // minus d2g/dangle2
      const double step =
          slope / std::max(bend, kLeastBend * (bend < 0 ? -bend : bend) + 2 * std::abs(slope));
      if (std::abs(step) < kExactAngle) break;
      double length = 1, next_angle;
      Vec3 next;
      SupportGap::Value there;
      for (;; length *= 0.5) {
        next_angle = std::clamp(angle + length * step, 0.0, full);
        next = normal_at(next_angle);
        there = function.value(next);
        if (there.gap >= at.gap || length < kShortest) break;
      }
      const bool done = there.gap <= at.gap || std::abs(next_angle - angle) < kSameAngle;
      if (there.gap < at.gap) break;  // round-off
      angle = next_angle;
      n = next;
      at = there;
      if (done && angle > 0 && angle < full) break;
    }
    if (leans_over(left, n) || leans_over(right, n)) return {At::neighbour};
    const double s = along.dot(foot(n) - a);
    if (s < -slack_) return {At::vertex, start};
    if (s > along.dot(p_.vertices[end] - a) + slack_) return {At::vertex, end};
    return {At::done};
  }

  // Climbs within the region of a vertex, to a maximum or to the arc where the region ends.
  Step from_vertex(int vertex, Vec3& n) const {
    const Vec3& v = p_.vertices[vertex];
    const SupportGap function(e_.center - v, e_);
    SupportGap::Value at = function.value(n);
    for (int i = 0; i < 60; i++) {
      Vec3 d = function.ascent(n, at);
      if (d.norm() < kLeaves) break;
      Exit exit = exit_of_region(vertex, n, d);
      if (exit.length < kLeaves) {
        // Newton's direction leaves at once: the gradient may not.
        const Vec3 slope = at.gradient - n.dot(at.gradient) * n;
        d = d.norm() / slope.norm() * slope;
        exit = exit_of_region(vertex, n, d);
        if (exit.length < kLeaves) return {At::edge, exit.edge};
      }
      double length = std::min(1.0, exit.length);
      Vec3 next = (n + length * d).normalized();
      SupportGap::Value there = function.value(next);
      while (there.gap < at.gap && length > kShortest) {
        length *= 0.5;
        next = (n + length * d).normalized();
        there = function.value(next);
      }
      if (there.gap <= at.gap) break;  // round-off
      n = next;
      at = there;
      if (length == exit.length) return {At::edge, exit.edge};
    }
    for (int edge : topology_.edges_at(vertex)) {
      const auto& e = topology_.edges[edge];
      if (leans_over(e.left, n) || leans_over(e.right, n)) return {At::neighbour};
    }
    return {At::done};
  }

  // Where the ray n + t d leaves the region of a vertex.
  struct Exit {
    double length = std::numeric_limits<double>::infinity();
    int edge = -1;
  };
  Exit exit_of_region(int vertex, const Vec3& n, const Vec3& d) const {
    Exit exit;
    for (int edge : topology_.edges_at(vertex)) {
      const auto& e = topology_.edges[edge];
      const Vec3 away = p_.vertices[e.start == vertex ? e.end : e.start] - p_.vertices[vertex];
      const double rate = d.dot(away);
      if (rate <= 0) continue;
      const double length = std::max(0.0, -n.dot(away) / rate);
      if (length < exit.length) exit = {length, edge};
    }
    return exit;
  }

  // Whether a normal leans over an internal face, so that the element behind it is nearer.
  bool leans_over(int face, const Vec3& n) const {
    return p_.internal[face] && n.dot(p_.planes[face].normal) > kSamePlace;
  }
  Step to_face(int face, Vec3& n) const {
    n = p_.planes[face].normal;
    return p_.internal[face] ? Step{At::neighbour} : Step{At::face, face};
  }

  static constexpr double kExactAngle = 1e-13, kSameAngle = 1e-9;
  static constexpr double kShortest = 1e-9;   // part of a step
  static constexpr double kLeaves = 1e-12;    // angle: a step that short leaves its region at once
  static constexpr double kLeastBend = 1e-3;  // of its size, where it is none

  const EllipsoidView& e_;
  const ConvexView& p_;
  const ConvexTopology& topology_;
  double slack_;
};

}  // namespace

std::optional<ContactPoint> ellipsoid_polyhedron(const EllipsoidView& ellipsoid,
                                                 const ConvexView& polyhedron, double tolerance) {
  constexpr double kSlack = 1e-12;  // of the ellipsoid's size
  const NormalMap map(ellipsoid, polyhedron, kSlack * ellipsoid.map.norm());
  int start = -1;
  double most = -std::numeric_limits<double>::infinity();
  for (int f = 0; f < polyhedron.faces(); f++) {
    if (!is_direction(polyhedron.planes[f].normal)) continue;
    const double gap = map.face_gap(f);
    if (gap > tolerance) return std::nullopt;
    if (gap > most && !polyhedron.internal[f]) {
      most = gap;
      start = f;
    }
  }
  if (start < 0) return std::nullopt;
  std::optional<Maximum> best = map.climb(start);
  if (best && best->gap > tolerance) return std::nullopt;
  // What a neighbour owns still bounds what is worth reporting here.
  double gap = best ? best->gap : most;
  if (-gap > kDeep * ellipsoid.thickness()) {
    const auto compare = [&](const std::optional<Maximum>& other) {
      if (!other || other->gap <= gap) return;
      best = other;
      gap = other->gap;
    };
    for (int f = 0; f < polyhedron.faces(); f++)
      if (f != start && !polyhedron.internal[f]) compare(map.climb(f));
    const ConvexTopology& topology = *polyhedron.topology;
    for (const auto& edge : topology.edges)
      compare(map.climb((polyhedron.planes[edge.left].normal + polyhedron.planes[edge.right].normal)
                            .normalized()));
    for (int v = 0; v < static_cast<int>(polyhedron.vertices.size()); v++) {
      Vec3 n = Vec3::Zero();
      for (int e : topology.edges_at(v))
        n += polyhedron.planes[topology.edges[e].left].normal +
             polyhedron.planes[topology.edges[e].right].normal;
      compare(map.climb(n.normalized()));
    }
    for (const Vec3& n : spread_directions()) compare(map.climb(n));
    if (gap > tolerance || (best && map.is_beyond_neighbour(*best))) return std::nullopt;
  }
  if (!best) return std::nullopt;

  ContactPoint c;
  c.normal = best->normal;
  c.gap = best->gap;
  const Vec3 on_ellipsoid = ellipsoid.center - ellipsoid.support(best->normal);
  c.point = on_ellipsoid - 0.5 * best->gap * best->normal;
  c.area = cap_area(ellipsoid, best->normal, -best->gap);
  c.surface2 = polyhedron.surface[best->face];
  return c;
}

}  // namespace solfec
