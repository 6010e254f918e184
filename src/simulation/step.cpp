#include <fmt/format.h>

#include <cmath>

#include "body/integration.hpp"
#include "core/error.hpp"
#include "simulation/simulation.hpp"

namespace solfec {
namespace {

double choose_step(const Simulation& s) {
  const double limit = stable_step(s.domain.bodies, s.domain.bulk_materials);
  return s.communicator.min(std::min(s.step, limit));
}

// One verdict on all ranks: every number is finite.
void check_state(const Simulation& s) {
  const BodyStore& bodies = s.domain.bodies;
  for (int i = 0; i < bodies.total(); i++) {
    double sum = 0;
    for (int k = 0; k < bodies.freedom(i); k++) sum += bodies.u(i)[k];
    for (int k = 0; k < BodyStore::kConfiguration; k++) sum += bodies.q(i)[k];
    if (!std::isfinite(sum))
      throw RunError(fmt::format(
          "{} has left the numbers (NaN or infinity) at time {:g}: the step may be too large, or a "
          "load or a material is out of range",
          bodies.name(i), s.time));
  }
}

void step_phases(Simulation& s, Solver& solver, double h) {
  Domain& d = s.domain;
  PhaseTimes& timing = s.last.timing;
  {
    const PhaseTimer timer(timing, Phase::integration);
    begin_step(d.bodies, d.bulk_materials, d.gravity, s.time, h);
  }
  {
    const PhaseTimer timer(timing, Phase::detection);
    detect_contacts(d, s.steps == 0);
    check_penetration(d, s.time);
  }
  {
    const PhaseTimer timer(timing, Phase::local_dynamics);
    assemble(d, h);
  }
  {
    const PhaseTimer timer(timing, Phase::solution);
    s.last.solver = solver.kind();
    s.last.solution = solver.solve(d.local_dynamics, s.communicator);
  }
  {
    const PhaseTimer timer(timing, Phase::integration);
    apply_reactions(d);
    end_step(d.bodies, h);
    check_state(s);
  }
}

}  // namespace

void make_step(Simulation& s, Solver& solver) {
  const StepReport last = s.last;
  const int sparsified = s.domain.sparsified;
  s.domain.bodies.save();
  s.domain.contacts.save();
  s.last.timing.clear();
  double h;
  {
    const PhaseTimer timer(s.last.timing, Phase::integration);
    h = choose_step(s);
  }
  s.stepping = true;
  try {
    step_phases(s, solver, h);
    s.stepping = false;
  } catch (...) {
    s.stepping = false;
    s.domain.bodies.restore();
    s.domain.contacts.restore(s.domain.bodies);
    s.domain.sparsified = sparsified;
    s.last = last;
    throw;
  }
  s.last.h = h;
  s.time += h;
  s.steps++;
  s.deleted_bodies += delete_outside(s.domain);
}

}  // namespace solfec
