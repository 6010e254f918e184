#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "parallel/collective_errors.hpp"
#include "simulation/changes.hpp"
#include "simulation/origin.hpp"

namespace solfec {

namespace {

Energy owned_energy(const Domain& domain) {
  Energy sum;
  for (int i = 0; i < domain.bodies.owned(); i++)
    sum += energy(domain.bodies, domain.bulk_materials, i);
  return sum;
}

// Results name materials by number; the script must have made them.
void check_materials(const Domain& domain) {
  for (int i = 0; i < domain.bodies.owned(); i++)
    if (largest_material(domain.bodies[i]) >= domain.bulk_materials.count())
      throw RunError(
          fmt::format("body {} has bulk material number {} in the results; this script "
                      "makes {} of them (before its first RUN)",
                      domain.bodies.id(i).value, largest_material(domain.bodies[i]),
                      domain.bulk_materials.count()));
  for (const Constraint& c : domain.constraints.all())
    if (c.material >= domain.surface_materials.count())
      throw RunError(
          fmt::format("a contact has surface material number {} in the results; this "
                      "script makes {} of them",
                      c.material, domain.surface_materials.count() - 1));
}

ForceFunction function_of(const Simulation& s, int number) {
  return number >= 0 && number < static_cast<int>(s.domain.user_forces.size())
             ? s.domain.user_forces[number]
             : ForceFunction();
}

// A body is gone on all ranks, with its contacts.
void forget(Simulation& s, BodyId id) {
  s.script.gone.insert(id);
  std::erase_if(s.domain.constraints.all(),
                [&](const Constraint& c) { return c.key.body1 == id || c.key.body2 == id; });
}

void meet_at_results(Simulation& s) {
  SyncRequest request;
  request.point = SyncPoint::results;
  synchronise_alike(s.communicator, request, *s.script.command_log);
}

void note_deletion(Simulation& s, BodyId id) {
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

// What each of several ranks knows of the bodies of all: which there are, and who has which label.
void know_bodies_of_frame(Simulation& s, const ResultsReader& results, int frame) {
  s.script.next_in_frame = results.header(frame).next_body;
  s.script.gone.clear();
  std::uint64_t next = 0;
  for (const LayoutRow& present : results.layout(frame)) {
    s.script.gone.insert(next, present.id);
    next = std::uint64_t{present.id} + 1;
  }
  s.script.gone.insert(next, std::max(s.script.next_body, s.script.next_in_frame));

  ArchiveWriter mine;
  const BodyStore& bodies = s.domain.bodies;
  const bool first = s.communicator.rank() == 0;
  for (int i = 0; i < bodies.owned(); i++) {
    const std::string& label = bodies[i].label;
    const bool is_told = first || !bodies.is_obstacle(i);
    if (is_told && !label.empty() && !s.script.labels.knows(label, bodies.id(i)))
      mine(label, bodies.id(i));
  }
  for (const Bytes& bytes : s.communicator.gather(mine.bytes()))
    for (ArchiveReader reader(bytes); !reader.done();) {
      const auto label = reader.get<std::string>();
      s.script.labels.add(label,
                          std::make_shared<BodyHandle>(BodyHandle{reader.get<BodyId>(), nullptr}));
    }
}

}  // namespace

void fail_in_step(const std::string& what) {
  throw RunError(what +
                 " in the middle of a step, by the function of a FORCE or PUT_SPRING; a CALLBACK "
                 "comes between steps");
}

void demand_no_step(const Simulation& s) {
  if (s.stepping) fail_in_step("a model cannot be changed");
}

BodyId add_body(Simulation& s, Body body) {
  demand_no_step(s);
  body.id = BodyId{s.script.next_body++};
  const BodyId id = body.id;
  if (s.mode == Mode::read && s.results.frame >= 0) {  // it is in the frames after this RUN
    if (!open_results(s).holds(s.results.frame, id)) s.script.gone.insert(id);
    return id;
  }
  const bool stays =
      is_obstacle(body.kind) || collects_changes(s) || home_of(s, id) == s.communicator.rank();
  if (stays) s.domain.bodies.add(std::move(body));
  s.totals.bodies++;
  if (s.clock.steps > 0) s.new_bodies++;
  return id;
}

bool delete_body(Simulation& s, BodyId id) {
  demand_no_step(s);
  if (find_here(s, id) < 0 && !lives_elsewhere(s, id)) return false;
  delete_bodies(s.domain, std::array{id});
  if (s.communicator.size() > 1) note_deletion(s, id);
  s.totals.bodies--;
  if (s.clock.steps > 0) s.deleted_bodies++;
  return true;
}

int home_of(const Simulation& s, BodyId id) {
  return static_cast<int>(id.value % static_cast<std::uint32_t>(s.communicator.size()));
}

int find_here(const Simulation& s, BodyId id) {
  const int i = s.domain.bodies.find(id);
  return i >= 0 && !s.domain.bodies.is_ghost(i) ? i : -1;
}

bool lives_elsewhere(const Simulation& s, BodyId id) {
  return s.communicator.size() > 1 &&
         id.value < std::max(s.script.next_body, s.script.next_in_frame) &&
         !s.script.gone.contains(id) && find_here(s, id) < 0;
}

FrameHeader frame_header(const Simulation& s) {
  FrameHeader h;
  h.time = s.clock.time;
  h.step = s.last.h;
  h.number = s.clock.steps;
  h.merit = s.last.solution.merit;
  h.solver = s.last.solver;
  h.iterations = s.last.solution.iterations;
  h.new_bodies = s.new_bodies;
  h.deleted_bodies = s.deleted_bodies;
  h.sparsified = s.domain.sparsified;
  h.timing = s.last.timing;
  h.gauss_seidel = s.last.gauss_seidel;
  h.run = s.clock.runs;
  h.run_start = s.clock.run_start;
  h.next_output = s.clock.next_output;
  h.next_callback = s.clock.next_callback;
  h.next_body = s.script.next_body;
  return h;
}

Distribution distribution(const Simulation& s) {
  return {s.communicator, [&s](BodyId id, const Vec3&) { return home_of(s, id); }};
}

int position(const Simulation& s, int i) {
  if (s.communicator.size() == 1) return i;
  const BodyId id = s.domain.bodies.id(i);
  return static_cast<int>(id.value - s.script.gone.count_below(id));
}

void reduce_counts(Simulation& s, std::span<double> flags) {
  if (s.communicator.size() == 1) return;
  std::vector<double> sums = {static_cast<double>(owned_bodies(s)),
                              static_cast<double>(s.domain.constraints.count())};
  sums.insert(sums.end(), flags.begin(), flags.end());
  s.communicator.sum_all(sums);
  s.totals.bodies = static_cast<std::int64_t>(sums[0]);
  s.totals.constraints = static_cast<std::int64_t>(sums[1]);
  std::copy(sums.begin() + 2, sums.end(), flags.begin());
}

void reduce_energy(Simulation& s) {
  if (s.communicator.size() == 1) return;
  const Energy own = owned_energy(s.domain);
  std::array<double, 5> sums = {own.kinetic, own.internal, own.external, own.contact, own.friction};
  s.communicator.sum_all(sums);
  s.totals.energy = Energy{sums[0], sums[1], sums[2], sums[3], sums[4]};
}

std::int64_t owned_bodies(const Simulation& s) {
  const BodyStore& bodies = s.domain.bodies;
  std::int64_t count = 0;
  for (int i = 0; i < bodies.owned(); i++)
    if (s.communicator.rank() == 0 || !bodies.is_obstacle(i)) count++;
  return count;
}

std::int64_t body_count(const Simulation& s) {
  return s.communicator.size() == 1 ? s.domain.bodies.owned() : s.totals.bodies;
}

std::int64_t constraint_count(const Simulation& s) {
  return s.communicator.size() == 1 ? s.domain.constraints.count() : s.totals.constraints;
}

std::optional<Energy> total_energy(const Simulation& s) {
  return s.communicator.size() > 1 ? s.totals.energy : owned_energy(s.domain);
}

ResultsReader& open_results(Simulation& s) {
  if (s.mode == Mode::write) {
    if (!s.results.writer && s.results.earlier) return *s.results.earlier;
    if (!s.results.writer) throw RunError("there are no results yet: RUN comes first");
    if (s.results.writer->waiting()) {
      meet_at_results(s);
      abort_on_local_error(s.communicator, [&] { s.results.writer->publish(); });
    }
    if (!s.results.reader || s.results.reader->frames() != s.results.writer->frames())
      s.results.reader = std::make_unique<ResultsReader>(s.results.directory);
  } else if (!s.results.reader) {
    s.results.reader = std::make_unique<ResultsReader>(s.results.directory);
  }
  return *s.results.reader;
}

void load_frame(Simulation& s, const ResultsReader& results, int frame) {
  results.load(
      frame, s.domain, [&](int number) { return function_of(s, number); }, distribution(s));
  collectively(s.communicator, [&] { check_materials(s.domain); });
  const FrameHeader h = results.header(frame);
  s.clock.time = h.time;
  s.clock.steps = h.number;
  s.last.h = h.step;
  s.last.timing = h.timing;
  s.last.gauss_seidel = h.gauss_seidel;
  s.last.solver = h.solver;
  s.last.solution.iterations = h.iterations;
  s.last.solution.merit = h.merit;
  const auto total = [&](const char* column) {
    return results.frame_column(column, frame, frame + 1);
  };
  s.totals.bodies = static_cast<std::int64_t>(total("bodies")[0]);
  s.totals.constraints = static_cast<std::int64_t>(total("constraints")[0]);
  const std::vector<double> e = total("energy");
  s.totals.energy = Energy{e[0], e[1], e[2], e[3], e[4]};
  if (s.communicator.size() > 1) know_bodies_of_frame(s, results, frame);
  s.domain.regions.reset();
  const Partition partition = results.partition(frame);
  if (s.communicator.size() > 1 && partition.ranks() == s.communicator.size())
    s.domain.regions.emplace(partition);
}

void show_first_frame(Simulation& s) {
  meet_at_results(s);
  collectively(s.communicator, [&] { open_results(s); });
  abort_on_local_error(s.communicator, [&] { tell_origin(s, *s.results.reader); });
  show_frame(s, 0);
}

void show_frame(Simulation& s, int frame) {
  meet_at_results(s);
  // Results that are being written may have been opened by another rank before they had the frame.
  const int here = static_cast<int>(s.communicator.min(frame));
  abort_on_local_error(s.communicator, [&] { load_frame(s, open_results(s), here); });
  s.results.frame = here;
}

void pass_run(Simulation& s, const Solver& solver, double duration) {
  const ResultsReader& results = open_results(s);
  const std::vector<double> run = results.frame_column("run", 0, results.frames());
  s.clock.runs++;
  compare_run(s, results, run_part(s.clock.runs, solver, duration));
  const auto last = std::ranges::find_if(run, [&](double number) { return number > s.clock.runs; });
  if (last == run.begin()) return;  // all frames are of later RUNs
  const int frame = static_cast<int>(last - run.begin()) - 1;
  s.script.next_body = std::max(s.script.next_body, results.header(frame).next_body);
}

}  // namespace solfec
