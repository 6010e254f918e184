#include <pybind11/stl.h>

#include "core/log.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {

void define_utilities(Commands& commands) {
  const auto session = commands.session();

  commands.add(
      "RANK", "", "Rank of this process: 0 in serial runs.",
      [session](const Arguments&) -> py::object { return py::int_(session->communicator.rank()); });

  commands.add("BARRIER", "", "Waits until all ranks have come here; does nothing in serial runs.",
               [session](const Arguments&) -> py::object {
                 session->communicator.barrier();
                 return py::none();
               });

  commands.add("NCPU", "| solfec", R"(Number of ranks of the run.

solfec  SOLFEC object; makes no difference)",
               [session](const Arguments& a) -> py::object {
                 if (a["solfec"].given()) simulation_of(a["solfec"]);
                 return py::int_(session->communicator.size());
               });

  commands.add("HERE", "solfec, object", R"(Whether an object lives on this rank.

solfec  SOLFEC object
object  BODY or CONSTRAINT object

Returns True or False; False too for a body or a contact that is gone.)",
               [](const Arguments& a) -> py::object {
                 Simulation& simulation = simulation_of(a["solfec"]);
                 const Value object = a["object"];
                 if (py::isinstance<BodyObject>(object.object())) {
                   const BodyObject& body = body_of(object);
                   return py::bool_(body.simulation.get() == &simulation &&
                                    simulation.domain.bodies.find(body.id) >= 0);
                 }
                 if (!py::isinstance<ConstraintObject>(object.object()))
                   object.fail_type("a BODY or a CONSTRAINT object");
                 const auto& constraint = object.object().cast<ConstraintObject&>();
                 if (constraint.emptied)
                   object.fail_value_saying("this CONSTRAINT object has been emptied");
                 return py::bool_(constraint.simulation.get() == &simulation &&
                                  simulation.domain.contacts.find(constraint.key) >= 0);
               });

  commands.add("VIEWER", "", "True when the viewer is on (-v), which this version does not have.",
               [](const Arguments&) -> py::object { return py::bool_(false); });

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
