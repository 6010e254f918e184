#include "domain/shared_rows.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "body/finite_elements.hpp"
#include "body/kinematics.hpp"
#include "core/error.hpp"
#include "parallel/outbox.hpp"

namespace solfec {
namespace {

int ghost_side(const BodyStore& bodies, const Constraint& c) {
  return bodies.is_ghost(c.body1) ? 0 : bodies.is_ghost(c.body2) ? 1 : -1;
}

void add_changes(BodyContribution& part, const BodyStore& bodies, int i, int side,
                 const Place& place, const JointChanges* changes) {
  if (changes) part.joint_motion = (side == 0 ? 1 : -1) * changes->at(bodies, i, place, true);
}

}  // namespace

BodyContribution body_contribution(const BodyStore& bodies, int i, int side, const Place& place,
                                   const Mat3& base, RowScale scale) {
  const double sign = side == 0 ? 1 : -1;
  BodyContribution part{sign * velocity_at(bodies, i, place, bodies.b(i)),
                        sign * velocity_at(bodies, i, place, bodies.u(i)),
                        velocity_gradient(bodies, i, bodies.u(i)),
                        is_held(bodies, i, place, base.col(2)),
                        {},
                        {}};
  if (is_obstacle(bodies.kind(i))) return part;
  const bool of_step = scale == RowScale::step;
  part.G.resize(3 * static_cast<std::size_t>(of_step ? row_size(bodies, i) : bodies.dofs(i)));
  (of_step ? scaled_rows : mass_scaled_rows)(bodies, i, place, sign * base, part.G.data());
  return part;
}

BodyContribution self_contact_contribution(const BodyStore& bodies, const PlacedRows& rows,
                                           int row) {
  const Constraint& c = rows.constraints[row];
  const auto side = [&](int k) {
    return body_contribution(bodies, c.body1, k, rows.place(row, k), c.base());
  };
  BodyContribution part = side(0);
  const BodyContribution other = side(1);
  part.b += other.b;
  part.held = part.held && other.held;
  part.u += other.u;
  for (std::size_t k = 0; k < part.G.size(); k++) part.G[k] += other.G[k];
  return part;
}

void SharedRows::request(const BodyStore& bodies, const PlacedRows& rows,
                         const Communicator& communicator) {
  requests_.clear();
  replies_.clear();
  contributions_.clear();
  remote_contacts_.clear();
  external_.clear();
  own_rows_ = rows.constraints.size();
  contribution_of_block_.clear();
  if (communicator.size() == 1) return;
  contribution_of_block_.assign(2 * own_rows_, -1);
  send_requests(bodies, rows, communicator);
}

void SharedRows::reply(const BodyStore& bodies, const PlacedRows& rows,
                       const Communicator& communicator, const JointChanges* changes,
                       RowScale scale) {
  scale_ = scale;
  if (scale == RowScale::step) prepare_rows(bodies, rows);
  if (communicator.size() == 1) return;
  for (RemoteContact& remote : remote_contacts_) {
    remote.part =
        body_contribution(bodies, remote.body, remote.side, remote.place, remote.base, scale_);
    add_changes(remote.part, bodies, remote.body, remote.side, remote.place, changes);
  }
  list_own_blocks(bodies, rows, changes);
  send_replies(bodies, rows.constraints, communicator);
}

void SharedRows::send_requests(const BodyStore& bodies, const PlacedRows& rows,
                               const Communicator& communicator) {
  const std::span<const Constraint> contacts = rows.constraints;
  std::map<int, Request> by_rank;
  for (int row = 0; row < static_cast<int>(contacts.size()); row++) {
    const int side = ghost_side(bodies, contacts[row]);
    if (side < 0) continue;
    const int rank = bodies.owner(contacts[row].body(side));
    Request& list = by_rank[rank];
    list.rank = rank;
    list.rows.push_back(row);
  }
  Outbox outgoing;
  for (auto& [rank, list] : by_rank) {
    for (int row : list.rows) {
      const Constraint& c = contacts[row];
      const int side = ghost_side(bodies, c);
      const Place place = rows.place(row, side);
      outgoing.to(rank)(c.key, side, place.x, place.element, place.local, c.base(), c.R);
    }
    requests_.push_back(std::move(list));
  }
  for (const Message& message : communicator.exchange(outgoing.take())) {
    Request& list = replies_.emplace_back(Request{message.rank, {}});
    for (ArchiveReader reader(message.data); !reader.done();) {
      RemoteContact& remote = remote_contacts_.emplace_back();
      reader(remote.key, remote.side, remote.place.x, remote.place.element, remote.place.local,
             remote.base, remote.R);
      remote.rank = message.rank;
      remote.body = bodies.find(remote.side == 0 ? remote.key.body1 : remote.key.body2);
      DEMAND(remote.body >= 0 && !bodies.is_ghost(remote.body));
      list.rows.push_back(static_cast<int>(remote_contacts_.size()) - 1);
    }
  }
  // In the order of keys, whoever asked.
  std::vector<int> order(remote_contacts_.size()), place(remote_contacts_.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](int k) { return remote_contacts_[k].key; });
  std::vector<RemoteContact> sorted;
  for (int k : order) {
    place[k] = static_cast<int>(sorted.size());
    sorted.push_back(std::move(remote_contacts_[k]));
  }
  remote_contacts_ = std::move(sorted);
  for (Request& list : replies_)
    for (int& k : list.rows) k = place[k];
}

