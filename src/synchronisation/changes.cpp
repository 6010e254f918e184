#include "synchronisation/changes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "body/dof_views.hpp"
#include "core/error.hpp"
#include "domain/joints.hpp"
#include "synchronisation/scripted_model.hpp"

namespace solfec {
namespace {

// It goes on with what is left of its velocity.
void release_obstacle(ScriptedModel& s, const ContactKey& key) {
  BodyStore& bodies = s.domain.bodies;
  const int i = bodies.find(key.body1);
  const Vec3 before = prescribed_velocity(bodies[i], s.clock.time);
  remove_constraint(s.domain, key);
  rigid_linear_part(bodies.u(i)) += prescribed_velocity(bodies[i], s.clock.time) - before;
}

}  // namespace

bool Changes::empty() const {
  return made.empty() && obstacles.empty() && deleted_bodies.empty() &&
         deleted_constraints.empty() && excluded_bodies.empty() && excluded_surfaces.empty() &&
         excluded_pieces.empty() && common_pieces.empty();
}

int piece_at(Domain& domain, int body, const Vec3& point) {
  domain.pieces.synchronise(domain.bodies);
  const PieceStore& pieces = domain.pieces;
  const Vec3 offset = point - domain.bodies[body].reference.center;
  const int count = pieces.first(body + 1) - pieces.first(body);
  for (int feature = 0; feature < count; feature++)
    if (pieces.reference_contains(body, feature, offset, domain.detection_settings.epsilon))
      return feature;
  return -1;
}

void exclude_bodies(ScriptedModel& s, BodyId a, BodyId b) {
  if (collects_changes(s))
    s.script.changes.excluded_bodies.emplace(a, b);
  else
    s.domain.exclusions.exclude_bodies(a, b);
}

void exclude_surfaces(ScriptedModel& s, int a, int b) {
  if (collects_changes(s))
    s.script.changes.excluded_surfaces.emplace(a, b);
  else
    s.domain.exclusions.exclude_surfaces(a, b);
}

void exclude_pieces(ScriptedModel& s, const PieceExclusion& exclusion) {
  (collects_changes(s) ? s.script.changes.excluded_pieces : s.script.changes.common_pieces)
      .push_back(exclusion);
  if (s.communicator.size() == 1) resolve_pieces(s);
}

void resolve_pieces(ScriptedModel& s) {
  const std::vector<PieceExclusion> requests = std::exchange(s.script.changes.common_pieces, {});
  if (requests.empty()) return;
  constexpr double kUnknown = -2;
  std::vector<double> pieces(2 * requests.size(), kUnknown);
  const auto resolve = [&](BodyId id, const Vec3& point) -> double {
    const int i = find_here(s, id);
    return i < 0 ? kUnknown : piece_at(s.domain, i, point);
  };
  for (std::size_t k = 0; k < requests.size(); k++) {
    pieces[2 * k] = resolve(requests[k].body1, requests[k].point1);
    pieces[2 * k + 1] = resolve(requests[k].body2, requests[k].point2);
  }
  s.communicator.max_all(pieces);
  for (std::size_t k = 0; k < requests.size(); k++) {
    const double first = pieces[2 * k], second = pieces[2 * k + 1];
    const PieceExclusion& p = requests[k];
    if (first == kUnknown || second == kUnknown) continue;  // the body is gone
    if (first < 0 || second < 0)
      throw RunError(
          fmt::format("CONTACT_EXCLUDE_OBJECTS: no geometric object of body {} that touches its "
                      "surface holds the reference point",
                      (first < 0 ? p.body1 : p.body2).value));
    s.domain.exclusions.exclude_pieces(p.body1, static_cast<int>(first), p.body2,
                                       static_cast<int>(second));
  }
}

bool is_obstacle_joint(const BodyStore& bodies, const ContactKey& key) {
  const int i = is_joint(key) ? bodies.find(key.body1) : -1;
  if (i < 0 || key.body2.valid() || !is_obstacle(bodies.kind(i))) return false;
  return std::ranges::any_of(bodies[i].joints,
                             [&](const Joint& joint) { return joint.number == key.feature2; });
}

void delete_constraint(ScriptedModel& s, const ContactKey& key) {
  demand_no_step(s);
  if (is_obstacle_joint(s.domain.bodies, key)) {
    if (collects_changes(s)) s.script.changes.obstacles.insert(key.body1);
    release_obstacle(s, key);
    return;
  }
  remove_constraint(s.domain, key);
  if (s.communicator.size() > 1) s.script.changes.deleted_constraints.insert(key);
}

}  // namespace solfec
