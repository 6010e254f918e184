#include "contact/polyhedron_pair.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace solfec {
namespace {

// A plane whose normal is this near to a right angle with a line neither lets it in nor out.
constexpr double kSteep = 1e-6;

// Outward normal of the second piece's face, or inward of the first one's, with least overlap.
Vec3 least_overlap_normal(const ConvexView& first, const ConvexView& second) {
  double most = -std::numeric_limits<double>::infinity();
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

// The line enters `first` where the last of its planes that look against the normal is passed, and
// leaves `second` at the first of its planes that look along the normal.
Chord chord_through(const Vec3& corner, const Vec3& normal, const ConvexView& first,
                    const ConvexView& second) {
  double low = -std::numeric_limits<double>::infinity(), high = -low;
  for (const Plane& plane : first.planes)
    if (const double slope = plane.normal.dot(normal); slope < -kSteep)
      low = std::max(low, -plane.distance(corner) / slope);
  for (const Plane& plane : second.planes)
    if (const double slope = plane.normal.dot(normal); slope > kSteep)
      high = std::min(high, -plane.distance(corner) / slope);
  return {corner + 0.5 * (low + high) * normal, high - low};
}

// The point of `a` that lies over a point of `b`, seen along the normal, if there is one inside of
// both.
std::optional<Vec3> crossing_seen_along(const Vec3& normal, const OverlapEdge& a,
                                        const OverlapEdge& b) {
  const Vec3 across = normal.cross(b.end - b.start);
  constexpr double kParallel = 1e-6;
  if (std::abs(across.dot(a.end - a.start)) < kParallel * across.norm() * (a.end - a.start).norm())
    return {};
  const double start = across.dot(a.start - b.start), end = across.dot(a.end - b.start);
  if (!(start * end < 0)) return {};
  const Vec3 point = a.start + start / (start - end) * (a.end - a.start);
  const Vec3 along = across.cross(normal);
  const double place = along.dot(point - b.start);
  if (!(place > 0 && place < along.dot(b.end - b.start))) return {};
  return point;
}

// Chooses at most four chords that span the others: the longest one, the farthest from it, and the
// farthest ones to either side of these two; what is nearer than `apart` is taken as one.
int spanning_chords(std::span<const Chord> chords, const Vec3& normal, double apart,
                    std::array<int, ContactPoints::kMost>& chosen) {
  const int n = static_cast<int>(chords.size());
  int a = 0;
  // Of chords that are equal but for rounding the first one counts, so that the choice is steady.
  for (int i = 1; i < n; i++)
    if (chords[i].length > chords[a].length * (1 + 1e-6)) a = i;
  const auto from_a = [&](int i) -> Vec3 { return chords[i].middle - chords[a].middle; };
  int b = a;
  double longest = apart * apart;
  for (int i = 0; i < n; i++)
    if (const double d = from_a(i).squaredNorm(); d > longest * (1 + 1e-6)) {
      longest = d;
      b = i;
    }
  chosen.fill(n);
  chosen[0] = a;
  if (b == a) return 1;
  chosen[1] = b;
  int count = 2;
  const Vec3 across = normal.cross(from_a(b)).normalized();
  for (double side : {1.0, -1.0}) {
    int best = a;
    double height = std::max(apart, 0.05 * std::sqrt(longest));
    for (int i = 0; i < n; i++)
      if (const double s = side * across.dot(from_a(i)); s > height * (1 + 1e-6)) {
        height = s;
        best = i;
      }
    if (best != a) chosen[count++] = best;
  }
  std::ranges::sort(chosen);  // by corner: the order must not depend on depths
  return count;
}

}  // namespace

Vec3 PolyhedronPair::vector_area_normal(const ConvexView& first, const ConvexView& second) const {
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
  if (total == 0) return Vec3::Zero();
  return size > 1e-3 * total ? Vec3(area / size) : least_overlap_normal(first, second);
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
    const double shadow = sign * face.area * n.dot(normal);
    total += std::abs(shadow);  // the back of a sharp tip counts against its front
    if (view.internal[face.face]) {
      result.internal = true;
      continue;
    }
    if (shadow > largest) {
      largest = shadow;
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

bool PolyhedronPair::left_to_neighbour(const ConvexView& view, int side, const Vec3& normal) const {
  const double sign = side == 0 ? -1 : 1;
  constexpr double kLean = 0.5;
  return std::ranges::any_of(overlap_.faces(), [&](const OverlapFace& face) {
    return face.side == side && view.internal[face.face] &&
           sign * view.planes[face.face].normal.dot(normal) > kLean;
  });
}

// The length of chords is concave over the overlap's shadow, linear between the corners of the
// overlap and the points where edges of the two pieces cross.
void PolyhedronPair::collect_chords(const ConvexView& first, const ConvexView& second,
                                    const Vec3& normal) {
  chords_.clear();
  for (std::vector<OverlapEdge>& edges : edges_) edges.clear();
  for (const OverlapFace& face : overlap_.faces()) {
    const ConvexView& view = face.side == 0 ? first : second;
    const double facing = (face.side == 0 ? -1 : 1) * view.planes[face.face].normal.dot(normal);
    const std::span<const Vec3> corners = overlap_.corners(face);
    for (std::size_t i = 0; i < corners.size(); i++) {
      chords_.push_back(chord_through(corners[i], normal, first, second));
      if (facing > kSteep)
        edges_[face.side].push_back({corners[i], corners[(i + 1) % corners.size()]});
    }
  }
  for (const OverlapEdge& a : edges_[0])
    for (const OverlapEdge& b : edges_[1])
      if (const auto crossing = crossing_seen_along(normal, a, b))
        chords_.push_back(chord_through(*crossing, normal, first, second));
}

void PolyhedronPair::add_corners(const ConvexView& first, const ConvexView& second,
                                 double tolerance, const ContactPoint& whole,
                                 ContactPoints& result) {
  const double depth = -whole.gap;
  // Where the overlap runs out nothing presses: a point there would keep a tilted box from falling
  // on its face. Pieces that only touch have no such corners.
  constexpr double kLeast = 0.02;
  const double least = depth > 2 * tolerance ? kLeast * depth : -3 * tolerance;
  collect_chords(first, second, whole.normal);
  std::erase_if(chords_, [&](const Chord& chord) { return chord.length < least; });
  std::array<int, ContactPoints::kMost> chosen;
  const double apart = std::max(3 * depth, 10 * tolerance);
  const int count = chords_.empty() ? 0 : spanning_chords(chords_, whole.normal, apart, chosen);
  // A piece that sticks right through the other one is deepest outside of the overlap.
  double longest = least;
  for (int k = 0; k < count; k++) longest = std::max(longest, chords_[chosen[k]].length);
  if (count == 0 || longest < (1 - 1e-6) * depth - tolerance) {
    result.add(whole);
    return;
  }
  for (int k = 0; k < count; k++) {
    ContactPoint c = whole;
    c.point = chords_[chosen[k]].middle;
    c.gap = -chords_[chosen[k]].length;
    c.area = whole.area / count;
    result.add(c);
  }
}

ContactPoints PolyhedronPair::find(const ConvexView& first, const ConvexView& second,
                                   double tolerance, ContactMode mode) {
  ContactPoints result;
  if (!overlap_.compute(first, second, tolerance)) return result;
  const Vec3 mean_normal = vector_area_normal(first, second);
  if (mean_normal.isZero()) return result;  // only internal faces meet
  const Side sides[2] = {look_at(first, 0, mean_normal), look_at(second, 1, mean_normal)};
  for (const Side& side : sides)
    if (side.overlap_face < 0 && side.internal) return result;
  ContactPoint c;
  c.normal = mean_normal;
  c.gap = -directional_depth(first, second, mean_normal);
  // Of these three the one that separates the pieces soonest: only then does the gap follow the
  // velocity at the contact point while a corner slides over an edge. A face wins a tie.
  double handicap = 1e-3 * tolerance;
  for (const Side& side : sides) {
    if (side.overlap_face < 0) continue;
    const double gap =
        side.normal == c.normal ? c.gap : -directional_depth(first, second, side.normal);
    if (gap <= c.gap - handicap) continue;
    c.gap = gap;
    c.normal = side.normal;
    handicap = 0;
  }
  // A face of its own that carries the contact lets no neighbour take it over.
  constexpr double kCarries = 0.98;
  if (sides[0].share < kCarries && left_to_neighbour(first, 0, c.normal)) return result;
  if (sides[1].share < kCarries && left_to_neighbour(second, 1, c.normal)) return result;

  double shadow = 0;
  Vec3 moment = Vec3::Zero();
  for (const OverlapFace& face : overlap_.faces()) {
    const ConvexView& view = face.side == 0 ? first : second;
    const double s = face.area * std::abs(view.planes[face.face].normal.dot(c.normal));
    shadow += s;
    moment += s * face.centroid;
  }
  if (!(shadow > 0)) return result;
  c.area = 0.5 * shadow;
  c.point = moment / shadow;
  c.surface1 = sides[0].surface;
  c.surface2 = sides[1].surface;
  if (mode == ContactMode::many)
    add_corners(first, second, tolerance, c, result);
  else
    result.add(c);
  return result;
}

}  // namespace solfec
