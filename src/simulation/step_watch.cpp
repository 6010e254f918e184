#include "simulation/step_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "body/inversion.hpp"
#include "body/kinematics.hpp"
#include "geometry/box_tree.hpp"

namespace solfec {
namespace {

constexpr double kTooDeep = 0.05;  // of the extent of a body

double least_extent(const BodyStore& bodies, int i) {
  return bodies.extent(i).box.size().minCoeff();
}

std::string percent(double share) {
  return share < 1 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

// A step that is short enough, in round numbers.
double shorter(double h, double factor) {
  const double wanted = h * std::min(factor, 1.0),
               power = std::pow(10, std::floor(std::log10(wanted)));
  return std::max(1.0, std::floor(wanted / power)) * power;
}

// The part of a segment from a to b that is on the inner side of planes: [t0, t1] of [0, 1].
struct Cut {
  double t0 = 0, t1 = 1;
};

bool crosses(const ConvexView& piece, const Vec3& a, const Vec3& b) {
  Cut inside;
  for (const Plane& plane : piece.planes) {
    const double from = plane.distance(a), to = plane.distance(b);
    if (from > 0 && to > 0) return false;
    if (from > 0) inside.t0 = std::max(inside.t0, from / (from - to));
    if (to > 0) inside.t1 = std::min(inside.t1, from / (from - to));
  }
  return inside.t0 > 0 && inside.t1 < 1 && inside.t0 < inside.t1;
}

// Where the piece is a unit ball; a ball from outside, through it, to outside.
bool crosses_ball(const Vec3& a, const Vec3& b) {
  const Vec3 d = b - a;
  const double t = std::clamp(-a.dot(d) / d.squaredNorm(), 0.0, 1.0);
  return a.squaredNorm() > 1 && b.squaredNorm() > 1 && (a + t * d).squaredNorm() < 1;
}

bool crosses(PieceStore& pieces, int piece, const Vec3& a, const Vec3& b) {
  switch (pieces.kind(piece)) {
    case PieceKind::ball: {
      const Ball& ball = pieces.ball(piece);
      return crosses_ball((a - ball.center) / ball.radius, (b - ball.center) / ball.radius);
    }
    case PieceKind::ellipsoid: {
      const EllipsoidView& e = pieces.ellipsoid(piece);
      const Mat3 inverse = e.map.inverse();
      return crosses_ball(inverse * (a - e.center), inverse * (b - e.center));
    }
    case PieceKind::polyhedron:
      return crosses(pieces.polyhedron(piece), a, b);
  }
  return false;
}

}  // namespace

void StepWatch::look(Domain& domain, double time, double h, BodyId first_new) {
  look_at_overlaps(domain, time, h, first_new);
  look_at_passages(domain, time, h);
}

void StepWatch::look_at_miss(const Domain& d, const LargestMiss& most, double time) {
  constexpr double kMuch = 0.5;     // of the largest free velocity
  constexpr double kAtRest = 1e-9;  // [m/s]
  if (most.row < 0 || most.free < kAtRest || most.miss < kMuch * most.free) return;
  light_misses_++;
  // Bodies that have left took constraints along.
  if (light_ || !rows_are_known(d)) return;
  const Constraint& c = *row_constraints(d)[most.row];
  light_ = {time, most.miss, d.local_solution.merit[most.row], d.bodies.name(c.body1),
            d.bodies.name(c.body2)};
}

void StepWatch::look_at_overlaps(const Domain& d, double time, double h, BodyId first_new) {
  const BodyStore& bodies = d.bodies;
  placed_ = {};
  for (const Constraint& c : d.constraints.all()) {
    if (!c.is_contact() || c.gap >= 0 || c.is_self_contact()) continue;
    if (c.body1 < 0 || c.body2 < 0) continue;  // ghosts go when bodies leave the extents
    const bool first = bodies.extent(c.body1).size <= bodies.extent(c.body2).size;
    const int small = first ? c.body1 : c.body2, large = first ? c.body2 : c.body1;
    const double share = -c.gap / least_extent(bodies, small);
    // Not deeper than it has come in a step: it was not there before.
    const bool entered = -c.gap <= 1.5 * h * std::abs(c.V.z());
    const bool placed = !entered && std::max(c.key.body1, c.key.body2) >= first_new;
    const auto pair = std::minmax(c.key.body1, c.key.body2);
    if (placed && share > kTooDeep) placed_pairs_.insert(pair);
    const bool sunk = share > 1 && !placed_pairs_.contains(pair);
    for (Overlap* deepest : {&deepest_, entered ? &entered_ : nullptr, placed ? &placed_ : nullptr,
                             sunk ? &sunk_ : nullptr})
      if (deepest && share > deepest->share)
        *deepest = {share, -c.gap, time + h / 2, h, bodies.name(small), bodies.name(large)};
  }
}

// Displacement of a body's centre, seen from other bodies: pieces are placed where these are in the
// middle of the step (with EXTENTS at its end). Bodies may have left since then.
void StepWatch::look_at_passages(Domain& d, double time, double h) {
  const BodyStore& bodies = d.bodies;
  const auto displacement_of = [&](int i) -> Vec3 {
    return h * center_velocity(bodies, d.bulk_materials, i);
  };
  std::vector<int> fast;
  for (int i = 0; i < bodies.owned(); i++)
    if (!is_obstacle(bodies.kind(i)) && displacement_of(i).norm() > least_extent(bodies, i))
      fast.push_back(i);
  if (fast.empty()) return;
  std::set<std::pair<BodyId, BodyId>> touching;
  for (const Constraint& c : d.constraints.all())
    if (c.is_contact()) touching.insert(std::minmax(c.key.body1, c.key.body2));
  BoxTree tree;
  tree.build(d.pieces.boxes());
  for (int i : fast) {
    const Vec3 displacement = displacement_of(i), end = bodies.center(i),
               start = end - displacement;
    // The centre of a ring goes through a rod that the ring touches, but not from far to far.
    const bool far = displacement.norm() > 4 * bodies.extent(i).size;
    Box swept;
    swept.extend(start);
    swept.extend(end);
    std::set<int> passed;
    tree.overlapping(swept, [&](int piece) {
      const BodyId id = d.pieces.body_id(piece);
      const int k = bodies.find(id);
      if (k < 0 || k == i || passed.contains(k)) return;
      if (!far && touching.contains(std::minmax(bodies.id(i), id))) return;
      if (d.exclusions.bodies(bodies.id(i), id)) return;
      const Vec3 half = displacement_of(k) / 2;
      if (crosses(d.pieces, piece, start + half, end - half)) passed.insert(k);
    });
    for (int k : passed) {
      passages_++;
      const double distance = displacement.norm(), extent = least_extent(bodies, i);
      if (!passage_) passage_ = {time, h, distance, extent, bodies.name(i), bodies.name(k)};
    }
  }
}

std::string StepWatch::placement(const Communicator& communicator) const {
  ArchiveWriter mine;
  mine(placed_);
  Overlap placed;
  for (const Bytes& bytes : communicator.gather(mine.bytes()))
    if (const auto one = ArchiveReader(bytes).get<Overlap>(); one.share > placed.share)
      placed = one;
  if (placed.share < kTooDeep) return "";
  const double start = placed.time - placed.h / 2;
  return fmt::format(
      "{} was placed {:.2g} m deep in {}{}, {} of its least extent (CONTACT_EXCLUDE_BODIES, where "
      "that is meant)",
      placed.first, placed.depth, placed.second, start > 0 ? fmt::format(" at {:g} s", start) : "",
      percent(placed.share));
}

void StepWatch::look_at_shapes(const Domain& d) {
  inside_out_.clear();
  for (int i = 0; i < d.bodies.owned(); i++)
    if (is_inside_out(d.bodies, i)) inside_out_.push_back(d.bodies.name(i));
}

StepWatch::Report StepWatch::report(const Communicator& communicator) const {
  ArchiveWriter mine;
  mine(deepest_, entered_, sunk_, passage_, passages_, light_, light_misses_, inside_out_);
  Overlap deepest, entered, sunk;
  std::optional<Passage> first;
  std::optional<LightMiss> light;
  std::int64_t passages = 0, light_misses = 0;
  std::vector<std::string> inside_out;
  for (const Bytes& bytes : communicator.gather(mine.bytes())) {
    ArchiveReader reader(bytes);
    for (Overlap* all : {&deepest, &entered, &sunk})
      if (const auto one = reader.get<Overlap>(); one.share > all->share) *all = one;
    const auto passage = reader.get<std::optional<Passage>>();
    passages += reader.get<std::int64_t>();
    if (passage && (!first || passage->time < first->time)) first = passage;
    const auto miss = reader.get<std::optional<LightMiss>>();
    light_misses += reader.get<std::int64_t>();
    if (miss && (!light || miss->time < light->time)) light = miss;
    for (const std::string& name : reader.get<std::vector<std::string>>())
      inside_out.push_back(name);
  }
  Report report;
  if (deepest.share > 0)
    report.overlap = fmt::format("overlap at most {} ({} in {} at {:g} s)", percent(deepest.share),
                                 deepest.first, deepest.second, deepest.time);
  if (entered.share > kTooDeep)
    report.warnings.push_back(fmt::format(
        "{} came {:.2g} m deep into {} in the step to time {:g}, {} of its least extent; steps "
        "of {:.1g} s keep it below {}",
        entered.first, entered.depth, entered.second, entered.time + entered.h / 2,
        percent(entered.share), shorter(entered.h, kTooDeep / entered.share), percent(kTooDeep)));
  if (sunk.share > 0 && !(entered.share > kTooDeep))
    report.warnings.push_back(fmt::format(
        "{} sank {:.2g} m deep into {} by time {:g}, {} of its least extent: contacts no longer "
        "hold it apart; take shorter steps",
        sunk.first, sunk.depth, sunk.second, sunk.time, percent(sunk.share)));
  if (first)
    report.warnings.push_back(fmt::format(
        "{} went through {} in the step to time {:g}, in which it moved by {:.2g} m{}; steps of "
        "{:.1g} s would have found them in contact",
        first->first, first->second, first->time + first->h, first->displacement,
        passages > 1 ? fmt::format(", the first of {} such cases", passages) : "",
        shorter(first->h, first->extent / 2 / first->displacement)));
  if (!inside_out.empty())
    report.warnings.push_back(fmt::format(
        "{}{} turned inside out: loads are too large for the material (`young` is in Pa)",
        *std::ranges::min_element(inside_out),
        inside_out.size() > 1 ? fmt::format(" and {} more have", inside_out.size() - 1) : " has"));
  if (light)
    report.warnings.push_back(fmt::format(
        "the contact of {} and {} missed its law by {:.2g} m/s in the step to time {:g}, more than "
        "half of the largest free velocity, and the merit, which weighs by mass, let it pass{}; a "
        "meritval of {:.0e} would not",
        light->first, light->second, light->miss, light->time,
        light_misses > 1 ? fmt::format(" (the first of {} such steps)", light_misses) : "",
        0.01 * light->share));
  return report;
}

}  // namespace solfec
