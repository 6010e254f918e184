// A model that every rank has as a whole, spread over the ranks for a step, and put together again:
// so tests written for one rank run on many. On one rank nothing is done.
#pragma once

#include <algorithm>

#include "domain/domain.hpp"

namespace solfec::testing {

/// Keeps obstacles, every size-th of the other bodies, and the contacts that they own.
inline void spread(Domain& domain) {
  const int ranks = domain.communicator.size(), me = domain.communicator.rank();
  if (ranks == 1) return;
  const auto is_mine = [&](BodyId id) { return static_cast<int>(id.value) % ranks == me; };
  std::vector<bool> others;
  for (int i = 0; i < domain.bodies.owned(); i++)
    others.push_back(domain.bodies.kind(i) != BodyKind::obstacle && !is_mine(domain.bodies.id(i)));
  auto& contacts = domain.constraints.all();
  std::erase_if(contacts, [&](const Constraint& c) { return !is_mine(c.owning_body()); });
  for (Constraint& c : contacts) c.partner_rank = Constraint::kUnknown;
  domain.bodies.remove(others);
  domain.constraints.locate(domain.bodies);
}

/// Brings the bodies and contacts of all ranks to each of them.
inline void collect(Domain& domain) {
  const Communicator& communicator = domain.communicator;
  if (communicator.size() == 1) return;
  BodyStore& bodies = domain.bodies;
  ArchiveWriter mine;
  std::vector<BodyState> states;
  for (int i = 0; i < bodies.owned(); i++)
    if (bodies.kind(i) != BodyKind::obstacle) states.push_back(bodies.state(i));
  mine(states, domain.constraints.all());
  const std::vector<Bytes> all = communicator.gather(mine.bytes());
  for (int rank = 0; rank < communicator.size(); rank++) {
    if (rank == communicator.rank()) continue;
    ArchiveReader reader(all[rank]);
    auto others = reader.get<std::vector<BodyState>>();
    for (BodyState& state : others)
      for (Load& load : state.body.loads)
        if (auto* user = std::get_if<UserForce>(&load))
          user->function = domain.user_forces.at(user->number);
    bodies.insert(std::move(others));
    domain.constraints.insert(reader.get<std::vector<Constraint>>());
  }
  domain.constraints.locate(bodies);
}

}  // namespace solfec::testing