// By all rows on a body, on any number of ranks.
void SharedRows::prepare_rows(const BodyStore& bodies, const PlacedRows& rows) const {
  std::map<int, std::vector<ElementPoint>> points;
  const auto add = [&](int i, const Place& place) {
    if (is_meshed(bodies.kind(i))) points[i].push_back({place.element, place.local});
  };
  for (std::size_t row = 0; row < rows.constraints.size(); row++)
    for (int side : {0, 1})
      if (const int i = rows.constraints[row].body(side); i >= 0 && !bodies.is_ghost(i))
        add(i, rows.place(row, side));
  for (const RemoteContact& remote : remote_contacts_) add(remote.body, remote.place);
  for (const auto& [i, list] : points) bodies.finite_elements(i).prepare_rows(list);
}

void SharedRows::list_own_blocks(const BodyStore& bodies, const PlacedRows& rows,
                                 const JointChanges* changes) {
  const std::span<const Constraint> contacts = rows.constraints;
  std::vector<bool> has_remote(static_cast<std::size_t>(bodies.owned()));
  for (const RemoteContact& remote : remote_contacts_) has_remote[remote.body] = true;
  own_blocks_.clear();
  for (int row = 0; row < static_cast<int>(contacts.size()); row++) {
    const Constraint& c = contacts[row];
    for (int side : {0, 1}) {
      if (side == 1 && c.is_self_contact()) continue;
      const int i = c.body(side);
      if (i < 0 || bodies.is_ghost(i) || !has_remote[i]) continue;
      own_blocks_.push_back({i, row, side});
      contribution_of_block_[2 * row + side] = static_cast<int>(contributions_.size());
      contributions_.push_back(
          c.is_self_contact()
              ? self_contact_contribution(bodies, rows, row)
              : body_contribution(bodies, i, side, rows.place(row, side), c.base(), scale_));
      if (!c.is_self_contact())
        add_changes(contributions_.back(), bodies, i, side, rows.place(row, side), changes);
    }
  }
  std::ranges::sort(own_blocks_);
}

void SharedRows::send_replies(const BodyStore& bodies, std::span<const Constraint> contacts,
                              const Communicator& communicator) {
  // Guests of each body.
  std::vector<std::pair<int, int>> remote_blocks;
  for (int k = 0; k < static_cast<int>(remote_contacts_.size()); k++)
    remote_blocks.emplace_back(remote_contacts_[k].body, k);
  std::ranges::sort(remote_blocks);
  const auto remote_contacts_on = [&](int body) {
    return std::ranges::equal_range(remote_blocks, body, {}, &std::pair<int, int>::first);
  };
  const auto own_blocks_on = [&](int body) {
    return std::ranges::equal_range(own_blocks_, body, {}, &OwnBlock::body);
  };

  const int me = communicator.rank();
  Outbox outbox;
  for (const Request& list : replies_) {
    ArchiveWriter& writer = outbox.to(list.rank);
    std::vector<int> shared;
    for (int k : list.rows) {
      writer(remote_contacts_[k].part);
      shared.push_back(remote_contacts_[k].body);
    }
    std::ranges::sort(shared);
    shared.erase(std::unique(shared.begin(), shared.end()), shared.end());
    for (int body : shared) {
      for (const auto& [i, row, side] : own_blocks_on(body))
        writer(contacts[row].key, side, bodies.id(i), me, contribution(row, side)->G);
      for (const auto& [i, k] : remote_contacts_on(body))
        if (remote_contacts_[k].rank != list.rank)
          writer(remote_contacts_[k].key, remote_contacts_[k].side, bodies.id(i),
                 remote_contacts_[k].rank, remote_contacts_[k].part.G);
    }
  }
  // Blocks of remote contacts that own rows on the same bodies need.
  for (const RemoteContact& remote : remote_contacts_)
    if (!own_blocks_on(remote.body).empty())
      external_.push_back({remote.key, remote.side, remote.body, remote.rank, remote.part.G});

  const std::vector<Message> replies = communicator.exchange(outbox.take());
  DEMAND(replies.size() == requests_.size());
  for (std::size_t n = 0; n < replies.size(); n++) {
    DEMAND(replies[n].rank == requests_[n].rank);
    ArchiveReader reader(replies[n].data);
    for (int row : requests_[n].rows) {
      contribution_of_block_[2 * row + ghost_side(bodies, contacts[row])] =
          static_cast<int>(contributions_.size());
      reader(contributions_.emplace_back());
    }
    while (!reader.done()) {
      ExternalBlock& end = external_.emplace_back();
      BodyId id;
      reader(end.key, end.side, id, end.rank, end.G);
      end.body = bodies.find(id);
      DEMAND(end.body >= 0);
    }
  }
  std::ranges::sort(external_, {}, [](const ExternalBlock& e) { return std::pair(e.key, e.side); });
}

