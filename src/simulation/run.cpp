#include "simulation/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <filesystem>
#include <limits>

#include "body/integration.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "domain/joints.hpp"
#include "output/script_copy.hpp"
#include "parallel/collective_errors.hpp"
#include "simulation/contradiction.hpp"
#include "simulation/origin.hpp"
#include "simulation/progress.hpp"
#include "simulation/resume.hpp"
#include "simulation/settings.hpp"
#include "simulation/step_indeterminacy.hpp"
#include "synchronisation/script_call.hpp"

namespace fs = std::filesystem;

namespace solfec {
namespace {

constexpr double kFramesOfRun = 1000;  // without OUTPUT, at most

// Of a step: round-off must not add one, or a frame.
constexpr double kSameTime = 1e-6;

bool reached(double time, double goal, double h) { return time >= goal - kSameTime * h; }

// The first of goal, goal + interval, ... that is not reached; a tiny interval gives the next step.
double next_goal(double goal, double interval, double time, double h) {
  if (!reached(time, goal, h)) return goal;
  return goal + interval * (std::floor((time + kSameTime * h - goal) / interval) + 1);
}

// Before anything is written: one run at a time, and only over results of its own.
void take_directory(ResultsAccess& results) {
  if (results.lock) return;
  std::error_code error;
  fs::create_directories(results.directory, error);
  if (error)
    throw RunError(
        fmt::format("cannot create the output directory '{}': {}", results.title, error.message()));
  results.lock.emplace(results.directory);
  demand_no_other_files(results.directory);
  if (results.script_text) demand_script_copy(results.directory, *results.script_text);
}

void start_results(Simulation& s) {
  if (s.results.writer) return;
  collectively(s.communicator, [&] {
    if (s.communicator.rank() > 0) return;
    if (!s.results.resume) remove_results(s.results.directory);
    if (s.results.script_text) write_script_copy(s.results.directory, *s.results.script_text);
  });
  using How = ResultsWriter::How;
  s.results.writer =
      std::make_unique<ResultsWriter>(s.results.directory, analysis_name(s.domain.analysis),
                                      s.communicator, s.results.resume ? How::go_on : How::start);
}

class Loop {
 public:
  /// `under_way`: the run has begun already, and goes on from the state that was loaded.
  Loop(Simulation& s, Solver& solver, double duration, bool under_way) : s_(s), solver_(solver) {
    start_results(s_);
    s_.results.writer->set_compression(s_.settings.compression);
    if (s_.results.writer->model().empty()) s_.results.writer->set_model(model_parts(s_));
    if (!under_way) {
      s_.clock.runs++;
      s_.clock.run_start = s_.clock.time;
      for (int i = 0; i < s_.domain.bodies.owned(); i++) s_.domain.bodies.work(i).supplied.reset();
      s_.energy_watch = {};
      s_.last.h = s_.last.h > 0 ? s_.last.h : s_.settings.step;
    }
    s_.results.writer->add_to_model(run_part(s_.clock.runs, solver_, duration));
    end_ = s_.clock.run_start + duration;
    s_.running = true;
  }
  ~Loop() { s_.running = false; }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  RunEnd go(const std::function<void()>& poll, const IsInterruption& is_interruption) {
    reduce_counts(s_);
    if (s_.results.writer->frames() == 0) {
      write_frame(false);
      s_.results.writer->publish();
    }
    Progress progress(s_, end_);
    warn_of_sizes();
    tell_of_output();
    tell_of_law();
    RunEnd end = RunEnd::complete;
    try {
      abort_on_local_error(s_.communicator, [&] {
        while (end == RunEnd::complete && !time_is_up()) end = advance(progress, poll);
      });
    } catch (...) {  // on all ranks
      const bool interrupted =
          interrupted_ || (is_interruption && is_interruption(std::current_exception()));
      finish(false);
      progress.finish(s_, interrupted ? "interrupted" : "ended by an error");
      throw;
    }
    if (end == RunEnd::complete) take_late_stop();
    finish(time_is_up() || end != RunEnd::stop_file);
    progress.finish(s_, reason(end));
    return end;
  }

