#include "domain/migration.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "parallel/outbox.hpp"

namespace solfec {
namespace {

constexpr int kBalancePeriod = 10;  // [steps]
// Cost of a row in a sweep, in degrees of freedom in a step; twice that if it slides (measured with
// the drums of bench.py).
constexpr double kSweepCost = 0.17;

// As begin_step will move it.
Vec3 center_at_middle(const BodyStore& bodies, int i, double h) {
  const Eigen::Map<const Vec3> velocity(bodies.u(i) + bodies.freedom(i) - 3);
  return bodies.center(i) + 0.5 * h * velocity;
}

bool moves_between_ranks(const BodyStore& bodies, int i) {
  return !bodies.is_ghost(i) && bodies.kind(i) != BodyKind::obstacle;
}

void bind_functions(Body& body, const std::vector<ForceFunction>& functions) {
  for (Load& load : body.loads)
    if (auto* user = std::get_if<UserForce>(&load)) user->function = functions.at(user->number);
}

// On the friction cone: its equation is solved by iteration.
bool slides(const Contact& c, const SurfaceMaterial& material) {
  return material.friction > 0 && c.R.z() > 0 &&
         c.R.head<2>().norm() > (1 - 1e-6) * material.friction * c.R.z();
}

// Load of the owned bodies, from counts that a frame holds, so that runs repeat: degrees of
// freedom, pieces and, times weight_factor, blocks of W and sweeps over its rows.
std::vector<double> loads(const Domain& domain, int sweeps) {
  const BodyStore& bodies = domain.bodies;
  const auto& contacts = domain.contacts.contacts();
  // Contacts of this rank on bodies: on owned ones by index, on others (once for each) by id.
  std::vector<int> on_owned(static_cast<std::size_t>(bodies.owned()));
  std::vector<BodyId> on_others;
  const auto is_here = [&](int i) { return i >= 0 && !bodies.is_ghost(i); };
  for (const Contact& c : contacts)
    for (const auto& [i, id] : {std::pair(c.body1, c.key.body1), std::pair(c.body2, c.key.body2)})
      if (is_here(i))
        on_owned[i]++;
      else
        on_others.push_back(id);
  std::ranges::sort(on_others);
  const auto contacts_on = [&](int i, BodyId id) {
    return is_here(i) ? on_owned[i]
                      : static_cast<int>(std::ranges::equal_range(on_others, id).size());
  };
  std::vector<double> load(static_cast<std::size_t>(bodies.owned()));
  for (int i = 0; i < bodies.owned(); i++)
    if (moves_between_ranks(bodies, i)) {
      load[i] = bodies.freedom(i);
      for (const Solid& solid : *bodies[i].shape)
        load[i] += std::holds_alternative<Mesh>(solid)
                       ? static_cast<double>(std::get<Mesh>(solid).elements.size())
                       : 1.0;
    }
  for (const Contact& c : contacts) {
    const auto [i, j] = c.owning == 0 ? std::pair(c.body1, c.body2) : std::pair(c.body2, c.body1);
    const bool obstacle = is_here(j) && bodies.kind(j) == BodyKind::obstacle;
    const int blocks = on_owned[i] + (obstacle ? 0 : contacts_on(j, c.other_body()) - 1);
    const double sweep = kSweepCost * (slides(c, domain.surface_materials[c.material]) ? 2 : 1);
    load[i] += domain.partition_settings.weight_factor * (blocks + sweeps * sweep);
  }
  return load;
}

}  // namespace

bool balance(Domain& domain, std::int64_t step, int sweeps) {
  const Communicator& communicator = domain.communicator;
  if (communicator.size() == 1) return false;
  const bool first = !domain.regions;
  if (!first && step % kBalancePeriod != 0) return false;
  const std::vector<double> load = loads(domain, sweeps);
  if (!first) {
    const double mine = std::accumulate(load.begin(), load.end(), 0.0);
    const double average = communicator.sum(mine) / communicator.size();
    if (communicator.max(mine) <= domain.partition_settings.tolerance * average) return false;
  }
  std::vector<Vec3> points;
  std::vector<double> weights;
  for (int i = 0; i < domain.bodies.owned(); i++)
    if (moves_between_ranks(domain.bodies, i)) {
      points.push_back(domain.bodies.center(i));
      weights.push_back(load[i]);
    }
  domain.regions.emplace(divide_space(communicator, points, weights, domain.partition_settings,
                                      first ? Partition() : domain.regions->partition()));
  return true;
}

void migrate(Domain& domain, double h) {
  const Communicator& communicator = domain.communicator;
  if (communicator.size() == 1) return;
  BodyStore& bodies = domain.bodies;
  const int me = communicator.rank();
  std::map<BodyId, int> going;
  std::vector<bool> leaving(static_cast<std::size_t>(bodies.owned()));
  for (int i = 0; i < bodies.owned(); i++) {
    if (!moves_between_ranks(bodies, i)) continue;
    const int rank = domain.regions->rank_of(center_at_middle(bodies, i, h));
    if (rank == me) continue;
    leaving[i] = true;
    going[bodies.id(i)] = rank;
  }
  struct Parcel {
    std::vector<BodyState> bodies;
    std::vector<Contact> contacts;
  };
  std::map<int, Parcel> parcels;
  for (const auto& [id, rank] : going)
    parcels[rank].bodies.push_back(bodies.state(bodies.find(id)));
  auto& contacts = domain.contacts.contacts();
  for (Contact& c : contacts)
    if (const auto gone = going.find(c.owning_body()); gone != going.end()) {
      if (c.partner_rank == Contact::kHere) c.partner_rank = me;
      parcels[gone->second].contacts.push_back(c);
    }
  Outbox outbox;
  for (const auto& [rank, parcel] : parcels) outbox.to(rank)(parcel.bodies, parcel.contacts);
  for (const auto& [id, rank] : going) domain.ghosts.departed()[id] = rank;
  const std::vector<Message> received = communicator.exchange(outbox.take());
  if (parcels.empty() && received.empty()) return;  // ghosts stay
  if (!parcels.empty()) {
    std::erase_if(contacts, [&](const Contact& c) { return going.contains(c.owning_body()); });
    bodies.remove(leaving);
  }
  std::vector<BodyState> arrivals;
  std::vector<Contact> arriving_contacts;
  for (const Message& m : received) {
    ArchiveReader reader(m.data);
    for (BodyState& state : reader.get<std::vector<BodyState>>()) {
      bind_functions(state.body, domain.user_forces);
      arrivals.push_back(std::move(state));
    }
    for (Contact& c : reader.get<std::vector<Contact>>()) {
      if (c.partner_rank == me) c.partner_rank = Contact::kHere;
      arriving_contacts.push_back(std::move(c));
    }
  }
  bodies.insert(std::move(arrivals));
  domain.contacts.insert(std::move(arriving_contacts));
  domain.contacts.locate(bodies);
}

}  // namespace solfec
