#include "simulation/initial_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "output/results_reader.hpp"
#include "output/row_exchange.hpp"
#include "parallel/agreement.hpp"
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

void answer(StateOf& question, const BodyStore& from, std::span<const std::uint32_t> ids,
            const std::string& directory) {
  const int i = from.find(BodyId{ids[question.position]});
  DEMAND(i >= 0);
  if (from.kind(i) != question.kind || from[i].label != question.label)
    throw value_error(fmt::format("body {} of '{}' is of another kind or label than here",
                                  question.position, directory));
  std::copy_n(from.q(i), BodyStore::kConfiguration, question.q.begin());
  std::copy_n(from.u(i), from.freedom(i), question.u.begin());
}

// A rank reads every N-th body only.
void take_states(Simulation& s, const std::string& directory, double time) {
  std::optional<ResultsReader> results;
  together(s.communicator, [&] { results.emplace(directory); });
  const int frame = results->frame_at(time);
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
  try {
    together(s.communicator, [&] {
      for (StateOf& state : states) answer(state, other.bodies, ids, directory);
    });
  } catch (const RunError& error) {  // on ranks that have not found it themselves
    throw value_error(error.what());
  }
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
