#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include "input/objects.hpp"
#include "input/session.hpp"
#include "simulation/initial_state.hpp"
#include "simulation/run.hpp"
#include "simulation/settings.hpp"
#include "solver/registry.hpp"
#include "synchronisation/script_call.hpp"

namespace solfec::input {
namespace {

std::shared_ptr<Solver> solver_of(const Value& value) {
  if (auto solver = solver_in(value.object())) return solver;
  std::vector<std::string> commands;
  for (const SolverEntry& entry : solvers()) commands.emplace_back(entry.command);
  value.fail_type(fmt::format("a solver object ({})", fmt::join(commands, ", ")));
}

// Lets Python act on Ctrl-C between steps.
void check_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

// Ctrl-C, or sys.exit, within a function of the script.
bool is_interruption(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const py::error_already_set& error) {
    return error.matches(PyExc_KeyboardInterrupt) || error.matches(PyExc_SystemExit);
  } catch (...) {
    return false;
  }
}

// RUN (solfec, duration) is short for RUN (solfec, AUTO_SOLVER (), duration).
bool is_short_form(const Arguments& a) {
  const py::handle second = a["solver"].object();
  return !a["duration"].given() && (PyFloat_Check(second.ptr()) || PyLong_Check(second.ptr()));
}

// The run is left to the viewer; who needs its end waits for it.
void put_off(const Viewer& viewer, const std::shared_ptr<Simulation>& simulation,
             const std::shared_ptr<Solver>& solver, double duration) {
  const std::weak_ptr<Simulation> known = simulation;
  simulation->put_off = solver->put_off = [known, wait = viewer.wait] {
    if (const auto s = known.lock(); s && !s->running) wait(SolfecObject{s});
  };
  const py::cpp_function start([simulation, solver, duration](const py::function& between_steps) {
    simulation->put_off = solver->put_off = nullptr;
    const auto poll = [between_steps] {
      check_signals();
      between_steps();
    };
    run(*simulation, *solver, duration, poll, is_interruption);
  });
  viewer.tell(SolfecObject{simulation}, start, duration);
}

py::object run_simulation(const Arguments& a, const std::optional<Viewer>& viewer) {
  const auto simulation = shared_simulation_of(a["solfec"]);
  const bool short_form = is_short_form(a);
  const bool own_solver = !short_form && a["solver"].given();
  const auto solver =
      own_solver ? solver_of(a["solver"]) : std::make_shared<Automatic>(AutomaticSettings());
  const Value time = a[short_form ? "solver" : "duration"];
  if (!time.given()) a.fail("'duration' is missing");
  const double duration = (short_form ? Value("RUN: 'duration'", time.object()) : time).positive();
  if (simulation->mode == Mode::read) {
    synchronise_run(*simulation, settings_of_run(*simulation, *solver, duration));
    ensure_results_shown(*simulation);
    pass_run(*simulation, *solver, duration);
    return py::none();
  }
  if (solver->stepping)
    a["solver"].fail_value_saying(
        "this solver is in the middle of a step of another SOLFEC object");
  if (simulation->running) a["solfec"].fail_value_saying("this SOLFEC object is running already");
  if (viewer) {
    put_off(*viewer, simulation, solver, duration);
    return py::none();
  }
  try {
    run(*simulation, *solver, duration, check_signals, is_interruption);
  } catch (const py::error_already_set& error) {
    // It has ended the RUN of the other ranks, too, with an error: see solfec/_program.py.
    if (error.matches(PyExc_SystemExit)) error.value().attr("has_ended_run") = true;
    throw;
  }
  return py::none();
}

py::object set_callback(const Arguments& a) {
  Simulation& simulation = simulation_of(a["solfec"]);
  const double interval = a["interval"].positive();
  const py::tuple data = data_arguments(a["data"].object());
  const py::function function = a["callback"].function();
  simulation.settings.callback =
      Callback{interval, [function, data] {
                 return call_noting("CALLBACK: raised by its callback, which gets data, if given",
                                    [&] { return goes_on(function(*data)); });
               }};
  simulation.clock.next_callback = simulation.clock.time;
  record_common(simulation, a.command(), fingerprint_of(interval));
  return py::none();
}

py::object set_extents(const Arguments& a) {
  Simulation& simulation = simulation_of(a["solfec"]);
  const Value extents = a["extents"];
  const std::vector<double> e = extents.numbers(6);
  const Box box{{e[0], e[1], e[2]}, {e[3], e[4], e[5]}};
  if (!(box.size().minCoeff() > 0))
    extents.fail_value("(xmin, ymin, zmin, xmax, ymax, zmax) with each min below its max");
  simulation.domain.extents = box;
  record_common(simulation, a.command(), fingerprint_of(box.lower, box.upper));
  return py::none();
}

}  // namespace

