#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "parallel/collective_errors.hpp"
#include "simulation/origin.hpp"
#include "synchronisation/sync_point.hpp"

namespace solfec {

namespace {

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

void meet_at_results(Simulation& s) {
  SyncRequest request;
  request.point = SyncPoint::results;
  synchronise_alike(s.communicator, request, *s.script.command_log);
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
    const bool is_told = first || !is_obstacle(bodies.kind(i));
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

BodyId make_body(Simulation& s, Body body) {
  if (s.mode == Mode::write || s.results.frame < 0) return add_body(s, std::move(body));
  demand_no_step(s);
  const BodyId id{s.script.next_body++};
  if (!open_results(s).holds(s.results.frame, id)) s.script.gone.insert(id);
  return id;
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
