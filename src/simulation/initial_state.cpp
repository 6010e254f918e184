#include "simulation/initial_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "output/results_reader.hpp"
#include "parallel/agreement.hpp"
#include "parallel/row_exchange.hpp"
#include "simulation/simulation.hpp"

namespace solfec {
namespace {

// What is asked of a body here and answered by the rank that has read its state: bodies of the same
// position, in the order of ids, are the same.
struct StateOf {
  int position = 0, asked_by = 0;
  BodyKind kind = BodyKind::obstacle;
  std::string label;
  std::array<double, BodyStore::kConfiguration> q{};
  std::array<double, BodyStore::kConfiguration> u{};
};

template <class Archive>
void visit_fields(Archive& archive, StateOf& s) {
  archive(s.position, s.asked_by, s.kind, s.label, s.q, s.u);
}

int meeting_rank(const Simulation& s, int position) { return position % s.communicator.size(); }

// False when the body is of another kind or label than the one that asks.
bool answer(StateOf& question, const BodyStore& from, BodyId id) {
  const int i = from.find(id);
  DEMAND(i >= 0);
  if (from.kind(i) != question.kind || from[i].label != question.label) return false;
  std::copy_n(from.q(i), BodyStore::kConfiguration, question.q.begin());
  std::copy_n(from.u(i), from.freedom(i), question.u.begin());
  return true;
}

// A rank reads every N-th body only.
void take_states(Simulation& s, const std::string& directory, double time) {
  std::optional<ResultsReader> results;
  together(s.communicator, [&] { results.emplace(directory); });
  const int frame = static_cast<int>(s.communicator.min(results->frame_at(time)));
  const auto ids = results->body_ids(frame);
  if (static_cast<std::int64_t>(ids.size()) != body_count(s))
    throw value_error(fmt::format("'{}' holds {} bodies at time {:g}, this model has {}", directory,
                                  ids.size(), time, body_count(s)));
  const auto reader = [&](BodyId id, const Vec3&) {
    const auto found = std::ranges::lower_bound(ids, id.value);
    return meeting_rank(s, static_cast<int>(found - ids.begin()));
  };
  Domain other;
  other.bulk_materials = s.domain.bulk_materials;
  results->load(frame, other, [](int) { return ForceFunction(); }, {s.communicator, reader});

  BodyStore& to = s.domain.bodies;
  std::vector<StateOf> states;
  for (int i = 0; i < to.owned(); i++)
    states.push_back({position(s, i), s.communicator.rank(), to.kind(i), to[i].label, {}, {}});
  states = send_rows(s.communicator, std::move(states),
                     [&](const StateOf& question) { return meeting_rank(s, question.position); });
  auto wrong = static_cast<double>(ids.size());
  for (StateOf& state : states)
    if (!answer(state, other.bodies, BodyId{ids[state.position]}))
      wrong = std::min(wrong, static_cast<double>(state.position));
  wrong = s.communicator.min(wrong);
  if (wrong < static_cast<double>(ids.size()))
    throw value_error(
        fmt::format("body {} of '{}' is of another kind or label than here", wrong, directory));
  states = send_rows(s.communicator, std::move(states),
                     [](const StateOf& state) { return state.asked_by; });
  std::ranges::sort(states, {}, &StateOf::position);
  for (int i = 0; i < to.owned(); i++) {
    std::ranges::copy(states[i].q, to.q(i));
    std::copy_n(states[i].u.begin(), to.freedom(i), to.u(i));
  }
}

}  // namespace

void initialize_state(Simulation& s, const std::string& directory, double time) {
  Arrival arrival;
  arrival.meeting = Meeting::initialize_state;
  meet_alike(s.communicator, arrival, *s.ledger);
  in_company(s.communicator, [&] { take_states(s, directory, time); });
  s.state_replaced = true;
  reduce_totals(s);
}

}  // namespace solfec