void define_running(Commands& commands) {
  commands.add("RUN", "solfec | solver, duration", R"(Runs a simulation.

solfec    SOLFEC object; in 'READ' mode RUN returns at once
solver    solver object (default: AUTO_SOLVER ()); RUN (solfec, duration) is enough
duration  > 0 [s]; it has to be given

Steps until the duration is over. RUN can be called again. A file named STOP in the output directory ends it
(and is removed), so does Ctrl-C; the last state is in the results however a run ends.

Errors: RuntimeError when the simulation cannot go on (unphysical penetration, values that became NaN, a full
disk, failure = 'EXIT' of the solver).)",
               [session = commands.session()](const Arguments& a) {
                 return run_simulation(a, session->viewer);
               });

  commands.add("OUTPUT", "solfec, interval | compression, determinacy",
               R"(Sets how often results are written.

solfec       SOLFEC object
interval     time between two frames, >= 0 [s]; 0 writes every step
compression  'ON' or 'OFF' (default)
determinacy  'ON' or 'OFF' (default); 'ON': frames tell which reactions equilibrium determines
             (INDETERMINACY, at its cost for each frame), for pictures of contacts coloured by it

Without OUTPUT every step is written, up to about a thousand frames per RUN.)",
               [](const Arguments& a) -> py::object {
                 Simulation& simulation = simulation_of(a["solfec"]);
                 const double interval = a["interval"].non_negative();
                 const bool compression = a["compression"].given() && a["compression"].flag();
                 const bool determinacy = a["determinacy"].given() && a["determinacy"].flag();
                 simulation.settings.output_interval = interval;
                 simulation.settings.compression = compression;
                 simulation.settings.determinacy = determinacy;
                 record_common(simulation, a.command(),
                               fingerprint_of(interval, compression, determinacy));
                 if (simulation.clock.runs > 0)
                   simulation.clock.next_output = simulation.clock.time + interval;
                 return py::none();
               });

  commands.add("EXTENTS", "solfec, extents", R"(Bounds the space of the simulation.

solfec   SOLFEC object
extents  (xmin, ymin, zmin, xmax, ymax, zmax) [m]; bodies wholly outside of it are deleted)",
               set_extents);

  commands.add("CALLBACK", "solfec, interval, data, callback",
               R"(Sets a function that is called during runs.

solfec    SOLFEC object
interval  > 0 [s] between two calls; the first call comes after the next step
data      passed to the callback; a tuple is expanded into arguments, None into none
callback  value = callback (data); when it returns 0 the run ends

There is one callback per SOLFEC object; a later call replaces it.

On several ranks each of them calls it, and the run ends when it returns 0 on one. Changes made on one rank only are
applied to all at its end: bodies created or deleted, constraints deleted, obstacles changed, contact excluded.
Settings and materials must be changed by all ranks alike.)",
               set_callback);

  commands.add("INITIALIZE_STATE", "solfec, path, time",
               R"(Takes configurations and velocities from other results.

solfec  SOLFEC object; ignored in 'READ' mode
path    output directory of an analysis with the same bodies in the same order (labels and kinds are checked)
time    the last frame not after this time is taken [s]

Reactions start at zero.)",
               [](const Arguments& a) -> py::object {
                 Simulation& simulation = simulation_of(a["solfec"]);
                 const std::string path = a["path"].path();
                 const double time = a["time"].real();
                 if (simulation.mode == Mode::read) {
                   simulation.script.state_replaced = true;
                   return py::none();
                 }
                 if (!results_exist(path)) a["path"].fail_value("a directory of results");
                 record_common(simulation, a.command(), fingerprint_of(path, time));
                 try {
                   initialize_state(simulation, path, time);
                 } catch (const InputError& error) {
                   a["path"].fail_value_saying(error.what());
                 }
                 return py::none();
               });
}

}  // namespace solfec::input
