#include "contact/polyhedron_pair.hpp"

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
// Of the area of the overlap: with less left over its faces point nowhere.
constexpr double kUndirected = 1e-3;
// Of a depth: points that are less deep by that part are as deep.
constexpr double kAsDeep = 1e-6;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Outward normal of the second piece's face, or inward of the first one's, with least overlap.
Vec3 least_overlap_normal(const ConvexView& first, const ConvexView& second) {
  double most = -kInfinity;
  Vec3 normal = Vec3::UnitZ();
  const auto search = [&](const ConvexView& faces, const ConvexView& other, double sign) {
    for (int f = 0; f < faces.faces(); f++) {
      if (faces.internal[f]) continue;
      const Plane& plane = faces.planes[f];
      const int v = support_vertex(other.vertices, -plane.normal);
      const double separation = plane.distance(other.vertices[v]);
      if (separation > most) {
        most = separation;
        normal = sign * plane.normal;
      }
    }
  };
  search(second, first, 1.0);
  search(first, second, -1.0);
  return normal;
}

// Where two edges cross, seen along the normal, if they do. The edge of the second piece is on its
// upper side, the other one on the lower side of the first.
std::optional<PatchPoint> crossing_seen_along(const Vec3& normal, const EdgeInside& first,
                                              const EdgeInside& second) {
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

}  // namespace

Vec3 PolyhedronPair::vector_area_normal(const ConvexView& first, const ConvexView& second,
                                        double tolerance) const {
  Vec3 sum[2] = {Vec3::Zero(), Vec3::Zero()};
  double total = 0;
  for (const OverlapFace& face : overlap_.faces()) {
    const ConvexView& view = face.side == 0 ? first : second;
    if (view.internal[face.face]) continue;
    sum[face.side] += face.area * view.planes[face.face].normal;
    total += face.area;
  }
  const Vec3 area = sum[1] - sum[0];
  const double size = area.norm();
  // Two edges that meet within rounding: what they cut off points anywhere.
  constexpr double kNothing = 1e-3;  // of the tolerance
  if (total <= std::pow(kNothing * tolerance, 2)) return Vec3::Zero();
  return size > kUndirected * total ? Vec3(area / size) : least_overlap_normal(first, second);
}

PolyhedronPair::Side PolyhedronPair::look_at(const ConvexView& view, int side,
                                             const Vec3& normal) const {
  const double sign = side == 0 ? -1 : 1;
  Side result;
  double total = 0, largest = 0;
  for (int i = 0; i < static_cast<int>(overlap_.faces().size()); i++) {
    const OverlapFace& face = overlap_.faces()[i];
    if (face.side != side) continue;
    const Vec3& n = view.planes[face.face].normal;
    const double projected = sign * face.area * n.dot(normal);
    total += std::abs(projected);  // the back of a sharp tip counts against its front
    if (view.internal[face.face]) {
      result.internal = true;
      continue;
    }
    if (projected > largest) {
      largest = projected;
      result.normal = sign * n;
      result.overlap_face = i;
      result.surface = view.surface[face.face];
    }
  }
  if (total > 0) result.share = largest / total;
  if (result.overlap_face < 0) {
    // Deep inside of the other piece: the surface that looks along the normal.
    double most = -2;
    for (int f = 0; f < view.faces(); f++)
      if (const double c = sign * view.planes[f].normal.dot(normal);
          c > most && !view.internal[f]) {
        most = c;
        result.surface = view.surface[f];
      }
  }
  return result;
}

// Whether the normal leans over an internal face, while no other face of that side carries the
// contact.
bool PolyhedronPair::leans_over_neighbour(const ConvexView& first, const ConvexView& second,
                                          const Side (&sides)[2], const Vec3& normal) const {
  constexpr double kCarries = 0.98, kLean = 0.5;
  return std::ranges::any_of(overlap_.faces(), [&](const OverlapFace& face) {
    const ConvexView& view = face.side == 0 ? first : second;
    const double sign = face.side == 0 ? -1 : 1;
    return sides[face.side].share < kCarries && view.internal[face.face] &&
           sign * view.planes[face.face].normal.dot(normal) > kLean;
  });
}