 private:
  // Once, when bodies touch: what a script forgets easily.
  void tell_of_materials() const {
    const SurfaceMaterials& materials = s_.domain.surface_materials;
    bool springs = false;
    for (int k = 0; k < materials.count(); k++) {
      const SurfaceMaterial& m = materials[k];
      springs = springs || m.spring > 0;
      if (m.model == ContactModel::spring_dashpot && m.spring == 0 && m.dashpot == 0)
        log::warning(fmt::format(
            "{}: SURFACE_MATERIAL '{}' of the model 'SPRING_DASHPOT' has neither spring nor "
            "dashpot: bodies do not feel its contacts",
            s_.results.title, m.label));
    }
    if (solver_.contact_laws() == ContactLaws::springs && !springs)
      log::warning(s_.results.title + ": " + solver_.name() +
                   ", but no SURFACE_MATERIAL has a spring: bodies do not feel their contacts");
    else if (materials.made() == 0 && s_.settings.verbosity == Verbosity::on)
      log::info(s_.results.title +
                ": no SURFACE_MATERIAL: contacts without friction and restitution");
  }

  // A contact of surfaces that have no material where others have, on this rank.
  const Constraint* without_material() const {
    const SurfaceMaterials& materials = s_.domain.surface_materials;
    if (materials.made() == 0 || materials.has_default()) return nullptr;
    const std::vector<Constraint>& all = s_.domain.constraints.all();
    const auto found = std::ranges::find_if(
        all, [](const Constraint& c) { return c.is_contact() && c.material == 0; });
    return found == all.end() ? nullptr : &*found;
  }

  // Once: a number of a surface may be mistyped. Collective.
  void tell_of_surfaces() const {
    ArchiveWriter mine;
    std::string text;
    if (const Constraint* c = without_material())
      text = fmt::format(
          "surfaces {} and {} have no SURFACE_MATERIAL: contacts between them without friction and "
          "restitution",
          std::min(c->surface1, c->surface2), std::max(c->surface1, c->surface2));
    mine(text);
    for (const Bytes& bytes : s_.communicator.gather(mine.bytes()))
      if (const auto one = ArchiveReader(bytes).get<std::string>(); !one.empty()) {
        log::info(s_.results.title + ": " + one);
        return;
      }
  }

  // Once, since results of such steps differ from those of the law of Coulomb.
  void tell_of_law() const {
    if (solver_.contact_laws() == ContactLaws::convex && s_.settings.verbosity == Verbosity::on &&
        s_.script.warned.insert("convex law").second)
      log::info(s_.results.title + ": " + solver_.name() +
                " gives contacts the convex law: those that slide open");
  }

  // Once: contacts of bodies near the size of the epsilon begin far away from them. Collective.
  void warn_of_sizes() const {
    constexpr double kMany = 100, kFine = 1e-5;
    const BodyStore& bodies = s_.domain.bodies;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < bodies.owned(); i++)
      if (!is_obstacle(bodies.kind(i))) least = std::min(least, bodies.extent(i).size);
    least = s_.communicator.min(least);
    const double epsilon = s_.domain.detection_settings.epsilon;
    if (least >= kMany * epsilon || !s_.script.warned.insert("sizes").second) return;
    log::warning(fmt::format(
        "{}: points nearer than {:g} m are taken as one, and the smallest body measures {:.2g} m; "
        "GEOMETRIC_EPSILON ({:.0e}) suits it",
        s_.results.title, epsilon, 2 * least, std::pow(10, std::floor(std::log10(kFine * least)))));
  }

  void tell_of_output() const {
    if (!s_.settings.output_interval && output_interval() > s_.settings.step &&
        s_.settings.verbosity == Verbosity::on)
      log::info(
          fmt::format("{}: no OUTPUT: a frame every {:g} s; OUTPUT (solfec, 0) writes every step",
                      s_.results.title, output_interval()));
  }

  bool misses_material() const {
    return s_.settings.verbosity == Verbosity::on && !s_.script.warned.contains("surfaces") &&
           without_material();
  }
  bool touches_first() const {
    return !s_.script.warned.contains("materials") &&
           std::ranges::any_of(s_.domain.constraints.all(), &Constraint::is_contact);
  }

