#include "contact/polyhedron_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

namespace solfec {
namespace {

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

void PolyhedronPair::add_corners(const ConvexView& first, const ConvexView& second,
                                 double tolerance, ContactMode mode, double distance,
                                 const ContactPoint& whole, Share share) {
  const double depth = -whole.gap;
  const bool patch = mode == ContactMode::patch;
  const double flat = kFlat * std::min(extent(first), extent(second));
  const double reach = tolerance + std::max(patch ? flat : 0.0, distance);
  // Deep ones count as flat: points are to lie in both pieces.
  if (share != Share::own) {
    features_.find({overlap_, first, second}, whole.normal,
                   {tolerance, reach, std::clamp(depth, 0.0, flat)},
                   PairFeatures::InternalFaces::bound);
    features_.keep_near(tolerance, reach > tolerance ? kFlat : 0.0, distance);
  }
  const std::vector<PatchPoint>& points = features_.points();
  const ChosenPoints chosen =
      carrying_points(points, whole.normal, tolerance + distance, tolerance, patch);
  // A piece that sticks right through the other one is deepest outside of the overlap.
  double deepest = -2 * tolerance;
  for (int k : chosen) deepest = std::max(deepest, points[k].depth);
  if (share == Share::all && deepest < (1 - kAsDeep) * depth - tolerance) {
    result_.add(whole);
    return;
  }
  for (int k : chosen) {
    ContactPoint c = whole;
    c.point = points[k].point;
    c.vertex = points[k].vertex;
    c.gap = -points[k].depth;
    c.area = whole.area / chosen.count;
    result_.add(c);
  }
}

void PolyhedronPair::add_points(const ConvexView& first, const ConvexView& second,
                                const Side (&sides)[2], ContactPoint c, double tolerance,
                                ContactMode mode, double distance, Share share) {
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
    add_corners(first, second, tolerance, mode, distance, c, share);
}

// Of the same three, and of those across edges that cross, the one along which their bodies
// separate soonest; the pair's own, along which the two overlap by `own_depth`, where none is
// better. An element alone is left soonest over an internal face.
Vec3 PolyhedronPair::left_soonest_by_bodies(const OverlappingPair& pair, const Side (&sides)[2],
                                            const Vec3& mean_normal, const Vec3& own_normal,
                                            double own_depth, double tolerance,
                                            const Surroundings& surroundings) {
  if (!surroundings.depth) return own_normal;
  constexpr double kRounding = 1e-6;
  const bool flat = overlap_.is_flat(tolerance);
  Box place;
  for (const OverlapFace& face : overlap_.faces())
    for (const Vec3& corner : overlap_.corners(face)) place.extend(corner);
  place.grow(tolerance + std::max(own_depth, 0.0));
  const auto depth = [&](const Vec3& n, double bound) {
    return surroundings.depth({n, surroundings.shift, place, flat, bound});
  };
  // Of faces that are flat on each other, but for some bending, either will do.
  const auto is_other = [](const Vec3& a, const Vec3& b) { return (a - b).norm() > kFlat; };
  std::array<Vec3, 3> others;
  int count = 0;
  const auto add = [&](const Vec3& n) {
    if (is_other(n, own_normal)) others[count++] = n;
  };
  for (const Side& side : sides)
    if (side.overlap_face >= 0) add(side.normal);
  add(mean_normal);
  if (count == 0) return own_normal;  // a face on a face
  double least = depth(own_normal, kInfinity);
  Vec3 best = own_normal;
  const auto try_other = [&](const Vec3& n) {
    if (!is_other(n, best)) return;
    const double bound = (1 - kRounding) * least, other = depth(n, bound);
    if (!(other < bound)) return;
    least = other;
    best = n;
  };
  for (const CrossingEdges::Crossing& crossing : crossings_.find(pair, own_normal, tolerance))
    if (crossing.depth < least) try_other(crossing.normal);
  // Bodies that are as deep as these pieces: the pieces are deeper along the others of the three.
  if (least > (1 + kRounding) * own_depth)
    for (int k = 0; k < count; k++) try_other(others[k]);
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
  return overlap_.is_flat(tolerance) ? -projected_overlap(first.vertices, second.vertices, normal)
                                     : -directional_depth(first.vertices, second.vertices, normal);
}

// Whether they barely touch, and not along the normal: they meet at faces between elements, as
// those do at either side of a ridge that lies in a valley.
bool PolyhedronPair::lie_beside(const ConvexView& first, const ConvexView& second,
                                const ContactPoint& contact, double tolerance) const {
  return overlap_.is_flat(tolerance) && -contact.gap > thin_overlap(first, second, tolerance);
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
    if (gap <= c.gap &&
        -projected_overlap(first.vertices, second.vertices, side.normal) <= c.gap - handicap)
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
  Share share = Share::all;
  // An element may be left over an internal face that is no farther away than it has to go.
  const double near = tolerance + std::max(-c.gap, 0.0);
  if (reaches_neighbour(first, near) || reaches_neighbour(second, near)) {
    const Vec3 own_normal = c.normal;
    c.normal = left_soonest_by_bodies({overlap_, first, second}, sides, mean_normal, own_normal,
                                      -c.gap, tolerance, surroundings);
    if (c.normal != own_normal) c.gap = gap_along(first, second, c.normal, tolerance);
    if (lie_beside(first, second, c, tolerance)) {
      result_.left_to_neighbour = true;
      return result_;
    }
    if (leans_over_neighbour(first, second, sides, own_normal))
      share = leans_over_neighbour(first, second, sides, c.normal) ? Share::own : Share::features;
    if (share == Share::features && surroundings.neighbours_missed_it) share = Share::all;
  }
  const std::optional<Vec3> open = open_normal(first, second, c, tolerance, surroundings);
  if (!open) return result_;
  if (*open != c.normal) {
    share = Share::all;
    c.normal = *open;
    sides[0] = look_at(first, 0, c.normal);
    sides[1] = look_at(second, 1, c.normal);
    c.gap = gap_along(first, second, c.normal, tolerance);
  }
  if (overlap_.is_flat(tolerance))
    c.gap = -directional_depth(first.vertices, second.vertices, c.normal);
  if (share == Share::own) {
    features_.find_with_neighbours({overlap_, first, second}, c.normal, tolerance);
    if (!surroundings.neighbours_missed_it)
      features_.keep_own({overlap_, first, second}, c.normal, tolerance, distance);
    if (features_.points().empty()) {
      result_.left_to_neighbour = true;
      return result_;
    }
  }
  add_points(first, second, sides, c, tolerance, mode, distance, share);
  result_.left_to_neighbour = result_.count == 0 && share == Share::features;
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
  add_points(first, second, sides, c, tolerance, mode, distance, Share::all);
  return result_;
}

}  // namespace solfec
