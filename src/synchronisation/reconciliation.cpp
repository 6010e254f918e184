#include "synchronisation/reconciliation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/error.hpp"
#include "domain/joints.hpp"
#include "synchronisation/scripted_model.hpp"

namespace solfec {
namespace {

// The state of an obstacle, as far as scripts change it.
struct ObstacleState {
  BodyId id;
  ReferenceMass reference;
  std::vector<Joint> joints;
  int changes = 0;
  std::array<double, 12> q{};
  std::array<double, 6> u{};

  bool operator==(const ObstacleState& other) const;
};

template <class Archive>
void visit_fields(Archive& archive, ObstacleState& o) {
  archive(o.id, o.reference, o.joints, o.changes, o.q, o.u);
}

bool ObstacleState::operator==(const ObstacleState& other) const {
  ArchiveWriter a, b;
  a(*this);
  b(other);
  return a.bytes() == b.bytes();
}

// A body made by the function, as ranks tell each other of it.
struct MadeEntry {
  std::string place, label;
  bool deleted = false, obstacle = false;
  std::uint64_t content = 0;  // fingerprint
};

template <class Archive>
void visit_fields(Archive& archive, MadeEntry& e) {
  archive(e.place, e.label, e.deleted, e.obstacle, e.content);
}

// All that a rank has changed.
struct Report {
  std::vector<MadeEntry> made;
  std::vector<ObstacleState> obstacles;
  std::vector<BodyId> deleted;
  std::vector<std::array<std::uint32_t, 5>> constraints;
  std::vector<std::array<BodyId, 2>> excluded_bodies;
  std::vector<std::array<int, 2>> excluded_surfaces;
  std::vector<std::array<BodyId, 2>> piece_bodies;
  std::vector<std::array<Vec3, 2>> piece_points;
};

template <class Archive>
void visit_fields(Archive& archive, Report& r) {
  archive(r.made, r.obstacles, r.deleted, r.constraints, r.excluded_bodies, r.excluded_surfaces,
          r.piece_bodies, r.piece_points);
}

// Where a body that one or all ranks have made belongs.
struct NewBody {
  BodyId id;
  int maker;  // -1: all ranks
};

// Ids of the bodies that each rank has made; by rank and number.
struct Numbering {
  std::vector<std::vector<NewBody>> of;
  std::uint32_t count = 0;
};

constexpr const char* kRule = "bodies are made by all ranks alike, or by one rank";

// A line of the script has made bodies on all ranks alike, or on one rank.
Numbering number_new_bodies(const std::vector<Report>& reports, std::uint32_t base, bool lenient) {
  const int ranks = static_cast<int>(reports.size());
  std::map<std::string, std::vector<std::vector<int>>> places;  // of each rank: numbers made there
  for (int r = 0; r < ranks; r++)
    for (std::size_t k = 0; k < reports[r].made.size(); k++) {
      auto& numbers = places[reports[r].made[k].place];
      numbers.resize(ranks);
      numbers[r].push_back(static_cast<int>(k));
    }
  Numbering numbering;
  for (const Report& report : reports) numbering.of.emplace_back(report.made.size());
  // counterpart[k]: the number on each rank of what rank 0 has made as number k; empty when it is
  // alone.
  std::map<int, std::vector<int>> counterparts;
  for (const auto& [place, numbers] : places) {
    const auto makers = std::ranges::count_if(numbers, [](const auto& n) { return !n.empty(); });
    if (makers == 1) continue;
    for (int r = 1; r < ranks; r++) {
      if (numbers[r].size() != numbers[0].size() && !lenient)
        throw RunError(fmt::format("{} made {} on rank 0 and {} on rank {}: {}", place,
                                   numbers[0].size(), numbers[r].size(), r, kRule));
    }
    std::size_t common = numbers[0].size();
    for (const auto& n : numbers) common = std::min(common, n.size());
    for (std::size_t j = 0; j < common; j++) {
      std::vector<int>& counterpart = counterparts[numbers[0][j]];
      for (int r = 0; r < ranks; r++) {
        counterpart.push_back(numbers[r][j]);
        if (reports[r].made[numbers[r][j]].content != reports[0].made[numbers[0][j]].content &&
            !lenient)
          throw RunError(
              fmt::format("{} made another body on rank {} than on rank 0: {}", place, r, kRule));
      }
    }
  }
  // The order of rank 0, then what other ranks have made alone.
  for (int r = 0; r < ranks; r++)
    for (std::size_t k = 0; k < reports[r].made.size(); k++) {
      NewBody& new_body = numbering.of[r][k];
      if (new_body.id.valid()) continue;
      const BodyId id{base + numbering.count++};
      new_body = {id, r};
      if (r > 0) continue;
      const auto counterpart = counterparts.find(static_cast<int>(k));
      if (counterpart == counterparts.end()) continue;
      for (int other = 0; other < ranks; other++)
        numbering.of[other][counterpart->second[other]] = {id, -1};
    }
  return numbering;
}

class ChangeReconciler {
 public:
  ChangeReconciler(ScriptedModel& s, bool lenient)
      : s_(s),
        world_(s.communicator),
        lenient_(lenient),
        base_(s.script.next_body - static_cast<std::uint32_t>(s.script.changes.made.size())) {}