  // One step, and what happens after it.
  RunEnd advance(Progress& progress, const std::function<void()>& poll) {
    const auto began = std::chrono::steady_clock::now();
    s_.totals.energy.reset();  // until the script may ask
    stepped_ = false;
    make_step(s_, solver_);
    stepped_ = true;
    frame_written_ = false;
    const bool frame_due = reached(s_.clock.time, s_.clock.next_output, s_.last.h);
    const bool alone = s_.communicator.size() == 1;
    report_due_ = progress.is_due(s_.communicator);
    if (!alone) poll_stop_conditions(poll);
    progress.update(s_, report_due_);
    RunEnd end = after_step();
    // After the callback, which may change the state.
    if (frame_due) write_frame(time_is_up() || end != RunEnd::complete);
    if (alone) poll_stop_conditions(poll);
    const RunEnd asked = asked_to_end();
    if (end == RunEnd::complete) end = asked;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    longest_step_ = std::max(0.9 * longest_step_, took.count());
    if (due_) s_.results.writer->publish();
    return end;
  }

  // OUTPUT may change it in the middle of a run.
  double output_interval() const {
    return s_.settings.output_interval.value_or((end_ - s_.clock.run_start) / kFramesOfRun);
  }
  bool time_is_up() const { return reached(s_.clock.time, end_, s_.last.h); }

  // `ended`: the run is over with this state, and will not go on from it.
  void write_frame(bool ended) {
    if (const double interval = output_interval(); interval > 0)
      s_.clock.next_output = next_goal(s_.clock.next_output, interval, s_.clock.time, s_.last.h);
    settle_new_joints(s_.domain);
    if (s_.settings.determinacy && stepped_) note_determinacy(s_);
    FrameHeader header = frame_header(s_);
    header.run_ended = ended;
    s_.results.writer->add(header, s_.domain,
                           s_.domain.regions ? s_.domain.regions->partition() : Partition());
    record_energy(s_.domain.bodies, s_.domain.bulk_materials);
    s_.new_bodies = s_.deleted_bodies = 0;
    frame_written_ = true;
  }

  // The last state is always written, and the script may ask for its energies.
  void finish(bool ended) {
    reduce_energy(s_);
    if (!frame_written_) write_frame(ended);
    s_.results.writer->publish();
  }

  // Signals, the file STOP, and whether it is time to report or to publish: one rank that says so
  // is enough.
  void poll_stop_conditions(const std::function<void()>& poll) {
    try {
      if (poll) poll();
    } catch (...) {
      interruption_ = std::current_exception();
    }
    const auto [kinetic, supplied, gain] = s_.energy_watch.figures();
    std::array<double, 9> flags = {stop_requested() ? 1.0 : 0.0,
                                   interruption_ ? 1.0 : 0.0,
                                   s_.results.writer->is_due(longest_step_) ? 1.0 : 0.0,
                                   report_due_ ? 1.0 : 0.0,
                                   touches_first() ? 1.0 : 0.0,
                                   kinetic,
                                   supplied,
                                   gain,
                                   misses_material() ? 1.0 : 0.0};
    reduce_counts(s_, flags);
    if (s_.communicator.size() > 1) energies_ = {flags[5], flags[6], flags[7]};
    stop_ = flags[0] > 0;
    interrupted_ = flags[1] > 0;
    due_ = flags[2] > 0;
    report_due_ = flags[3] > 0;
    if (flags[4] > 0 && s_.script.warned.insert("materials").second) tell_of_materials();
    if (flags[8] > 0 && s_.script.warned.insert("surfaces").second) tell_of_surfaces();
  }

  RunEnd asked_to_end() const {
    if (interruption_) std::rethrow_exception(interruption_);
    if (interrupted_) throw RunError("another rank was interrupted by a signal");
    return stop_ ? RunEnd::stop_file : RunEnd::complete;
  }

  std::string unconverged() const {
    const SolveResult& solution = s_.last.solution;
    return fmt::format(
        "{} has not converged at time {:g}: {}, merit {:.3g} after {} iterations; {}",
        solver_.name(), s_.clock.time, name(solution.status), solution.merit, solution.iterations,
        failure_advice(s_));
  }

  bool many_unconverged() const {
    constexpr std::int64_t kShare = 10;  // a tenth of the steps
    return s_.unconverged * kShare >= s_.clock.steps;
  }

  // Once, whatever `verbose` says: many such steps are no result.
  void warn_of_unconverged() {
    constexpr std::int64_t kMany = 10;
    s_.unconverged++;
    if (s_.unconverged < kMany || !many_unconverged()) return;
    if (!s_.script.warned.insert("unconverged").second) return;
    log::warning(
        fmt::format("{}: {} of {} steps have not converged by time {:g}, the last one with a "
                    "merit of {:.1e}; {}",
                    s_.results.title, s_.unconverged, s_.clock.steps, s_.clock.time,
                    s_.last.solution.merit, failure_advice(s_)));
  }

