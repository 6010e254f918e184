#include "simulation/initial_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "body/dof_views.hpp"
#include "body/integration.hpp"
#include "core/error.hpp"
#include "output/results_reader.hpp"
#include "parallel/collective_errors.hpp"
#include "parallel/row_exchange.hpp"
#include "simulation/simulation.hpp"
#include "synchronisation/sync_point.hpp"

namespace solfec {
namespace {

// What is asked of a body here and answered by the rank that has read its state: bodies of the same
// position, in the order of ids, are the same.
struct StateOf {
  int position = 0, asked_by = 0;
  BodyKind kind{};
  std::string label;
  int nodes = 0;
  std::array<double, BodyStore::kConfiguration> q{};
  std::vector<double> u, x;
};

template <class Archive>
void visit_fields(Archive& archive, StateOf& s) {
  archive(s.position, s.asked_by, s.kind, s.label, s.nodes, s.q, s.u, s.x);
}

int meeting_rank(const Communicator& communicator, int position) {
  return position % communicator.size();
}

// An obstacle without the velocity that joints prescribe at a time: they do that here, too.
// Returns false when the body is of another kind, label or mesh than the one that asks.
bool answer(StateOf& question, const BodyStore& from, double time, BodyId id) {
  const int i = from.find(id);
  DEMAND(i >= 0);
  if (from.kind(i) != question.kind || from[i].label != question.label ||
      from[i].nodes != question.nodes)
    return false;
  std::copy_n(from.q(i), BodyStore::kConfiguration, question.q.begin());
  question.u.assign(from.u(i), from.u(i) + from.dofs(i));
  question.x.assign(from.x(i), from.x(i) + from.x.count(i));
  if (is_obstacle(from.kind(i)))
    rigid_linear_part(question.u.data()) -= prescribed_velocity(from[i], time);
  return true;
}

// Bodies of a frame: the ids of all, the states of every N-th one.
struct Share {
  double time = 0;
  std::vector<std::uint32_t> ids;
  Domain domain;
};

Share read_share(Simulation& s, const std::string& directory, double time) {
  std::optional<ResultsReader> results;
  collectively(s.communicator, [&] { results.emplace(directory); });
  const int frame = static_cast<int>(s.communicator.min(results->frame_at(time)));
  Share share;
  share.time = results->header(frame).time;
  constexpr double kRounding = 1e-9;
  if (share.time - time > kRounding * std::abs(share.time))
    throw value_error(fmt::format("'{}' holds no frame up to time {:g}; the first one is of {:g}",
                                  directory, time, share.time));
  for (const LayoutRow& row : results->layout(frame)) share.ids.push_back(row.id);
  if (static_cast<std::int64_t>(share.ids.size()) != body_count(s))
    throw value_error(fmt::format("'{}' holds {} bodies at time {:g}, this model has {}", directory,
                                  share.ids.size(), time, body_count(s)));
  const auto reader = [&](BodyId id, const Vec3&) {
    const auto found = std::ranges::lower_bound(share.ids, id.value);
    return meeting_rank(s.communicator, static_cast<int>(found - share.ids.begin()));
  };
  share.domain.bulk_materials = s.domain.bulk_materials;
  results->load(frame, share.domain, [](int) { return ForceFunction(); }, {s.communicator, reader});
  return share;
}

std::vector<StateOf> questions(const Simulation& s) {
  const BodyStore& bodies = s.domain.bodies;
  std::vector<StateOf> states;
  for (int i = 0; i < bodies.owned(); i++)
    states.push_back({position(s, i),
                      s.communicator.rank(),
                      bodies.kind(i),
                      bodies[i].label,
                      bodies[i].nodes,
                      {},
                      {},
                      {}});
  return states;
}

void answer_all(const Communicator& communicator, const Share& share, std::vector<StateOf>& states,
                const std::string& directory) {
  const auto none = static_cast<double>(share.ids.size());
  double wrong = none;
  for (StateOf& state : states)
    if (!answer(state, share.domain.bodies, share.time, BodyId{share.ids[state.position]}))
      wrong = std::min(wrong, static_cast<double>(state.position));
  wrong = communicator.min(wrong);
  if (wrong < none)
    throw value_error(fmt::format("body {} of '{}' is of another kind, label or mesh than here",
                                  wrong, directory));
}

void take_states(Simulation& s, const std::string& directory, double time) {
  const Share share = read_share(s, directory, time);
  std::vector<StateOf> states = send_rows(
      s.communicator, questions(s),
      [&](const StateOf& question) { return meeting_rank(s.communicator, question.position); });
  answer_all(s.communicator, share, states, directory);
  states = send_rows(s.communicator, std::move(states),
                     [](const StateOf& state) { return state.asked_by; });
  std::ranges::sort(states, {}, &StateOf::position);
  BodyStore& bodies = s.domain.bodies;
  for (int i = 0; i < bodies.owned(); i++) {
    std::ranges::copy(states[i].q, bodies.q(i));
    std::ranges::copy(states[i].u, bodies.u(i));
    std::ranges::copy(states[i].x, bodies.x(i));
    if (is_obstacle(bodies.kind(i)))
      rigid_linear_part(bodies.u(i)) += prescribed_velocity(bodies[i], s.clock.time);
    // Joints hold points where they are now; links and springs keep their lengths.
    for (Joint& joint : bodies[i].joints)
      joint.measured = joint.measured && joins_two_points(joint.kind);
  }
}

}  // namespace

void initialize_state(Simulation& s, const std::string& directory, double time) {
  SyncRequest request;
  request.point = SyncPoint::initialize_state;
  synchronise_alike(s.communicator, request, *s.script.command_log);
  abort_on_local_error(s.communicator, [&] { take_states(s, directory, time); });
  s.script.state_replaced = true;
  s.last.next_body = BodyId{s.script.next_body};  // where they are, they were before
  reduce_counts(s);
  reduce_energy(s);
}

}  // namespace solfec
