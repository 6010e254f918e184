// What belongs to the process that runs a script: command line, process-wide settings, and the
// registration of commands.
#pragma once

#include <functional>
#include <memory>

#include "input/arguments.hpp"
#include "parallel/communicator.hpp"
#include "simulation/simulation.hpp"
#include "synchronisation/sync_point.hpp"

namespace solfec::input {

/// With -v a RUN is put off: `tell` (SOLFEC object, function that runs it, duration) hears of it,
/// and what needs the end of it calls `wait` (SOLFEC object) first.
struct Viewer {
  py::function tell, wait;
};

/// A point of a body that the window marks.
struct DisplayPoint {
  std::weak_ptr<Simulation> simulation;
  std::shared_ptr<BodyHandle> body;
  Vec3 point;  ///< referential
  std::string label;
};

struct Session {
  Communicator communicator;

  // Command line
  std::optional<std::string> script;        ///< text of the input file
  std::optional<std::string> subdirectory;  ///< -s
  bool overwrite = false;                   ///< -w
  bool resume = false;                      ///< -c
  std::vector<std::string> words;           ///< those that are not ours

  std::shared_ptr<CommandLog> command_log = std::make_shared<CommandLog>();  ///< of all simulations
  double geometric_epsilon = 1e-6;                                           ///< [m]
  std::vector<std::weak_ptr<Simulation>> simulations;
  std::optional<Viewer> viewer;
  std::vector<DisplayPoint> display_points;
};

/// Waits for a RUN that was put off, before something asks for what it has changed.
template <class T>
void wait_for_run(const T& object) {
  const auto wait = [](const auto& owner) {
    const auto put_off = owner.put_off;  // it is cleared meanwhile
    if (put_off) put_off();
  };
  if constexpr (requires { object.simulation->put_off; })
    wait(*object.simulation);
  else if constexpr (requires { object.solver->put_off; })
    wait(*object.solver);
}
/// The same for all arguments of a command.
void wait_for_run(const Arguments& arguments);

/// Throws RunError in the middle of a step of a simulation among the arguments of a command.
void demand_no_step_of(const Arguments& arguments);

/// The same of any simulation: for commands that wait for all ranks. `what` begins the message.
void demand_no_step(const Session& session, const char* what);

/// Throws RunError for a member of an object that a step under way works with.
template <class T>
void demand_no_step_of(const T& object, const std::string& where) {
  bool stepping = false;
  if constexpr (requires { object.simulation; })
    stepping = object.simulation->stepping;
  else if constexpr (requires { object.solver; })
    stepping = object.solver->stepping;
  if (stepping) fail_in_step(where + ": cannot be set");
}

/// Registers commands and their documentation in a Python module.
class Commands {
 public:
  Commands(py::module_& module, std::shared_ptr<Session> session)
      : module_(module), session_(std::move(session)) {}

  py::module_& module() { return module_; }
  const std::shared_ptr<Session>& session() const { return session_; }

  /// A command that is a function. Its documentation begins with its signature. In the middle of a
  /// step of a simulation among its arguments it is refused.
  void add(const char* name, const char* arguments, const char* documentation,
           std::function<py::object(const Arguments&)> work);
  /// One that changes nothing: the functions of a FORCE or PUT_SPRING may call it.
  void add_query(const char* name, const char* arguments, const char* documentation,
                 std::function<py::object(const Arguments&)> work);

  /// A command that makes an object: the class of the object carries its name.
  template <class T, class... Extra>
  py::class_<T> add_class(const char* name, const char* arguments, const char* documentation,
                          std::function<T(const Arguments&)> make) {
    const auto signature = std::make_shared<const Signature>(name, arguments);
    py::class_<T> type(
        module_, name,
        keep(signature->for_python(name, false) + signature->heading() + "\n\n" + documentation));
    type.def(py::init([signature, make](const py::args& args, const py::kwargs& kwargs) {
               const Arguments arguments(*signature, args, kwargs);
               wait_for_run(arguments);
               demand_no_step_of(arguments);
               return make(arguments);
             }),
             keep(signature->for_python("__init__", true)));
    return type;
  }

 private:
  void define(const char* name, const char* arguments, const char* documentation,
              std::function<py::object(const Arguments&)> work, void (*check)(const Arguments&));
  const char* keep(const std::string& text);

  py::module_& module_;
  std::shared_ptr<Session> session_;
};

/// A member that can be read only; writing raises AttributeError, as of any Python object.
template <class T, class Get>
void read_only(py::class_<T>& type, const char* name, const char* documentation, Get get) {
  const std::string where = type.attr("__name__").template cast<std::string>() + "." + name;
  type.def_property(
      name,
      [get](T& object) {
        wait_for_run(object);
        return get(object);
      },
      [where](T&, const py::object&) {
        throw py::attribute_error(where + " is a read-only member");
      },
      documentation);
}

/// A member that can be written; `set` takes the object and a Value to check.
template <class T, class Get, class Set>
void read_write(py::class_<T>& type, const char* name, const char* documentation, Get get,
                Set set) {
  const std::string where = type.attr("__name__").template cast<std::string>() + "." + name;
  type.def_property(
      name,
      [get](T& object) {
        wait_for_run(object);
        return get(object);
      },
      [where, set](T& object, const py::object& value) {
        wait_for_run(object);
        demand_no_step_of(object, where);
        set(object, Value(where, value));
      },
      documentation);
}

/// A method; it takes arguments as commands do.
template <class T>
void add_method(py::class_<T>& type, const char* name, const char* arguments,
                const char* documentation,
                std::function<py::object(const T&, const Arguments&)> work) {
  const std::string kind = type.attr("__name__").template cast<std::string>();
  const auto signature = std::make_shared<const Signature>(kind + "." + name, arguments);
  const std::string text = signature->for_python(name, true) + documentation;
  type.def(
      name,
      [signature, work](const T& object, const py::args& args, const py::kwargs& kwargs) {
        wait_for_run(object);
        return work(object, Arguments(*signature, args, kwargs));
      },
      text.c_str());
}

/// Meets all ranks at a point of the script; throws RunError on all of them when they part.
void synchronise_at(const Session& session, SyncPoint point, std::vector<Setting> settings = {});

// One group of commands each.
void define_shapes(Commands& commands);
void define_shape_changes(Commands& commands);
void define_model(Commands& commands);
void define_bodies(Commands& commands);
void define_body_changes(Commands& commands);
void define_partition(Commands& commands);
void define_contacts(Commands& commands);
void define_fclib(Commands& commands);
void define_indeterminacy(Commands& commands);
void define_joints(Commands& commands);
void define_loads(Commands& commands);
void define_solvers(Commands& commands);
void define_running(Commands& commands);
void define_results(Commands& commands);
void define_utilities(Commands& commands);
void define_viewing(Commands& commands);

/// Fills the module `solfec._core`.
void define_module(py::module_& module, const std::shared_ptr<Session>& session);

}  // namespace solfec::input
