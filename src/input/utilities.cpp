#include <pybind11/stl.h>

#include "core/log.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {

namespace {

py::object set_imbalance_tolerance(const Arguments& a) {
  Simulation& simulation = simulation_of(a["solfec"]);
  PartitionSettings s;
  const Value tolerance = a["tolerance"], ratio = a["degenratio"];
  s.tolerance = tolerance.real();
  if (s.tolerance < 1) tolerance.fail_value("a number >= 1");
  if (a["lockdir"].given()) s.lock_directions = a["lockdir"].flag();
  if (ratio.given()) {
    s.degenerate_ratio = ratio.real();
    if (!(s.degenerate_ratio > 1)) ratio.fail_value("a number > 1");
  }
  if (a["weightfactor"].given()) s.weight_factor = a["weightfactor"].between(0, 1);
  simulation.domain.partition_settings = s;
  record_common(
      simulation, a.command(),
      fingerprint_of(s.tolerance, s.lock_directions, s.degenerate_ratio, s.weight_factor));
  return py::none();
}

}  // namespace

void define_utilities(Commands& commands) {
  const auto session = commands.session();

  commands.add("IMBALANCE_TOLERANCE", "solfec, tolerance | lockdir, degenratio, weightfactor",
               R"(Sets how bodies are divided between the ranks of a run; ignored on one rank.

solfec        SOLFEC object
tolerance     largest load of a rank over the average one, >= 1 (without this command: 1.1); above it space is
              divided anew
lockdir       'ON': later divisions cut in the directions of the first one; 'OFF' (default)
degenratio    > 1 (default: 10); bodies whose extents differ by more than this ratio are divided along their own
              axes
weightfactor  share of the local dynamics in the load of a body, from 0 to 1 (default: 1))",
               set_imbalance_tolerance);

  commands.add(
      "RANK", "", "Rank of this process: 0 in serial runs.",
      [session](const Arguments&) -> py::object { return py::int_(session->communicator.rank()); });

  commands.add(
      "BARRIER", "",
      "Waits until all ranks have reached it; an error if one reaches another command or has "
      "built another model.",
      [session](const Arguments&) -> py::object {
        demand_no_step(*session, "cannot be called");
        synchronise_at(*session, SyncPoint::barrier);
        return py::none();
      });

  commands.add_query("NCPU", "| solfec", R"(Number of ranks of the run.

solfec  SOLFEC object; on one rank in 'READ' mode: ranks of the run that wrote its last frame. Otherwise ignored)",
                     [session](const Arguments& a) -> py::object {
                       const int ranks = session->communicator.size();
                       if (!a["solfec"].given()) return py::int_(ranks);
                       Simulation& s = simulation_of(a["solfec"]);
                       if (s.mode == Mode::write || ranks > 1) return py::int_(ranks);
                       const ResultsReader& results = open_results(s);
                       return py::int_(results.header(results.frames() - 1).ranks);
                     });

  commands.add_query(
      "HERE", "solfec, object", R"(Whether an object lives on this rank.

solfec  SOLFEC object
object  BODY or CONSTRAINT object

Returns True or False; also False for a body or constraint that has ended or was deleted. Obstacles live on all
ranks.)",
      [](const Arguments& a) -> py::object {
        Simulation& simulation = simulation_of(a["solfec"]);
        const Value object = a["object"];
        if (py::isinstance<BodyObject>(object.object())) {
          const auto& body = object.object().cast<BodyObject&>();
          return py::bool_(!body.emptied && body.simulation.get() == &simulation &&
                           find_here(simulation, body.id()) >= 0);
        }
        if (!py::isinstance<ConstraintObject>(object.object()))
          object.fail_type("a BODY or a CONSTRAINT object");
        const auto& constraint = object.object().cast<ConstraintObject&>();
        return py::bool_(!constraint.emptied && constraint.simulation.get() == &simulation &&
                         (simulation.domain.constraints.find(constraint.key()) >= 0 ||
                          is_obstacle_joint(simulation.domain.bodies, constraint.key())));
      });

  commands.add_query(
      "DISPLAY_POINT", "body, point | label",
      R"(Marks a point of a body in the window (solfec -v), which moves with it.

body   BODY object
point  referential point (x, y, z) [m]
label  string drawn beside it (default: none)

HISTORY, DISPLACEMENT and VELOCITY evaluate points.)",
      [session](const Arguments& a) -> py::object {
        const BodyObject& body = body_of(a["body"]);
        const Vec3 point = point_of(a["point"], body);
        const std::string label = a["label"].given() ? a["label"].text() : "";
        session->display_points.push_back({body.simulation, body.handle, point, label});
        return py::none();
      });

  commands.add(
      "VIEWER", "", "True when the viewer is on (switch -v).",
      [session](const Arguments&) -> py::object { return py::bool_(session->viewer.has_value()); });

  commands.add("WARNINGS", "state", R"(Switches warnings on or off.

state  'ON' (the default without WARNINGS) or 'OFF')",
               [](const Arguments& a) -> py::object {
                 log::enable_warnings(a["state"].flag());
                 return py::none();
               });

  commands.add(
      "SUBDIR", "", "The argument of the switch -s, or None.",
      [session](const Arguments&) -> py::object { return py::cast(session->subdirectory); });

  commands.add("NON_SOLFEC_ARGV", "", R"(Words of the command line that are not Solfec's own.

Returns a list of strings, or None when there are none.)",
               [session](const Arguments&) -> py::object {
                 if (session->words.empty()) return py::none();
                 return py::cast(session->words);
               });
}

}  // namespace solfec::input