// Whether the overlap is nearer to an internal face than that.
bool PolyhedronPair::reaches_neighbour(const ConvexView& view, double distance) const {
  for (int f = 0; f < view.faces(); f++) {
    if (!view.internal[f]) continue;
    for (const OverlapFace& face : overlap_.faces())
      for (const Vec3& corner : overlap_.corners(face))
        if (view.planes[f].distance(corner) > -distance) return true;
  }
  return false;
}

// The largest one where internal faces are taken away, as the elements behind them go on; minus
// infinity where the two do not meet. Leaves the points of the two.
double PolyhedronPair::depth_with_neighbours(const ConvexView& first, const ConvexView& second,
                                             const Vec3& normal, double tolerance) {
  const double flat = kFlat * std::min(extent(first), extent(second));
  collect_features(first, second, normal, tolerance, tolerance, flat, InternalFaces::open);
  double most = -kInfinity;
  for (const PatchPoint& p : points_) most = std::max(most, p.depth);
  return most;
}

// Of these points those that touch and are on these two pieces. By as much as its depth, if it is
// small, a point may be astray: in a notch between two elements it touches both.
void PolyhedronPair::keep_own_points(const ConvexView& first, const ConvexView& second,
                                     const Vec3& normal, double tolerance, double distance) {
  constexpr double kSmall = 10;
  const auto within = [&](const ConvexView& view, const Vec3& x, double astray) {
    for (int f = 0; f < view.faces(); f++)
      if (view.internal[f] && view.planes[f].distance(x) > astray) return false;
    return true;
  };
  std::erase_if(points_, [&](const PatchPoint& p) {
    const Vec3 half = 0.5 * p.depth * normal;  // to the surfaces of the two
    const double astray = std::clamp(p.depth, tolerance, kSmall * tolerance);
    return p.depth < -tolerance - distance || !within(first, p.point - half, astray) ||
           !within(second, p.point + half, astray);
  });
}

