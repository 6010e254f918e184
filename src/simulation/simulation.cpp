#include "simulation/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace solfec {

namespace {

// Results name materials by number; the script must have made them.
void check_materials(const Domain& domain) {
  for (int i = 0; i < domain.bodies.owned(); i++)
    if (domain.bodies[i].material >= domain.bulk_materials.count())
      throw RunError(fmt::format(
          "body {} has bulk material number {} in the results; this script "
          "makes {} of them (before its first RUN)",
          domain.bodies.id(i).value, domain.bodies[i].material, domain.bulk_materials.count()));
  for (const Contact& c : domain.contacts.contacts())
    if (c.material >= domain.surface_materials.count())
      throw RunError(
          fmt::format("a contact has surface material number {} in the results; this "
                      "script makes {} of them",
                      c.material, domain.surface_materials.count() - 1));
}

void demand_no_step(const Simulation& s) {
  if (s.stepping)
    throw RunError(
        "bodies cannot be made or deleted by the function of a FORCE, in the middle of a "
        "step; a CALLBACK can do that");
}

}  // namespace

BodyId add_body(Simulation& s, Body body) {
  demand_no_step(s);
  body.id = BodyId{s.next_body++};
  const BodyId id = body.id;
  if (s.mode == Mode::read && s.frame >= 0) return id;  // it is in the frames after this RUN
  s.domain.bodies.add(std::move(body));
  if (s.steps > 0) s.new_bodies++;
  return id;
}

bool delete_body(Simulation& s, BodyId id) {
  demand_no_step(s);
  const int i = s.domain.bodies.find(id);
  if (i < 0) return false;
  delete_bodies(s.domain, std::array{id});
  if (s.steps > 0) s.deleted_bodies++;
  return true;
}

FrameHeader frame_header(const Simulation& s) {
  FrameHeader h;
  h.time = s.time;
  h.step = s.last.h;
  h.number = s.steps;
  h.merit = s.last.solution.merit;
  h.solver = s.last.solver;
  h.iterations = s.last.solution.iterations;
  h.new_bodies = s.new_bodies;
  h.deleted_bodies = s.deleted_bodies;
  h.sparsified = s.domain.sparsified;
  h.timing = s.last.timing;
  h.run = s.runs;
  h.run_start = s.run_start;
  h.next_output = s.next_output;
  h.next_callback = s.next_callback;
  h.next_body = s.next_body;
  return h;
}

ResultsReader& open_results(Simulation& s) {
  if (s.mode == Mode::write) {
    if (!s.writer) throw RunError("there are no results yet: RUN comes first");
    s.writer->publish();
    if (!s.reader || s.reader->frames() != s.writer->frames())
      s.reader = std::make_unique<ResultsReader>(s.directory);
  } else if (!s.reader) {
    s.reader = std::make_unique<ResultsReader>(s.directory);
  }
  return *s.reader;
}

void show_frame(Simulation& s, int frame) {
  ResultsReader& results = open_results(s);
  results.load(frame, s.domain, [&](int number) {
    return number >= 0 && number < static_cast<int>(s.domain.user_forces.size())
               ? s.domain.user_forces[number]
               : ForceFunction();
  });
  check_materials(s.domain);
  const FrameHeader h = results.header(frame);
  s.time = h.time;
  s.steps = h.number;
  s.last.h = h.step;
  s.last.timing = h.timing;
  s.last.solver = h.solver;
  s.last.solution.iterations = h.iterations;
  s.last.solution.merit = h.merit;
  s.frame = frame;
}

void pass_run(Simulation& s) {
  const ResultsReader& results = open_results(s);
  const std::vector<double> run = results.frame_column("run", 0, results.frames());
  s.runs++;
  const auto last = std::ranges::find_if(run, [&](double number) { return number > s.runs; });
  const int frame = static_cast<int>(last - run.begin()) - 1;
  s.next_body = std::max(s.next_body, results.header(frame).next_body);
}

}  // namespace solfec
