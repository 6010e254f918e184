#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "body/integration.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "domain/conserving_contacts.hpp"
#include "domain/joint_holds.hpp"
#include "domain/joints.hpp"
#include "domain/lookahead.hpp"
#include "domain/migration.hpp"
#include "parallel/collective_errors.hpp"
#include "simulation/simulation.hpp"

namespace solfec {
namespace {

// What all ranks need before a step, in one reduction.
struct StepPlan {
  double h;
  double full;  ///< of the steps that follow
  BodyBounds body_bounds;
  bool joints;     ///< that are rows exist on some rank
  bool corotated;  ///< bodies of the form BC, too
  bool conserves;  ///< bodies by DEF_IMP do
};

// Contacts are found in the middle of a step. Of those that are known ahead fast ones would be past
// each other in the middle of a first step of the full length, and bonds are those of bodies that
// touch at the start: where these move a first step is shorter, and the second one makes up for it.
double start_gently(const Simulation& s, double h, const BodyBounds& bounds) {
  constexpr double kShort = 1e-6;
  constexpr double kStays = 0.1;  // of epsilon
  if (s.clock.steps == 1 && s.last.h < 2 * kShort * h) return h - s.last.h;
  if (s.clock.steps > 0) return h;
  const double least = kStays * s.domain.detection_settings.epsilon;
  const bool glues = s.domain.surface_materials.has_cohesion() &&
                     s.communicator.any(fastest(s.domain.bodies) * s.settings.step > least);
  return glues || bounds.travel > 0 ? kShort * h : h;
}

StepPlan plan_step(const Simulation& s) {
  const TimeStep longest{s.clock.time, s.settings.step, s.domain.analysis};
  const BodyBounds e = s.communicator.size() > 1 ? body_bounds(s.domain) : BodyBounds();
  const double h = std::min(s.settings.step, stable_step(s.domain.bodies, s.domain.bulk_materials));
  std::array<double, 9> most = {-h,
                                e.size,
                                e.ratio,
                                e.connected ? 1.0 : 0.0,
                                e.unknown_partner ? 1.0 : 0.0,
                                has_joints(s.domain) ? 1.0 : 0.0,
                                has_corotated_bodies(s.domain.bodies) ? 1.0 : 0.0,
                                farthest_travel(s.domain, longest),
                                has_conserving_bodies(s.domain.bodies, longest) ? 1.0 : 0.0};
  s.communicator.max_all(most);
  return {-most[0],    -most[0],    {most[1], most[2], most[7], most[3] > 0, most[4] > 0},
          most[5] > 0, most[6] > 0, most[8] > 0};
}

// Reactions of a much shorter step are impulses over its length, where something met in it. Steps
// start from reactions: of those that balance each other what is too much would stay.
void keep_impulses(Simulation& s, double h) {
  constexpr double kMuch = 10;
  if (!(s.last.h > 0 && h > kMuch * s.last.h)) return;
  for (Constraint& c : s.domain.constraints.all()) c.R *= s.last.h / h;
}

// A run of such steps would not end; beside the time a step must be more than its last digits.
void check_step(const Simulation& s, double h) {
  constexpr double kLeast = 1e-12;
  if (h >= s.settings.step || h > kLeast * std::max(s.settings.step, s.clock.time)) return;
  throw RunError(fmt::format(
      "a step of {:.2g} s at time {:g}, where the step of SOLFEC is {:g}, would be stable "
      "for the bodies of the scheme DEF_EXP: their materials are too stiff or too light, or "
      "their elements too small; DEF_LIM and DEF_IMP have no such limit",
      h, s.clock.time, s.settings.step));
}

// Once: the user asked for another step.
void report_step(Simulation& s, double h) {
  if (h >= s.settings.step || s.settings.verbosity != Verbosity::on ||
      !s.script.warned.insert("stable step").second)
    return;
  log::info(
      fmt::format("{}: steps of {:.3g} s, the largest that are stable for the bodies of the scheme "
                  "DEF_EXP; DEF_LIM and DEF_IMP have no such limit",
                  s.results.title, h));
}

// Throws RunError unless every number is finite.
void check_state(const BodyStore& bodies, double time) {
  for (int i = 0; i < bodies.owned(); i++) {
    double sum = 0;
    for (int k = 0; k < bodies.dofs(i); k++) sum += bodies.u(i)[k];
    for (int k = 0; k < BodyStore::kConfiguration; k++) sum += bodies.q(i)[k];
    for (int k = 0; k < bodies.x.count(i); k++) sum += bodies.x(i)[k];
    if (!std::isfinite(sum))
      throw RunError(fmt::format(
          "{} has a state that is not finite at time {:g}: the step may be too large, or a "
          "load or a material is out of range",
          bodies.name(i), time));
  }
}

// Joints are closed for the other reactions as they are, and the solver finds all reactions that
// leave them so; in turns, since the motion of jointed bodies is not linear, nor is that of bodies
// by DEF_IMP.
SolveResult solve_constraints(Domain& d, Solver& solver, const TimeStep& step,
                              const StepPlan& plan) {
  constexpr int kMost = 10;
  const bool closes = plan.joints && d.correct_joints;
  ConservingContacts conserving;
  SolveResult result;
  for (int k = 0; k < kMost; k++) {
    bool changed = k == 0;
    if (closes && d.joint_closure.middle(d, step, k == 0)) changed = true;
    if (plan.conserves && k > 0 && conserving.follow(d, step)) changed = true;
    if (!changed) break;
    const int iterations = result.iterations;
    result = solver.solve(d.local_dynamics, d.local_solution, d.communicator);
    result.iterations += iterations;
    if (result.status != SolveStatus::ok || !(closes || plan.conserves)) break;
  }
  conserving.forget(d);
  if (closes) forget_motion(d);
  return result;
}

void step_phases(Simulation& s, Solver& solver, const StepPlan& plan) {
  Domain& d = s.domain;
  PhaseTimes& timing = s.last.timing;
  const TimeStep step{s.clock.time, plan.h, d.analysis};
  Attempt attempt;
  const bool impulses = plan.joints && step.dynamic(), holds = plan.joints && plan.corotated;
  if (!holds) d.bodies.holds.clear();
  set_lookahead(d, step, plan.full);
  {
    const PhaseTimer timer(timing, Phase::integration);
    attempt([&] { d.supports.begin(d, step); });
  }
  if (impulses || holds || plan.body_bounds.unknown_partner) {
    const PhaseTimer timer(timing, Phase::solution);
    refresh_ghosts(d, plan.body_bounds);
    if (holds) find_holds(d);
    if (impulses) {
      d.joint_closure.start(d, step);
      s.energy_watch.take_gain(d);
    }
  }
  if (!impulses) d.joint_closure.skip_start();
  d.supports.add_holds(d.bodies);
  {
    const PhaseTimer timer(timing, Phase::integration);
    attempt([&] { begin_step(d.bodies, d.bulk_materials, d.gravity, step); });
  }
  {
    const PhaseTimer timer(timing, Phase::balancing);
    d.ghosts.refresh(d, plan.body_bounds);
  }
  {
    const PhaseTimer timer(timing, Phase::detection);
    attempt([&] {
      d.supports.place(d.bodies);
      detect_contacts(d, s.clock.steps == 0);
      check_penetration(d, s.clock.time);
    });
    attempt.agree(s.communicator);
  }
  {
    const PhaseTimer timer(timing, Phase::local_dynamics);
    d.delassus_form = solver.delassus_form();
    d.solver_accuracy = solver.accuracy();
    assemble(d, step, solver.contact_laws());
    attempt([&] { d.supports.check_rows(d, step); });  // told at the end: no word for it alone
    if (!d.spring_functions.empty()) {                 // all ranks know them
      attempt([&] { evaluate_springs(d); });
      attempt.agree(s.communicator);
    }
  }
  {
    const PhaseTimer timer(timing, Phase::solution);
    s.last.solver = solver.kind();
    // Those that are known ahead are not lost.
    const bool loses = step.dynamic() && d.contact_correction != ContactCorrection::ahead;
    solver.gap_tolerance = loses ? d.detection_settings.epsilon : 0;
    s.last.solution = solve_constraints(d, solver, step, plan);
    solver.end_step(s.last.solution.iterations);
    const RankWork& w = s.last.solution.rank_work;
    s.last.gauss_seidel = {w.colours,
                           {w.bottom, w.middle, w.top, w.inner},
                           {w.initialisation, w.run, w.communication, w.middle_communication}};
  }
  {
    const PhaseTimer timer(timing, Phase::integration);
    apply_reactions(d);
    const bool corrects = d.contact_correction != ContactCorrection::off && step.dynamic();
    if (corrects) d.overlap_correction.apply(d, step);
    attempt([&] {
      end_step(d.bodies, d.bulk_materials, step);
      if (corrects) d.overlap_correction.keep_momentum(d.bodies, step.h);
      check_state(d.bodies, s.clock.time);
    });
    attempt.agree(s.communicator);
    if (step.dynamic()) {
      d.supports.close_end(d, step);
      s.energy_watch.end_step(d, step, solver.contact_laws());
    }
  }
  if (impulses && d.correct_joints) {
    const PhaseTimer timer(timing, Phase::solution);
    d.ghosts.refresh(d, plan.body_bounds);
    d.joint_closure.end(d, step);
    s.energy_watch.take_gain(d);
  }
  {
    const PhaseTimer timer(timing, Phase::integration);
    d.supports.finish(d, step);
  }
}

}  // namespace

void make_step(Simulation& s, Solver& solver) {
  const StepReport last = s.last;
  const int sparsified = s.domain.sparsified;
  const bool dynamic = s.domain.analysis == Analysis::dynamic;
  s.last.timing.clear();
  StepPlan plan;
  {
    const PhaseTimer timer(s.last.timing, Phase::integration);
    if (dynamic) s.energy_watch.take_gain(s.domain);
    s.domain.supports.choose(s.domain);
    plan = plan_step(s);
    check_step(s, plan.h);
    report_step(s, plan.h);
    if (dynamic) plan.h = start_gently(s, plan.h, plan.body_bounds);
  }
  {
    const PhaseTimer timer(s.last.timing, Phase::balancing);
    s.domain.ghosts.migrated().clear();
    if (s.domain.regions) migrate(s.domain, plan.h);
    if (balance(s.domain, s.clock.steps, s.last.solution.iterations)) migrate(s.domain, plan.h);
    if (dynamic && s.communicator.size() > 1) s.energy_watch.follow_migration(s.domain);
  }
  s.domain.bodies.save();
  s.domain.constraints.save();
  keep_impulses(s, plan.h);
  s.stepping = solver.stepping = true;
  try {
    step_phases(s, solver, plan);
    s.stepping = solver.stepping = false;
  } catch (...) {
    s.stepping = solver.stepping = false;
    s.domain.bodies.restore();
    s.domain.constraints.restore(s.domain.bodies);
    s.domain.supports.restore(s.domain);
    s.domain.sparsified = sparsified;
    s.last = last;
    throw;
  }
  s.last.h = plan.h;
  s.last.first_new = std::exchange(s.last.next_body, BodyId{s.script.next_body});
  s.clock.time += plan.h;
  s.clock.steps++;
  const std::vector<BodyId> outside = delete_outside(s.domain);
  s.deleted_bodies += static_cast<int>(outside.size());
  if (s.communicator.size() > 1)
    for (BodyId id : outside) s.script.gone.insert(id);
}

}  // namespace solfec
