#include "synchronisation/scripted_model.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "domain/joints.hpp"

namespace solfec {
namespace {

Energy owned_energy(const Domain& domain) {
  Energy sum;
  for (int i = 0; i < domain.bodies.owned(); i++)
    sum += energy(domain.bodies, domain.bulk_materials, i);
  return sum;
}

// A body is gone on all ranks, with its contacts.
void forget(ScriptedModel& s, BodyId id) {
  s.script.gone.insert(id);
  std::erase_if(s.domain.constraints.all(),
                [&](const Constraint& c) { return c.key.body1 == id || c.key.body2 == id; });
}

void note_deletion(ScriptedModel& s, BodyId id) {
  if (is_new(s, id)) {
    const auto made = std::ranges::find_if(
        s.script.changes.made, [&](const Changes::Made& m) { return m.handle->id == id; });
    DEMAND(made != s.script.changes.made.end());
    made->deleted = true;
    return;
  }
  forget(s, id);
  if (collects_changes(s)) s.script.changes.deleted_bodies.insert(id);
}

}  // namespace

void fail_in_step(const std::string& what) {
  throw RunError(what +
                 " in the middle of a step, by the function of a FORCE or PUT_SPRING; a CALLBACK "
                 "comes between steps");
}

void demand_no_step(const ScriptedModel& s) {
  if (s.stepping) fail_in_step("a model cannot be changed");
}

BodyId add_body(ScriptedModel& s, Body body) {
  demand_no_step(s);
  body.id = BodyId{s.script.next_body++};
  const BodyId id = body.id;
  const bool stays =
      is_obstacle(body.kind) || collects_changes(s) || home_of(s, id) == s.communicator.rank();
  if (stays) s.domain.bodies.add(std::move(body));
  s.totals.bodies++;
  if (s.clock.steps > 0) s.new_bodies++;
  return id;
}

bool delete_body(ScriptedModel& s, BodyId id) {
  demand_no_step(s);
  if (find_here(s, id) < 0 && !lives_elsewhere(s, id)) return false;
  delete_bodies(s.domain, std::array{id});
  if (s.communicator.size() > 1) note_deletion(s, id);
  s.totals.bodies--;
  if (s.clock.steps > 0) s.deleted_bodies++;
  return true;
}

int home_of(const ScriptedModel& s, BodyId id) {
  return static_cast<int>(id.value % static_cast<std::uint32_t>(s.communicator.size()));
}

int find_here(const ScriptedModel& s, BodyId id) {
  const int i = s.domain.bodies.find(id);
  return i >= 0 && !s.domain.bodies.is_ghost(i) ? i : -1;
}

bool lives_elsewhere(const ScriptedModel& s, BodyId id) {
  return s.communicator.size() > 1 &&
         id.value < std::max(s.script.next_body, s.script.next_in_frame) &&
         !s.script.gone.contains(id) && find_here(s, id) < 0;
}

int position(const ScriptedModel& s, int i) {
  if (s.communicator.size() == 1) return i;
  const BodyId id = s.domain.bodies.id(i);
  return static_cast<int>(id.value - s.script.gone.count_below(id));
}

void reduce_counts(ScriptedModel& s, std::span<double> flags) {
  if (s.communicator.size() == 1) return;
  std::vector<double> sums = {static_cast<double>(owned_bodies(s)),
                              static_cast<double>(s.domain.constraints.count())};
  sums.insert(sums.end(), flags.begin(), flags.end());
  s.communicator.sum_all(sums);
  s.totals.bodies = static_cast<std::int64_t>(sums[0]);
  s.totals.constraints = static_cast<std::int64_t>(sums[1]);
  std::copy(sums.begin() + 2, sums.end(), flags.begin());
}

void reduce_energy(ScriptedModel& s) {
  if (s.communicator.size() == 1) return;
  const Energy own = owned_energy(s.domain);
  std::array<double, 5> sums = {own.kinetic, own.internal, own.external, own.contact, own.friction};
  s.communicator.sum_all(sums);
  s.totals.energy = Energy{sums[0], sums[1], sums[2], sums[3], sums[4]};
}

std::int64_t owned_bodies(const ScriptedModel& s) {
  const BodyStore& bodies = s.domain.bodies;
  std::int64_t count = 0;
  for (int i = 0; i < bodies.owned(); i++)
    if (s.communicator.rank() == 0 || !is_obstacle(bodies.kind(i))) count++;
  return count;
}

std::int64_t body_count(const ScriptedModel& s) {
  return s.communicator.size() == 1 ? s.domain.bodies.owned() : s.totals.bodies;
}

std::int64_t constraint_count(const ScriptedModel& s) {
  return s.communicator.size() == 1 ? s.domain.constraints.count() : s.totals.constraints;
}

std::optional<Energy> total_energy(const ScriptedModel& s) {
  return s.communicator.size() > 1 ? s.totals.energy : owned_energy(s.domain);
}

bool collects_changes(const ScriptedModel& s) { return s.running && s.communicator.size() > 1; }

bool is_new(const ScriptedModel& s, BodyId id) {
  return id.value + s.script.changes.made.size() >= s.script.next_body &&
         !s.script.changes.made.empty();
}

}  // namespace solfec
