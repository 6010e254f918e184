#include "domain/ghosts.hpp"

#include <algorithm>

#include "domain/domain.hpp"
#include "domain/jointed_contacts.hpp"
#include "geometry/tolerances.hpp"
#include "parallel/outbox.hpp"

namespace solfec {
namespace {

// Largest distance of a point from the mass centre, in the present configuration. A mesh holds the
// body, whatever its shape is made of.
double present_reach(const BodyStore& bodies, int i) {
  if (is_meshed(bodies.kind(i))) {
    double farthest = 0;
    for (int n = 0; n < bodies[i].nodes; n++)
      farthest = std::max(farthest, (node_part(bodies.x(i), n) - bodies.center(i)).norm());
    return farthest;
  }
  if (!is_affine(bodies.kind(i))) return bodies.extent(i).reach;
  const Mat3 F = bodies.gradient(i);
  return std::sqrt((F.transpose() * F).cwiseAbs().rowwise().sum().maxCoeff()) *
         bodies.extent(i).reach;
}

// A box around all points of a body: its nodes, or its reference box as F moves it.
Box outline(const BodyStore& bodies, int i) {
  Box box;
  if (is_meshed(bodies.kind(i))) {
    for (int n = 0; n < bodies[i].nodes; n++) box.extend(node_part(bodies.x(i), n));
    return box;
  }
  const auto F = bodies.gradient(i);
  const Box& reference = bodies.extent(i).box;
  const Vec3 middle = F * (reference.center() - bodies[i].reference.center);
  const Vec3 half = F.cwiseAbs() * (0.5 * reference.size());
  const Vec3 reach = Vec3::Constant(present_reach(bodies, i));
  box.extend(bodies.center(i) + (middle - half).cwiseMax(-reach));
  box.extend(bodies.center(i) + (middle + half).cwiseMin(reach));
  return box;
}

// The other body must be a ghost here, wherever it is.
bool has_remote_partner(const Domain& domain, const Constraint& c) {
  const int i = domain.bodies.find(c.other_body());
  return c.persists() && (i < 0 || domain.bodies.is_ghost(i));
}

// After a restart: who owns the partners of bonds and joints? All ask all, once.
void find_partners(Domain& domain) {
  ArchiveWriter unknown;
  for (const Constraint& c : domain.constraints.all())
    if (has_remote_partner(domain, c) && c.partner_rank == Constraint::kUnknown)
      unknown(c.other_body());
  Outbox replies;
  const std::vector<Bytes> all = domain.communicator.gather(unknown.bytes());
  for (int rank = 0; rank < static_cast<int>(all.size()); rank++)
    for (ArchiveReader reader(all[rank]); !reader.done();) {
      const auto id = reader.get<BodyId>();
      const int i = domain.bodies.find(id);
      if (i >= 0 && !domain.bodies.is_ghost(i)) replies.to(rank)(id);
    }
  std::map<BodyId, int> owner;
  for (const Message& m : domain.communicator.exchange(replies.take()))
    for (ArchiveReader reader(m.data); !reader.done();) owner[reader.get<BodyId>()] = m.rank;
  for (Constraint& c : domain.constraints.all())
    if (c.partner_rank == Constraint::kUnknown) {
      const auto found = owner.find(c.other_body());
      c.partner_rank = found == owner.end() ? Constraint::kHere : found->second;
    }
}

}  // namespace

BodyBounds body_bounds(const Domain& domain) {
  BodyBounds e;
  const BodyStore& bodies = domain.bodies;
  for (int i = 0; i < bodies.owned(); i++) {
    if (is_obstacle(bodies.kind(i))) continue;
    e.size = std::max(e.size, bodies.extent(i).size);
    e.ratio = std::max(e.ratio, present_reach(bodies, i) / bodies.extent(i).size);
  }
  for (const Constraint& c : domain.constraints.all()) {
    e.connected = e.connected || c.persists();
    e.unknown_partner =
        e.unknown_partner || (c.persists() && c.partner_rank == Constraint::kUnknown);
  }
  return e;
}

std::map<BodyId, std::vector<int>> GhostExchange::subscriptions(Domain& domain,
                                                                const BodyBounds& all) {
  std::map<BodyId, std::vector<int>> subscriptions;
  if (!all.connected) return subscriptions;
  if (all.unknown_partner) find_partners(domain);
  const Communicator& communicator = domain.communicator;
  const int me = communicator.rank();
  Outbox requests;
  for (const Constraint& c : domain.constraints.all()) {
    if (!has_remote_partner(domain, c)) continue;
    const int rank = c.partner_rank == Constraint::kHere ? me : c.partner_rank;
    requests.to(rank)(c.other_body(), me);
  }
  // A request for a body that has just moved goes to its old rank, which forwards it.
  Outbox forwarded;
  const auto subscribe = [&](const Message& m) {
    for (ArchiveReader reader(m.data); !reader.done();) {
      const auto id = reader.get<BodyId>();
      const int rank = reader.get<int>();
      const int i = domain.bodies.find(id);
      const auto gone = migrated_.find(id);
      if (i >= 0 && !domain.bodies.is_ghost(i))
        subscriptions[id].push_back(rank);
      else if (gone != migrated_.end())
        forwarded.to(gone->second)(id, rank);
    }
  };
  // Bodies move twice in a step that divides space anew.
  for (int moves = 0; moves < 3; moves++) {
    for (const Message& m : communicator.exchange(requests.take())) subscribe(m);
    requests = std::exchange(forwarded, {});
  }
  return subscriptions;
}

void GhostExchange::refresh(Domain& domain, const BodyBounds& all) {
  const Communicator& communicator = domain.communicator;
  if (communicator.size() == 1) return;
  BodyStore& bodies = domain.bodies;
  const int me = communicator.rank();
  std::vector<Lookahead>& lookahead = domain.lookahead;
  const bool ahead = domain.horizon > 0;  // on all ranks
  const double margin = 2 * domain.detection_settings.epsilon + (ahead ? all.travel : 0.0);
  const auto requests = subscriptions(domain, all);

  Outbox outbox;
  std::map<int, std::vector<Known>> sent;
  std::vector<int> ranks;
  for (int i = 0; i < bodies.owned(); i++) {
    if (is_obstacle(bodies.kind(i))) continue;
    const double smaller = all.ratio * std::min(bodies.extent(i).size, all.size);
    Box box = outline(bodies, i);
    box.grow(smaller + kSamePlace * (bodies.extent(i).reach + smaller) + margin +
             (ahead ? lookahead[i].distance : 0.0));
    ranks.clear();
    if (domain.regions && !domain.regions->inside(me, box))
      domain.regions->overlapping(box, [&](int rank) { ranks.push_back(rank); });
    if (const auto wish = requests.find(bodies.id(i)); wish != requests.end())
      ranks.insert(ranks.end(), wish->second.begin(), wish->second.end());
    std::ranges::sort(ranks);
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    for (int rank : ranks) {
      if (rank == me) continue;
      const Known now{bodies.id(i), bodies[i].changes};
      const auto& before = sent_[rank];
      const auto known = std::ranges::lower_bound(before, now.id, {}, &Known::id);
      const bool is_known = known != before.end() && *known == now;
      ArchiveWriter& writer = outbox.to(rank);
      writer(now.id, is_known);
      if (!is_known) {
        Body body = bodies[i];
        body.loads.clear();
        std::erase_if(body.joints, [](const Joint& joint) { return !joins(joint); });
        writer(body);
      }
      std::array<double, BodyStore::kConfiguration> q;
      std::copy_n(bodies.q(i), q.size(), q.begin());
      writer(q, std::vector<double>(bodies.x(i), bodies.x(i) + bodies.x.count(i)));
      if (ahead) writer(lookahead[i]);
      sent[rank].push_back(now);
    }
  }
  sent_ = std::move(sent);

  std::vector<GhostBody> ghosts;
  std::map<BodyId, Lookahead> of_ghosts;  // if contacts are known ahead
  for (const Message& m : communicator.exchange(outbox.take()))
    for (ArchiveReader reader(m.data); !reader.done();) {
      const auto id = reader.get<BodyId>();
      GhostBody& ghost = ghosts.emplace_back();
      if (reader.get<bool>()) {
        const auto known =
            std::ranges::lower_bound(ghosts_, id, {}, [](const GhostBody& g) { return g.body.id; });
        DEMAND(known != ghosts_.end() && known->body.id == id);
        ghost.body = known->body;
      } else {
        reader(ghost.body);
      }
      reader(ghost.q, ghost.x);
      if (ahead) reader(of_ghosts[id]);
      ghost.owner = m.rank;
    }
  std::ranges::sort(ghosts, {}, [](const GhostBody& g) { return g.body.id; });
  ghosts_ = std::move(ghosts);
  bodies.set_ghosts(ghosts_);
  if (!ahead) return;
  lookahead.resize(bodies.owned());
  for (const GhostBody& ghost : ghosts_) lookahead.push_back(of_ghosts.at(ghost.body.id));
}

}  // namespace solfec
