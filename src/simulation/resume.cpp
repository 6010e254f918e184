#include "simulation/resume.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/log.hpp"
#include "parallel/collective_errors.hpp"
#include "simulation/origin.hpp"

namespace solfec {
namespace {

// Functions live in the script: one that a CALLBACK made is not there yet.
void check_functions(const Domain& domain) {
  const BodyStore& bodies = domain.bodies;
  const auto fail = [&](int i, const char* what, int number) {
    throw RunError(
        fmt::format("body {} has a {} by function number {} of the script in the results; this "
                    "script has not made it before this RUN",
                    bodies.id(i).value, what, number));
  };
  for (int i = 0; i < bodies.owned(); i++) {
    for (const Load& load : bodies[i].loads)
      if (const auto* user = std::get_if<UserForce>(&load); user && !user->function)
        fail(i, "force", user->number);
    for (const Joint& joint : bodies[i].joints)
      if (joint.spring.function >= std::ssize(domain.spring_functions))
        fail(i, "spring", joint.spring.function);
  }
}

void restore(Simulation& s, int frame) {
  load_frame(s, *s.results.earlier, frame);
  collectively(s.communicator, [&] { check_functions(s.domain); });
  const FrameHeader h = s.results.earlier->header(frame);
  s.clock.runs = h.run;
  s.clock.run_start = h.run_start;
  s.clock.next_output = h.next_output;
  s.clock.next_callback = h.next_callback;
  s.script.next_body = h.next_body;
  s.last.next_body = BodyId{h.next_body};
  s.new_bodies = s.deleted_bodies = 0;
}

}  // namespace

Resumption resume_run(Simulation& s, const Solver& solver, double duration) {
  if (!s.results.earlier) {
    if (s.results.writer) return Resumption::not_begun;  // all passed
    collectively(s.communicator,
                 [&] { s.results.earlier = std::make_unique<ResultsReader>(s.results.directory); });
    tell_changes(s, *s.results.earlier, model_parts(s));
  }
  const int frames = s.results.earlier->frames();
  const std::vector<double> run = s.results.earlier->frame_column("run", 0, frames);
  const auto later = std::ranges::upper_bound(run, static_cast<double>(s.clock.runs + 1));
  const int last = static_cast<int>(later - run.begin()) - 1;
  const bool has_frames = last >= 0 && run[last] == s.clock.runs + 1;
  if (has_frames) {
    const auto first = static_cast<int>(std::ranges::lower_bound(run, run[last]) - run.begin());
    if (s.clock.runs > 0) tell_changed_bodies(s, *s.results.earlier, first);
    restore(s, last);
    // A RUN that was followed by another one was over, however it ended.
    if (later != run.end() || s.results.earlier->header(last).run_ended) {
      compare_run(s, *s.results.earlier, run_part(s.clock.runs, solver, duration));
      return Resumption::ended;
    }
    if (s.clock.time >
        s.clock.run_start + duration + s.last.h) {  // the last step of a RUN may end after it
      log::warning(
          fmt::format("{}: the results have come to {:g} s already, beyond the end of RUN number "
                      "{} of the script, at {:g} s",
                      s.results.title, s.clock.time, s.clock.runs, s.clock.run_start + duration));
      return Resumption::ended;
    }
  } else if (later != run.end()) {  // too short for a step
    s.clock.runs++;
    return Resumption::ended;
  }
  s.results.earlier.reset();
  return has_frames ? Resumption::under_way : Resumption::not_begun;
}

}  // namespace solfec