  std::string runaway_advice() const {
    if (s_.last.solution.status == SolveStatus::ok && !many_unconverged())
      return "reduce the step of SOLFEC";
    return fmt::format("{} of {} steps have not converged: {}", s_.unconverged, s_.clock.steps,
                       failure_advice(s_));
  }

  RunEnd after_step() {
    if (s_.last.solution.status != SolveStatus::ok) {
      look_at_joints(s_);
      if (look_at_pressure(s_)) s_.energy_watch.take_back_rows();
      warn_of_unconverged();
      if (solver_.failure_action() == FailureAction::exit) throw RunError(unconverged());
      if (solver_.failure_action() == FailureAction::callback &&
          !call("the solver's failure callback", solver_.on_failure))
        return RunEnd::solver;
    }
    if (s_.communicator.size() == 1) energies_ = s_.energy_watch.figures();
    if (const std::string energies =
            s_.energy_watch.what_runs_away(s_.domain, energies_, s_.last.h);
        !energies.empty())
      throw RunError(fmt::format("the motion runs away at time {:g}: {}; {}", s_.clock.time,
                                 energies, runaway_advice()));
    if (s_.settings.callback && reached(s_.clock.time, s_.clock.next_callback, s_.last.h)) {
      s_.clock.next_callback = next_goal(s_.clock.next_callback, s_.settings.callback->interval,
                                         s_.clock.time, s_.last.h);
      const auto function = s_.settings.callback->function;  // it may set another one
      // It may have made the file STOP.
      next_look_ = {};
      if (!call("CALLBACK", function)) return RunEnd::callback;
    }
    return RunEnd::complete;
  }

  bool call(const char* name, const std::function<bool()>& function) {
    return call_script(
        s_, [this] { return settings_of(s_, solver_); }, name, function);
  }

  // The file system is asked a few times a second only, by the first rank.
  bool stop_requested() {
    const auto now = std::chrono::steady_clock::now();
    if (s_.communicator.rank() > 0 || now < next_look_) return false;
    next_look_ = now + std::chrono::milliseconds(200);
    std::error_code ignored;
    const fs::path file = fs::path(s_.results.directory) / kStopFile;
    if (!fs::exists(file, ignored)) return false;
    // A file with something in it is somebody's own.
    if (!fs::is_symlink(file, ignored) && fs::is_empty(file, ignored)) fs::remove(file, ignored);
    return true;
  }

  // A file that came after the last look asked this run to end, which it has, and not the next one.
  void take_late_stop() {
    next_look_ = {};
    stop_requested();
  }

  static std::string reason(RunEnd end) {
    switch (end) {
      case RunEnd::complete:
        return "";
      case RunEnd::stop_file:
        return "ended by the file STOP";
      case RunEnd::callback:
        return "ended by the CALLBACK";
      case RunEnd::solver:
        return "ended by the solver's failure callback";
    }
    return "";
  }

  Simulation& s_;
  Solver& solver_;
  double end_;
  bool stepped_ = false;  // the state is that after a step of this run
  bool frame_written_ = true;
  double longest_step_ = 0;
  std::array<double, 3> energies_{};  // of EnergyWatch, sums over the ranks
  bool stop_ = false, interrupted_ = false, due_ = false, report_due_ = false;
  std::exception_ptr interruption_;
  std::chrono::steady_clock::time_point next_look_{};
};

}  // namespace

RunEnd run(Simulation& simulation, Solver& solver, double duration,
           const std::function<void()>& poll, const IsInterruption& is_interruption) {
  synchronise_run(simulation, settings_of_run(simulation, solver, duration));
  return abort_on_local_error(simulation.communicator, [&] {
    collectively(simulation.communicator, [&] {
      if (simulation.communicator.rank() == 0) take_directory(simulation.results);
    });
    Resumption resumption = Resumption::not_begun;
    if (simulation.results.resume) resumption = resume_run(simulation, solver, duration);
    if (resumption == Resumption::ended) return RunEnd::complete;
    return Loop(simulation, solver, duration, resumption == Resumption::under_way)
        .go(poll, is_interruption);
  });
}

}  // namespace solfec
