#include "simulation/step_watch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "body/kinematics.hpp"
#include "geometry/box_tree.hpp"

namespace solfec {
namespace {

constexpr double kTooDeep = 0.05;  // of the extent of a body

double least_extent(const BodyStore& bodies, int i) {
  return bodies.reference_box(i).size().minCoeff();
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

void StepWatch::look(Domain& domain, double time, double h) {
  look_at_overlaps(domain, time, h);
  look_at_passages(domain, time, h);
}

void StepWatch::look_at_overlaps(const Domain& d, double time, double h) {
  const BodyStore& bodies = d.bodies;
  for (const Constraint& c : d.constraints.all()) {
    if (!c.is_contact() || c.gap >= 0 || c.is_internal()) continue;
    const bool first = bodies.size(c.body1) <= bodies.size(c.body2);
    const int small = first ? c.body1 : c.body2, large = first ? c.body2 : c.body1;
    const double share = -c.gap / least_extent(bodies, small);
    // Not deeper than it has come in a step: it was not there before.
    const bool entered = -c.gap <= 1.5 * h * std::abs(c.V.z());
    for (Overlap* deepest : {&deepest_, entered ? &entered_ : nullptr})
      if (deepest && share > deepest->share)
        *deepest = {share, -c.gap, time + h / 2, h, bodies.name(small), bodies.name(large)};
  }
}

// The way of a body's centre, seen from other bodies: pieces are placed where these are in the
// middle of the step.
void StepWatch::look_at_passages(Domain& d, double time, double h) {
  const BodyStore& bodies = d.bodies;
  const auto way_of = [&](int i) -> Vec3 {
    return h * center_velocity(bodies, d.bulk_materials, i);
  };
  std::vector<int> fast;
  for (int i = 0; i < bodies.owned(); i++)
    if (bodies.kind(i) != BodyKind::obstacle && way_of(i).norm() > least_extent(bodies, i))
      fast.push_back(i);
  if (fast.empty()) return;
  std::set<std::pair<int, int>> touching;
  for (const Constraint& c : d.constraints.all())
    if (c.is_contact()) touching.insert(std::minmax(c.body1, c.body2));
  BoxTree tree;
  tree.build(d.pieces.boxes());
  for (int i : fast) {
    const Vec3 way = way_of(i), end = bodies.center(i), start = end - way;
    Box swept;
    swept.extend(start);
    swept.extend(end);
    std::set<int> passed;
    tree.overlapping(swept, [&](int piece) {
      const int k = d.pieces.body(piece);
      if (k == i || touching.contains(std::minmax(i, k)) || passed.contains(k)) return;
      const Vec3 half = way_of(k) / 2;
      if (crosses(d.pieces, piece, start + half, end - half)) passed.insert(k);
    });
    for (int k : passed) {
      passages_++;
      if (!passage_)
        passage_ = {time, h, way.norm(), least_extent(bodies, i), bodies.name(i), bodies.name(k)};
    }
  }
}

StepWatch::Report StepWatch::report(const Communicator& communicator) const {
  ArchiveWriter mine;
  mine(deepest_, entered_, passage_, passages_);
  Overlap deepest, entered;
  std::optional<Passage> first;
  std::int64_t passages = 0;
  for (const Bytes& bytes : communicator.gather(mine.bytes())) {
    ArchiveReader reader(bytes);
    for (Overlap* all : {&deepest, &entered})
      if (const auto one = reader.get<Overlap>(); one.share > all->share) *all = one;
    const auto passage = reader.get<std::optional<Passage>>();
    passages += reader.get<std::int64_t>();
    if (passage && (!first || passage->time < first->time)) first = passage;
  }
  Report report;
  if (deepest.share > 0)
    report.overlap = fmt::format("overlap at most {:.2g} % ({} in {} at {:g} s)",
                                 100 * deepest.share, deepest.first, deepest.second, deepest.time);
  if (entered.share > kTooDeep)
    report.warnings.push_back(fmt::format(
        "{} came {:.2g} m deep into {} in the step to time {:g}, {:.2g} % of its least extent; "
        "steps of {:.1g} s keep it below {:g} %",
        entered.first, entered.depth, entered.second, entered.time + entered.h / 2,
        100 * entered.share, shorter(entered.h, kTooDeep / entered.share), 100 * kTooDeep));
  if (first)
    report.warnings.push_back(fmt::format(
        "{} went through {} in the step to time {:g}, in which it moved by {:.2g} m{}; steps of "
        "{:.1g} s would have found them in contact",
        first->first, first->second, first->time + first->h, first->way,
        passages > 1 ? fmt::format(", the first of {} such cases", passages) : "",
        shorter(first->h, first->extent / 2 / first->way)));
  return report;
}

}  // namespace solfec
