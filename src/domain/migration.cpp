#include "domain/migration.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "body/kinematics.hpp"
#include "parallel/outbox.hpp"

namespace solfec {
namespace {

constexpr int kBalancePeriod = 10;  // [steps]
// Cost of a row in a sweep (twice that if it slides) over the cost of a block of W outside of the
// sweeps, as the drums of bench.py show them.
constexpr double kSweepCost = 0.17;

// As begin_step will move it.
Vec3 center_at_contact(const Domain& domain, int i, double h) {
  if (domain.analysis == Analysis::quasi_static) return domain.bodies.center(i);
  return domain.bodies.center(i) +
         0.5 * h * center_velocity(domain.bodies, domain.bulk_materials, i);
}

bool moves_between_ranks(const BodyStore& bodies, int i) {
  return !bodies.is_ghost(i) && !is_obstacle(bodies.kind(i));
}

void bind_functions(Body& body, const std::vector<ForceFunction>& functions) {
  for (Load& load : body.loads)
    if (auto* user = std::get_if<UserForce>(&load)) user->function = functions.at(user->number);
}

// On the friction cone, whose equation is solved by iteration, to this part of the bound.
constexpr double kSlides = 1e-6;

bool slides(const Constraint& c, const SurfaceMaterial& material) {
  return material.friction > 0 && c.R.z() > 0 &&
         c.R.head<2>().norm() > (1 - kSlides) * material.friction * c.R.z();
}

// Contacts of this rank on each body, by index for bodies that are owned here, by id for others.
class ContactCounts {
 public:
  explicit ContactCounts(const Domain& domain)
      : bodies_(domain.bodies), on_owned_(static_cast<std::size_t>(domain.bodies.owned())) {
    for (const Constraint& c : domain.constraints.all()) {
      if (c.eliminated) continue;
      add(c.body1, c.key.body1);
      add(c.body2, c.key.body2);
    }
    std::ranges::sort(on_others_);
  }
  int on(int i, BodyId id) const {
    return is_owned(i) ? on_owned_[i]
                       : static_cast<int>(std::ranges::equal_range(on_others_, id).size());
  }

 private:
  bool is_owned(int i) const { return i >= 0 && !bodies_.is_ghost(i); }
  void add(int i, BodyId id) {
    if (!id.valid()) return;  // space
    if (is_owned(i))
      on_owned_[i]++;
    else
      on_others_.push_back(id);
  }
  const BodyStore& bodies_;
  std::vector<int> on_owned_;
  std::vector<BodyId> on_others_;  // once for each contact, sorted
};

double load_of_body(const BodyStore& bodies, int i) {
  double load = bodies.dofs(i);
  if (bodies[i].background) load += static_cast<double>(bodies[i].background->elements.size());
  for (const Solid& solid : *bodies[i].shape) {
    const auto* mesh = std::get_if<Mesh>(&solid);
    load += mesh ? static_cast<double>(mesh->elements.size()) : 1.0;
  }
  return load;
}

// Of a row of W: its blocks and the sweeps over it.
double load_of_row(const Domain& domain, const ContactCounts& contacts, const Constraint& c,
                   int sweeps) {
  const int i = c.body(c.owning), j = c.body(1 - c.owning);
  const bool alone = !c.other_body().valid() || (j >= 0 && is_obstacle(domain.bodies.kind(j)));
  const int blocks =
      contacts.on(i, c.owning_body()) + (alone ? 0 : contacts.on(j, c.other_body()) - 1);
  const bool sliding = c.is_contact() && slides(c, domain.surface_materials[c.material]);
  return blocks + sweeps * kSweepCost * (sliding ? 2 : 1);
}

// Of the owned bodies, from counts that a frame holds, so that runs repeat.
std::vector<double> loads(Domain& domain, int sweeps) {
  const BodyStore& bodies = domain.bodies;
  domain.constraints.locate(bodies);  // bodies may have come since the last step
  const ContactCounts contacts(domain);
  std::vector<double> load(static_cast<std::size_t>(bodies.owned()));
  for (int i = 0; i < bodies.owned(); i++)
    if (moves_between_ranks(bodies, i)) load[i] = load_of_body(bodies, i);
  for (const Constraint* c : row_constraints(domain))
    load[c->body(c->owning)] +=
        domain.partition_settings.weight_factor * load_of_row(domain, contacts, *c, sweeps);
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
    const int rank = domain.regions->rank_of(center_at_contact(domain, i, h));
    if (rank == me) continue;
    leaving[i] = true;
    going[bodies.id(i)] = rank;
  }
  struct Parcel {
    std::vector<BodyState> bodies;
    std::vector<Constraint> contacts;
  };
  std::map<int, Parcel> parcels;
  for (const auto& [id, rank] : going)
    parcels[rank].bodies.push_back(bodies.state(bodies.find(id)));
  auto& contacts = domain.constraints.all();
  for (Constraint& c : contacts)
    if (const auto gone = going.find(c.owning_body()); gone != going.end()) {
      if (c.partner_rank == Constraint::kHere) c.partner_rank = me;
      parcels[gone->second].contacts.push_back(c);
    }
  Outbox outbox;
  for (const auto& [rank, parcel] : parcels) outbox.to(rank)(parcel.bodies, parcel.contacts);
  for (const auto& [id, rank] : going) domain.ghosts.migrated()[id] = rank;
  const std::vector<Message> received = communicator.exchange(outbox.take());
  if (parcels.empty() && received.empty()) return;  // ghosts stay
  if (!parcels.empty()) {
    std::erase_if(contacts, [&](const Constraint& c) { return going.contains(c.owning_body()); });
    bodies.remove(leaving);
  }
  std::vector<BodyState> arrivals;
  std::vector<Constraint> arriving_contacts;
  for (const Message& m : received) {
    ArchiveReader reader(m.data);
    for (BodyState& state : reader.get<std::vector<BodyState>>()) {
      bind_functions(state.body, domain.user_forces);
      arrivals.push_back(std::move(state));
    }
    for (Constraint& c : reader.get<std::vector<Constraint>>()) {
      if (c.partner_rank == me) c.partner_rank = Constraint::kHere;
      arriving_contacts.push_back(std::move(c));
    }
  }
  bodies.insert(std::move(arrivals));
  domain.constraints.insert(std::move(arriving_contacts));
  domain.constraints.locate(bodies);
}

}  // namespace solfec
