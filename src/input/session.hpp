// What belongs to the process that runs a script: command line, process-wide settings, and the
// registration of commands.
#pragma once

#include <functional>
#include <memory>

#include "input/arguments.hpp"
#include "parallel/communicator.hpp"
#include "simulation/simulation.hpp"

namespace solfec::input {

struct Session {
  Communicator communicator;

  // Command line
  std::optional<std::string> script;        ///< text of the input file
  std::optional<std::string> subdirectory;  ///< -s
  bool overwrite = false;                   ///< -w
  bool resume = false;                      ///< -c
  std::vector<std::string> words;           ///< those that are not ours

  std::shared_ptr<Ledger> ledger = std::make_shared<Ledger>();  ///< of all simulations
  double geometric_epsilon = 1e-6;                              ///< [m]
  std::vector<std::weak_ptr<Simulation>> simulations;
};

/// Registers commands and their documentation in a Python module.
class Commands {
 public:
  Commands(py::module_& module, std::shared_ptr<Session> session)
      : module_(module), session_(std::move(session)) {}

  py::module_& module() { return module_; }
  const std::shared_ptr<Session>& session() const { return session_; }

  /// A command that is a function. Its documentation begins with its signature.
  void add(const char* name, const char* arguments, const char* documentation,
           std::function<py::object(const Arguments&)> work);

  /// A command that makes an object: the class of the object carries its name.
  template <class T, class... Extra>
  py::class_<T> add_class(const char* name, const char* arguments, const char* documentation,
                          std::function<T(const Arguments&)> make) {
    const auto signature = std::make_shared<const Signature>(name, arguments);
    const std::string text = signature->heading() + "\n\n" + documentation;
    py::class_<T> type(module_, name, keep(text));
    type.def(py::init([signature, make](const py::args& args, const py::kwargs& kwargs) {
               return make(Arguments(*signature, args, kwargs));
             }),
             "");
    return type;
  }

 private:
  const char* keep(const std::string& text);

  py::module_& module_;
  std::shared_ptr<Session> session_;
};

/// A member that can be read only; writing raises ValueError.
template <class T, class Get>
void read_only(py::class_<T>& type, const char* name, const char* documentation, Get get) {
  const std::string where = type.attr("__name__").template cast<std::string>() + "." + name;
  type.def_property(
      name, get,
      [where](T&, const py::object&) { throw value_error(where + " is a read-only member"); },
      documentation);
}

/// A member that can be written; `set` takes the object and a Value to check.
template <class T, class Get, class Set>
void read_write(py::class_<T>& type, const char* name, const char* documentation, Get get,
                Set set) {
  const std::string where = type.attr("__name__").template cast<std::string>() + "." + name;
  type.def_property(
      name, get,
      [where, set](T& object, const py::object& value) { set(object, Value(where, value)); },
      documentation);
}

/// Meets all ranks at a point of the script; throws RunError on all of them when they part.
void meet_at(const Session& session, Meeting meeting, std::vector<Setting> settings = {});

// One group of commands each.
void define_shapes(Commands& commands);
void define_model(Commands& commands);
void define_bodies(Commands& commands);
void define_body_changes(Commands& commands);
void define_partition(Commands& commands);
void define_contacts(Commands& commands);
void define_fclib(Commands& commands);
void define_joints(Commands& commands);
void define_loads(Commands& commands);
void define_solvers(Commands& commands);
void define_running(Commands& commands);
void define_results(Commands& commands);
void define_utilities(Commands& commands);

/// Fills the module `solfec._core`.
void define_module(py::module_& module, std::shared_ptr<Session> session);

}  // namespace solfec::input