  void reconcile() {
    ArchiveWriter archive;
    archive(report());
    for (const Bytes& bytes : world_.gather(archive.bytes()))
      reports_.push_back(ArchiveReader(bytes).get<Report>());
    check_obstacles();
    numbering_ = number_new_bodies(reports_, base_, lenient_);
    place_new_bodies();
    count_new_bodies();
    name_joints();
    reconcile_obstacles();
    reconcile_deletions();
    reconcile_exclusions();
    std::vector<PieceExclusion> pieces = std::move(s_.script.changes.common_pieces);
    s_.script.changes = {};
    s_.script.changes.common_pieces = std::move(pieces);
  }

 private:
  Report report() const;
  BodyState unnumbered(int i) const;
  void check_obstacles() const;
  void place_new_bodies();
  void count_new_bodies();
  void name_joints();
  void reconcile_obstacles();
  void reconcile_deletions();
  void reconcile_exclusions();

  bool belongs_here(bool obstacle, BodyId id) const {
    return obstacle || home_of(s_, id) == world_.rank();
  }

  // The final id of a body that rank `r` knows by this one.
  BodyId translated(std::size_t r, BodyId id) const {
    return !id.valid() || id.value < base_ ? id : numbering_.of[r][id.value - base_].id;
  }

  ScriptedModel& s_;
  const Communicator& world_;
  bool lenient_;
  std::uint32_t base_;
  std::vector<Report> reports_;
  Numbering numbering_;
};

ObstacleState obstacle_state(const BodyStore& bodies, int i) {
  const Body& body = bodies[i];
  ObstacleState o{body.id, body.reference, body.joints, body.changes, {}, {}};
  std::copy_n(bodies.q(i), o.q.size(), o.q.begin());
  std::copy_n(bodies.u(i), o.u.size(), o.u.begin());
  return o;
}

// Without its number, which may change, and what a rank does not know of other bodies.
BodyState ChangeReconciler::unnumbered(int i) const {
  BodyState state = s_.domain.bodies.state(i);
  state.body.id = BodyId{};
  for (Joint& joint : state.body.joints) {
    joint.measured = false;
    joint.rest = 0;
    if (joint.other.valid() && joint.kind == kLinkOfNoLength) joint.kind = kLink;
    if (joint.other.valid() && joint.other.value >= base_) joint.other = BodyId{base_};
  }
  return state;
}

Report ChangeReconciler::report() const {
  const Changes& c = s_.script.changes;
  const BodyStore& bodies = s_.domain.bodies;
  Report report;
  for (const Changes::Made& made : c.made) {
    MadeEntry entry{made.place, made.label, made.deleted, false, 0};
    if (!made.deleted) {
      const int i = find_here(s_, made.handle->id);
      entry.obstacle = is_obstacle(bodies.kind(i));
      ArchiveWriter archive;
      archive(unnumbered(i));
      entry.content = fingerprint(archive.bytes());
    }
    report.made.push_back(std::move(entry));
  }
  for (BodyId id : c.obstacles) {
    const int i = find_here(s_, id);
    if (i >= 0 && !is_new(s_, id)) report.obstacles.push_back(obstacle_state(bodies, i));
  }
  report.deleted.assign(c.deleted_bodies.begin(), c.deleted_bodies.end());
  for (const ContactKey& k : c.deleted_constraints)
    report.constraints.push_back({k.body1.value, k.body2.value, k.feature1, k.feature2, k.point});
  for (const auto& [a, b] : c.excluded_bodies) report.excluded_bodies.push_back({a, b});
  for (const auto& [a, b] : c.excluded_surfaces) report.excluded_surfaces.push_back({a, b});
  for (const PieceExclusion& p : c.excluded_pieces) {
    report.piece_bodies.push_back({p.body1, p.body2});
    report.piece_points.push_back({p.point1, p.point2});
  }
  return report;
}

void ChangeReconciler::check_obstacles() const {
  if (lenient_) return;
  std::map<BodyId, std::pair<std::size_t, const ObstacleState*>> known;
  for (std::size_t r = 0; r < reports_.size(); r++)
    for (const ObstacleState& o : reports_[r].obstacles) {
      const auto [entry, is_first] = known.try_emplace(o.id, r, &o);
      if (!is_first && !(*entry->second.second == o))
        throw RunError(fmt::format("ranks {} and {} have set obstacle {} differently",
                                   entry->second.first, r, o.id.value));
    }
}

// Takes the bodies made on this rank out of the store, and inserts those it owns under their final
// numbers. A body that one rank has made stays with it, an obstacle goes to all ranks. What ranks
// have made differently is that of the first rank.
void ChangeReconciler::place_new_bodies() {
  BodyStore& bodies = s_.domain.bodies;
  std::vector<BodyState> states(s_.script.changes.made.size()), arrivals;
  std::vector<bool> marked(static_cast<std::size_t>(bodies.owned()));
  const int rank = world_.rank();
  for (std::size_t k = 0; k < states.size(); k++) {
    const Changes::Made& made = s_.script.changes.made[k];
    const NewBody& assigned = numbering_.of[rank][k];
    if (!made.deleted) {
      const int i = find_here(s_, made.handle->id);
      states[k] = bodies.state(i);
      marked[i] = true;
      const bool obstacle = is_obstacle(bodies.kind(i));
      const bool common = assigned.maker < 0;
      if (common ? !lenient_ && belongs_here(obstacle, assigned.id) : !obstacle) {
        arrivals.push_back(states[k]);
        arrivals.back().body.id = assigned.id;
      }
    }
  }
  if (!marked.empty() && !states.empty()) bodies.remove(marked);
  for (std::size_t r = 0; r < reports_.size(); r++)
    for (std::size_t k = 0; k < reports_[r].made.size(); k++) {
      const NewBody& assigned = numbering_.of[r][k];
      const MadeEntry& entry = reports_[r].made[k];
      const bool common = assigned.maker < 0;
      if (entry.deleted || (common ? !lenient_ || r > 0 : !entry.obstacle)) continue;
      ArchiveWriter archive;
      if (static_cast<int>(r) == rank) archive(states[k]);
      const Bytes bytes = world_.broadcast(archive.take(), static_cast<int>(r));
      if (!belongs_here(entry.obstacle, assigned.id)) continue;
      arrivals.push_back(ArchiveReader(bytes).get<BodyState>());
      arrivals.back().body.id = assigned.id;
    }
  bodies.insert(std::move(arrivals));
}

void ChangeReconciler::count_new_bodies() {
  const auto rank = static_cast<std::size_t>(world_.rank());
  // Those made here are counted already.
  for (std::size_t k = 0; k < s_.script.changes.made.size(); k++)
    s_.script.changes.made[k].handle->id = numbering_.of[rank][k].id;
  for (const Changes::Made& made : s_.script.changes.made)
    s_.script.labels.add(made.label, made.handle);
  std::set<BodyId> counted;
  for (const NewBody& mine : numbering_.of[rank]) counted.insert(mine.id);
  for (std::size_t r = 0; r < reports_.size(); r++)
    for (std::size_t k = 0; k < reports_[r].made.size(); k++) {
      const BodyId id = numbering_.of[r][k].id;
      const MadeEntry& entry = reports_[r].made[k];
      if (lenient_ && r > 0 && numbering_.of[r][k].maker < 0) continue;  // as on the first rank
      if (entry.deleted) s_.script.gone.insert(id);
      if (!counted.insert(id).second) continue;
      s_.new_bodies++;
      if (entry.deleted)
        s_.deleted_bodies++;
      else
        s_.totals.bodies++;
      if (!entry.label.empty())
        s_.script.labels.add(entry.label, std::make_shared<BodyHandle>(BodyHandle{id, nullptr}));
    }
  s_.script.next_body = base_ + numbering_.count;
}

// Joints on bodies that have got other numbers.
void ChangeReconciler::name_joints() {
  if (s_.script.changes.made.empty()) return;
  const auto rank = static_cast<std::size_t>(world_.rank());
  Domain& domain = s_.domain;
  std::erase_if(domain.constraints.all(), [&](const Constraint& c) {
    return !c.is_contact() && (c.owning_body().value >= base_ ||
                               (c.other_body().valid() && c.other_body().value >= base_));
  });
  for (int i = 0; i < domain.bodies.owned(); i++)
    for (Joint& joint : domain.bodies[i].joints) joint.other = translated(rank, joint.other);
  make_joint_constraints(domain);
}

void ChangeReconciler::reconcile_obstacles() {
  BodyStore& bodies = s_.domain.bodies;
  std::set<BodyId> done = s_.script.changes.obstacles;
  if (lenient_) done.clear();
  for (const Report& report : reports_)
    for (const ObstacleState& o : report.obstacles) {
      const int i = find_here(s_, o.id);
      if (i < 0 || !done.insert(o.id).second) continue;
      bodies[i].reference = o.reference;
      bodies[i].joints = o.joints;
      bodies[i].changes = o.changes;
      std::ranges::copy(o.q, bodies.q(i));
      std::ranges::copy(o.u, bodies.u(i));
      bodies.update_inertia(i);
    }
}

void ChangeReconciler::reconcile_deletions() {
  Changes mine = std::exchange(s_.script.changes, {});  // what is applied is not a change again
  std::set<BodyId> done = mine.deleted_bodies;
  for (std::size_t r = 0; r < reports_.size(); r++) {
    for (BodyId id : reports_[r].deleted)
      if (done.insert(id).second) delete_body(s_, id);
    for (const auto& [body1, body2, feature1, feature2, point] : reports_[r].constraints)
      remove_constraint(s_.domain, {translated(r, BodyId{body1}), translated(r, BodyId{body2}),
                                    feature1, feature2, point});
  }
  s_.script.changes = std::move(mine);
}

void ChangeReconciler::reconcile_exclusions() {
  ContactExclusions& exclusions = s_.domain.exclusions;
  std::set<std::pair<std::array<BodyId, 2>, std::array<double, 6>>> pieces;
  for (std::size_t r = 0; r < reports_.size(); r++) {
    const Report& report = reports_[r];
    for (const auto& [a, b] : report.excluded_bodies)
      exclusions.exclude_bodies(translated(r, a), translated(r, b));
    for (const auto& [a, b] : report.excluded_surfaces) exclusions.exclude_surfaces(a, b);
    for (std::size_t k = 0; k < report.piece_bodies.size(); k++) {
      const auto& [a, b] = report.piece_bodies[k];
      const auto& [p1, p2] = report.piece_points[k];
      const std::array<BodyId, 2> ids = {translated(r, a), translated(r, b)};
      if (pieces.insert({ids, {p1.x(), p1.y(), p1.z(), p2.x(), p2.y(), p2.z()}}).second)
        s_.script.changes.common_pieces.push_back({ids[0], ids[1], p1, p2});
    }
  }
}

}  // namespace

void reconcile_changes(ScriptedModel& s, bool lenient) {
  ChangeReconciler(s, lenient).reconcile();
  resolve_pieces(s);
}

}  // namespace solfec