void SharedRows::add_external(const BodyStore& bodies, std::span<const Constraint> contacts,
                              LocalDynamics& p) {
  p.W.begin_external();
  external_keys_.clear();
  if (external_.empty()) {
    p.W.finish_rows();
    return;
  }
  const int owned = static_cast<int>(contacts.size());
  struct Ranked {
    int group, rank;
    auto operator<=>(const Ranked&) const = default;
  };
  std::vector<Ranked> on_group;  // other ranks with rows on a group
  std::vector<ContactKey>& keys = external_keys_;
  keys.clear();
  std::map<int, Halo::Neighbour> neighbours;
  for (std::size_t begin = 0, end; begin < external_.size(); begin = end) {
    int group[2] = {-1, -1};
    for (end = begin; end < external_.size() && external_[end].key == external_[begin].key; end++) {
      group[external_[end].side] = external_[end].body;
      on_group.push_back({external_[end].body, external_[end].rank});
    }
    double* G = p.W.add_row(group[0], group[1]);
    for (std::size_t k = begin; k < end; k++) G = std::ranges::copy(external_[k].G, G).out;
    const int rank = external_[begin].rank;
    neighbours[rank].rank = rank;
    neighbours[rank].receive.push_back(owned + static_cast<int>(keys.size()));
    keys.push_back(external_[begin].key);
  }

  std::ranges::sort(on_group);
  on_group.erase(std::unique(on_group.begin(), on_group.end()), on_group.end());
  std::vector<bool> is_shared(static_cast<std::size_t>(bodies.total()));
  for (const Ranked& other : on_group) is_shared[other.group] = true;
  for (int row = 0; row < owned; row++)
    for (int i : {contacts[row].body1, contacts[row].body2}) {
      if (i < 0 || !is_shared[i]) continue;
      for (const Ranked& other : std::ranges::equal_range(on_group, i, {}, &Ranked::group)) {
        std::vector<int>& send = neighbours[other.rank].send;
        if (send.empty() || send.back() != row) send.push_back(row);
      }
    }
  for (auto& [rank, neighbour] : neighbours) p.halo.neighbours.push_back(std::move(neighbour));

  // Both lists are in the order of keys.
  std::vector<int> order;
  for (int row = 0, e = 0; row < owned || e < static_cast<int>(keys.size());) {
    if (e == static_cast<int>(keys.size()) || (row < owned && contacts[row].key < keys[e]))
      order.push_back(row++);
    else
      order.push_back(owned + e++);
  }
  p.W.finish_rows(order);
}

void SharedRows::return_reactions(std::span<const Vec3> R, Channel& channel) {
  std::vector<double> numbers;
  for (const Request& list : requests_) {
    numbers.clear();
    for (int row : list.rows) numbers.insert(numbers.end(), R[row].begin(), R[row].end());
    channel.send(list.rank, numbers);
  }
  for (const Request& list : replies_) {
    numbers.resize(3 * list.rows.size());
    channel.receive(list.rank, numbers);
    for (std::size_t k = 0; k < list.rows.size(); k++)
      remote_contacts_[list.rows[k]].R = Eigen::Map<const Vec3>(&numbers[3 * k]);
  }
  channel.finish();
}

std::vector<Vec3> SharedRows::collect(Channel& channel,
                                      const std::function<Vec3(const RemoteContact&)>& work) const {
  std::vector<Vec3> result(own_rows_, Vec3::Zero());
  std::vector<double> numbers;
  for (const Request& list : replies_) {
    numbers.clear();
    for (int k : list.rows) {
      const Vec3 value = work(remote_contacts_[k]);
      numbers.insert(numbers.end(), value.begin(), value.end());
    }
    channel.send(list.rank, numbers);
  }
  for (const Request& list : requests_) {
    numbers.resize(3 * list.rows.size());
    channel.receive(list.rank, numbers);
    for (std::size_t k = 0; k < list.rows.size(); k++)
      result[list.rows[k]] = Eigen::Map<const Vec3>(&numbers[3 * k]);
  }
  channel.finish();
  return result;
}

}  // namespace solfec
