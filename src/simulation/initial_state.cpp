#include "simulation/initial_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "output/results_reader.hpp"
#include "simulation/simulation.hpp"

namespace solfec {
namespace {

// Those of the bodies here.
void take_states(Simulation& s, const std::string& directory, double time) {
  const ResultsReader results(directory);
  Domain other;
  other.bulk_materials = s.domain.bulk_materials;
  results.load(results.frame_at(time), other, [](int) { return ForceFunction(); });
  BodyStore& to = s.domain.bodies;
  const BodyStore& from = other.bodies;
  if (from.owned() != body_count(s))
    throw value_error(fmt::format("'{}' holds {} bodies at time {:g}, this model has {}", directory,
                                  from.owned(), time, body_count(s)));
  for (int i = 0; i < to.owned(); i++) {
    const int j = position(s, i);
    if (from.kind(j) != to.kind(i) || from[j].label != to[i].label)
      throw value_error(
          fmt::format("body {} of '{}' is of another kind or label than here", j, directory));
  }
  for (int i = 0; i < to.owned(); i++) {
    const int j = position(s, i);
    std::copy_n(from.q(j), BodyStore::kConfiguration, to.q(i));
    std::copy_n(from.u(j), to.freedom(i), to.u(i));
  }
}

}  // namespace

void initialize_state(Simulation& s, const std::string& directory, double time) {
  Arrival arrival;
  arrival.meeting = Meeting::initialize_state;
  meet_alike(s.communicator, arrival, *s.ledger);
  std::string message;
  std::exception_ptr failure;
  try {
    take_states(s, directory, time);
  } catch (const std::runtime_error& error) {
    failure = std::current_exception();
    message = error.what();
  }
  ArchiveWriter archive;
  archive(message);
  const std::vector<Bytes> messages = s.communicator.gather(archive.bytes());
  if (failure) std::rethrow_exception(failure);
  for (const Bytes& bytes : messages) {
    const auto text = ArchiveReader(bytes).get<std::string>();
    if (!text.empty()) throw value_error(text);
  }
  s.state_replaced = true;
  reduce_totals(s);
}

}  // namespace solfec