void PolyhedronPair::add_vertex(const ConvexView& view, int side, int vertex,
                                const Vec3& out_of_other, double deepest) {
  const Vec3& x = view.vertices[vertex];
  const auto distance = [&](std::size_t p) {
    return overlap_.distance(side, vertex, static_cast<int>(p));
  };
  double depth = kInfinity;
  for (std::size_t p = 0; p < beyond_.size(); p++) {
    const Beyond& plane = beyond_[p];
    if (plane.internal) continue;
    if (distance(p) > plane.margin) return;
    if (plane.slope > kLateral) depth = std::min(depth, -distance(p) / plane.slope);
  }
  if (depth == kInfinity) return;
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

void PolyhedronPair::collect_features(const ConvexView& view, const ConvexView& other, int side,
                                      const Vec3& normal, double tolerance, double reach,
                                      double deepest, InternalFaces internal_faces) {
  // From this piece to the surface of the other one that looks at it. What is within reach over
  // that counts.
  const Vec3 out_of_other = side == 0 ? normal : Vec3(-normal);
  const bool open = internal_faces == InternalFaces::open;
  const int planes = other.faces();
  beyond_.clear();
  for (int f = 0; f < planes; f++) {
    const bool internal = other.internal[f];
    const double slope = other.planes[f].normal.dot(out_of_other);
    const double back = open ? -1.0 : kBack;  // depths are compared across a knife's flank, too
    const double recedes = !internal && slope < 0 && slope > back ? -slope : 0.0;
    double margin = slope > kLateral ? reach : tolerance + recedes * deepest;
    if (internal) margin = open ? kInfinity : tolerance;
    beyond_.push_back({slope, margin, recedes, internal});
  }
  const ConvexTopology& topology = *view.topology;
  const auto is_at_neighbour = [&](int vertex) {
    return std::ranges::any_of(topology.edges_at(vertex), [&](int e) {
      return view.internal[topology.edges[e].left] || view.internal[topology.edges[e].right];
    });
  };
  const auto add_edge = [&](const ConvexTopology::Edge& edge) {
    if (open && (view.internal[edge.left] || view.internal[edge.right])) return;
    const Vec3& start = view.vertices[edge.start];
    const Vec3 along = view.vertices[edge.end] - start;
    const double more = open ? 1 : 0;  // edges go on in the neighbour
    double from = is_at_neighbour(edge.start) ? -more : 0;
    double to = is_at_neighbour(edge.end) ? 1 + more : 1;
    for (int p = 0; p < planes && from < to; p++) {
      if (beyond_[p].margin == kInfinity) continue;
      const double a = overlap_.distance(side, edge.start, p) - beyond_[p].margin;
      const double b = overlap_.distance(side, edge.end, p) - beyond_[p].margin;
      if (b > a)
        to = std::min(to, a / (a - b));
      else if (b < a)
        from = std::max(from, a / (a - b));
      else if (a > 0)
        return;
    }
    if (from < to) edges_[side].push_back({start + from * along, start + to * along});
  };
  seen_vertex_.assign(view.vertices.size(), 0);
  seen_edge_.assign(topology.edges.size(), 0);
  for (int f = 0; f < view.faces(); f++) {
    if (view.internal[f] || view.planes[f].normal.dot(out_of_other) > -kSteep) continue;
    for (int k = topology.faces.begin[f]; k < topology.faces.begin[f + 1]; k++) {
      const int v = topology.faces.vertex[k], e = topology.face_edge[k];
      if (!std::exchange(seen_vertex_[v], 1) && !(open && is_at_neighbour(v)))
        add_vertex(view, side, v, out_of_other, deepest);
      if (!std::exchange(seen_edge_[e], 1)) add_edge(topology.edges[e]);
    }
  }
}

void PolyhedronPair::collect_features(const ConvexView& first, const ConvexView& second,
                                      const Vec3& normal, double tolerance, double reach,
                                      double deepest, InternalFaces internal_faces) {
  // Room for all but unusual pairs, so that a step which has more of them asks for no memory.
  constexpr std::size_t kUsual = 64;
  points_.clear();
  points_.reserve(kUsual);
  for (std::vector<EdgeInside>& edges : edges_) {
    edges.clear();
    edges.reserve(kUsual);
  }
  collect_features(first, second, 0, normal, tolerance, reach, deepest, internal_faces);
  collect_features(second, first, 1, normal, tolerance, reach, deepest, internal_faces);
  for (const EdgeInside& a : edges_[0])
    for (const EdgeInside& b : edges_[1])
      if (const auto crossing = crossing_seen_along(normal, a, b)) points_.push_back(*crossing);
}

void PolyhedronPair::collect_points(const ConvexView& first, const ConvexView& second,
                                    const Vec3& normal, double tolerance, double reach,
                                    double distance, double deepest) {
  collect_features(first, second, normal, tolerance, reach, deepest, InternalFaces::bound);
  if (points_.empty()) return;
  const Vec3 lowest = std::ranges::max_element(points_, {}, &PatchPoint::depth)->point;
  const double slope = reach > tolerance ? kFlat : 0.0;
  std::erase_if(points_, [&](const PatchPoint& p) {
    return p.depth < -tolerance - std::max(slope * (p.point - lowest).norm(), distance);
  });
}

void PolyhedronPair::add_corners(const ConvexView& first, const ConvexView& second,
                                 double tolerance, ContactMode mode, double distance,
                                 const ContactPoint& whole, bool has_points) {
  const double depth = -whole.gap;
  const bool patch = mode == ContactMode::patch;
  const double flat = kFlat * std::min(extent(first), extent(second));
  const double reach = tolerance + std::max(patch ? flat : 0.0, distance);
  // Deep ones count as flat: points are to lie in both pieces.
  if (!has_points)
    collect_points(first, second, whole.normal, tolerance, reach, distance,
                   std::clamp(depth, 0.0, flat));
  const ChosenPoints chosen =
      carrying_points(points_, whole.normal, tolerance + distance, tolerance, patch);
  // A piece that sticks right through the other one is deepest outside of the overlap.
  double deepest = -2 * tolerance;
  for (int k : chosen) deepest = std::max(deepest, points_[k].depth);
  if (!has_points && deepest < (1 - kAsDeep) * depth - tolerance) {
    result_.add(whole);
    return;
  }
  for (int k : chosen) {
    ContactPoint c = whole;
    c.point = points_[k].point;
    c.vertex = points_[k].vertex;
    c.gap = -points_[k].depth;
    c.area = whole.area / chosen.count;
    result_.add(c);
  }
}

void PolyhedronPair::add_points(const ConvexView& first, const ConvexView& second,
                                const Side (&sides)[2], ContactPoint c, double tolerance,
                                ContactMode mode, double distance, bool has_points) {
  double projected = 0;
  Vec3 moment = Vec3::Zero();
  for (const OverlapFace& face : overlap_.faces()) {
    const ConvexView& view = face.side == 0 ? first : second;
    const double s = face.area * std::abs(view.planes[face.face].normal.dot(c.normal));
    projected += s;
    moment += s * face.centroid;
  }
  if (!(projected > 0)) return;
  c.area = 0.5 * projected;
  c.point = moment / projected;
  c.surface1 = sides[0].surface;
  c.surface2 = sides[1].surface;
  if (mode == ContactMode::one)
    result_.add(c);
  else
    add_corners(first, second, tolerance, mode, distance, c, has_points);
}

// Of the same three; none where an element has no face of its own that looks at the other piece, so
// that it would go on for ever. An element alone is left soonest over an internal face.
std::optional<Vec3> PolyhedronPair::normal_with_neighbours(const ConvexView& first,
                                                           const ConvexView& second,
                                                           const Side (&sides)[2],
                                                           const Vec3& mean_normal,
                                                           double tolerance) {
  std::optional<Vec3> best;
  double least = kInfinity;
  const auto compare = [&](const Vec3& normal, double share) {
    const double depth = depth_with_neighbours(first, second, normal, tolerance);
    if (depth > -kInfinity && depth < share * least - kTie * tolerance) {
      least = depth;
      best = normal;
    }
    return depth > -kInfinity;
  };
  // Of equals the face that carries more. Internal faces tilt the mean, which is for edges that
  // cross: there it is by far the best.
  constexpr double kFarBetter = 0.9;
  const int more = sides[0].share > sides[1].share ? 0 : 1;
  for (int side : {more, 1 - more})
    if (sides[side].overlap_face >= 0 && !compare(sides[side].normal, 1)) return std::nullopt;
  compare(mean_normal, kFarBetter);
  return best;
}

Vec3 PolyhedronPair::middle() const {
  Vec3 moment = Vec3::Zero();
  double area = 0;
  for (const OverlapFace& face : overlap_.faces()) {
    moment += face.area * face.centroid;
    area += face.area;
  }
  return moment / area;
}

// Of a contact on a covered face: the normal of another face that separates the two nearly as soon;
// the contact's own one where nothing is covered, or no other face is as near; none where all are
// covered.
std::optional<Vec3> PolyhedronPair::open_normal(const ConvexView& first, const ConvexView& second,
                                                const ContactPoint& contact, double tolerance,
                                                const Surroundings& surroundings) const {
  constexpr double kOtherWay = 0.9;  // cosine, of the back of a plate, too
  if (!surroundings.filled) return contact.normal;
  const double thin = thin_overlap(first, second, tolerance);
  if (-contact.gap > thin) return contact.normal;
  const auto covered = [&](const Vec3& normal) {
    return is_covered(first, second, normal, middle(), tolerance, surroundings);
  };
  bool has_other = false;
  std::optional<Vec3> best;
  double most = -thin;
  for (int side = 0; side < 2; side++) {
    const ConvexView& view = side == 0 ? first : second;
    for (int f = 0; f < view.faces(); f++) {
      const double separation = overlap_.separation(side, f);
      if (view.internal[f] || separation < most) continue;
      const Vec3 normal = (side == 0 ? -1 : 1) * view.planes[f].normal;  // out of the second
      if (std::abs(normal.dot(contact.normal)) > kOtherWay) continue;
      if (!has_other && !covered(contact.normal)) return contact.normal;
      has_other = true;
      if (covered(normal)) continue;
      most = separation;
      best = normal;
    }
  }
  return has_other ? best : contact.normal;
}

// Minus how far the first has to go along the normal to leave the second. Where they barely touch
// all such distances are short: there it is the overlap of their projections.
double PolyhedronPair::gap_along(const ConvexView& first, const ConvexView& second,
                                 const Vec3& normal, double tolerance) const {
  return overlap_.is_flat(tolerance) ? -projected_overlap(first, second, normal)
                                     : -directional_depth(first, second, normal);
}

// Of three normals the one that separates the pieces soonest, and its gap: only then does the gap
// follow the velocity at the contact point while a corner slides over an edge. A face wins a tie if
// its plane separates them as soon.
ContactPoint PolyhedronPair::left_soonest(const ConvexView& first, const ConvexView& second,
                                          const Side (&sides)[2], const Vec3& mean_normal,
                                          double tolerance) const {
  ContactPoint c;
  c.normal = mean_normal;
  c.gap = gap_along(first, second, mean_normal, tolerance);
  double handicap = kTie * tolerance;
  for (const Side& side : sides) {
    if (side.overlap_face < 0 || side.normal == c.normal) continue;
    const double gap = gap_along(first, second, side.normal, tolerance);
    if (gap <= c.gap - handicap) continue;
    if (gap <= c.gap && -projected_overlap(first, second, side.normal) <= c.gap - handicap)
      continue;
    c.gap = gap;
    c.normal = side.normal;
    handicap = 0;
  }
  return c;
}

const ContactPoints& PolyhedronPair::find(const ConvexView& first, const ConvexView& second,
                                          double tolerance, ContactMode mode, double distance,
                                          const Surroundings& surroundings) {
  result_.clear();
  if (!overlap_.compute(first, second, tolerance)) return result_;
  const Vec3 mean_normal = vector_area_normal(first, second, tolerance);
  if (mean_normal.isZero()) return result_;  // only internal faces meet, or next to nothing
  Side sides[2] = {look_at(first, 0, mean_normal), look_at(second, 1, mean_normal)};
  for (const Side& side : sides)
    if (side.overlap_face < 0 && side.internal) return result_;
  ContactPoint c = left_soonest(first, second, sides, mean_normal, tolerance);
  bool leans = false;
  double most = kInfinity;  // of the depth
  // An element may be left over an internal face that is no farther away than it has to go.
  const double near = tolerance + std::max(-c.gap, 0.0);
  if (reaches_neighbour(first, near) || reaches_neighbour(second, near)) {
    leans = leans_over_neighbour(first, second, sides, c.normal);
    const Vec3 normal =
        normal_with_neighbours(first, second, sides, mean_normal, tolerance).value_or(c.normal);
    // Of faces that are flat on each other, but for some bending, either will do.
    if ((normal - c.normal).norm() > kFlat) {
      c.normal = normal;
      c.gap = gap_along(first, second, normal, tolerance);
      most = depth_with_neighbours(first, second, normal, tolerance);
    }
  }
  const std::optional<Vec3> open = open_normal(first, second, c, tolerance, surroundings);
  if (!open) return result_;
  if (*open != c.normal) {
    leans = false;
    most = kInfinity;
    c.normal = *open;
    sides[0] = look_at(first, 0, c.normal);
    sides[1] = look_at(second, 1, c.normal);
    c.gap = gap_along(first, second, c.normal, tolerance);
  }
  if (overlap_.is_flat(tolerance)) c.gap = -directional_depth(first, second, c.normal);
  c.gap = std::max(c.gap, -most);
  if (leans) {
    depth_with_neighbours(first, second, c.normal, tolerance);
    if (!surroundings.neighbours_missed_it)
      keep_own_points(first, second, c.normal, tolerance, distance);
    if (points_.empty()) {
      result_.left_to_neighbour = true;
      return result_;
    }
  }
  add_points(first, second, sides, c, tolerance, mode, distance, leans);
  return result_;
}

const ContactPoints& PolyhedronPair::find_along(const Vec3& normal, const ConvexView& first,
                                                const ConvexView& second, double tolerance,
                                                ContactMode mode, double distance) {
  result_.clear();
  if (!overlap_.compute(first, second, tolerance)) return result_;
  const Side sides[2] = {look_at(first, 0, normal), look_at(second, 1, normal)};
  for (const Side& side : sides)
    if (side.overlap_face < 0 && side.internal) return result_;
  if (leans_over_neighbour(first, second, sides, normal)) return result_;
  ContactPoint c;
  c.normal = normal;
  add_points(first, second, sides, c, tolerance, mode, distance, false);
  return result_;
}

}  // namespace solfec
