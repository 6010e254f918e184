#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <new>
#include <sstream>

#include "core/log.hpp"
#include "core/regular_file.hpp"
#include "core/threads.hpp"
#include "core/version.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"
#include "output/utf8.hpp"
#include "parallel/collective_errors.hpp"

namespace solfec::input {

namespace {

// Does the work for each argument that belongs to a simulation.
template <class Work>
void for_each_owned(const Arguments& arguments, Work&& work) {
  for (const auto& value : arguments.values()) {
    const py::handle object = value;
    const auto look = [&]<class Object>() {
      if (py::isinstance<Object>(object)) work(object.cast<Object&>());
    };
    look.template operator()<SolfecObject>();
    look.template operator()<BodyObject>();
    look.template operator()<ConstraintObject>();
  }
}

}  // namespace

void demand_no_step_of(const Arguments& arguments) {
  for_each_owned(arguments, [&](const auto& object) {
    if (object.simulation->stepping) fail_in_step(arguments.command() + ": cannot be called");
  });
}

void demand_no_step(const Session& session, const char* what) {
  for (const auto& simulation : session.simulations)
    if (const auto s = simulation.lock(); s && s->stepping) fail_in_step(what);
}

void wait_for_run(const Arguments& arguments) {
  for_each_owned(arguments, [](const auto& object) { wait_for_run(object); });
}

void Commands::add(const char* name, const char* arguments, const char* documentation,
                   std::function<py::object(const Arguments&)> work) {
  define(name, arguments, documentation, std::move(work), demand_no_step_of);
}

void Commands::add_query(const char* name, const char* arguments, const char* documentation,
                         std::function<py::object(const Arguments&)> work) {
  define(name, arguments, documentation, std::move(work), [](const Arguments&) {});
}

void Commands::define(const char* name, const char* arguments, const char* documentation,
                      std::function<py::object(const Arguments&)> work,
                      void (*check)(const Arguments&)) {
  const auto signature = std::make_shared<const Signature>(name, arguments);
  const std::string text =
      signature->for_python(name, false) + signature->heading() + "\n\n" + documentation;
  module_.def(
      name,
      [signature, check, work = std::move(work)](const py::args& args, const py::kwargs& kwargs) {
        const Arguments given(*signature, args, kwargs);
        wait_for_run(given);
        check(given);
        try {
          return work(given);
        } catch (const RunError& error) {
          throw RunError(signature->command() + ": " + error.what());
        }
      },
      keep(text));
}

const char* Commands::keep(const std::string& text) {
  // pybind11 copies documentation when it defines; the pointer must live until then.
  thread_local std::string last;
  last = text;
  return last.c_str();
}

namespace {

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// For scripts that Python itself runs: what the command line says otherwise.
py::object configure(const Arguments& a, Session& session) {
  const auto is_true = [](const Value& value) {
    if (value.given() && !PyBool_Check(value.object().ptr())) value.fail_type("True or False");
    return value.given() && value.object().cast<bool>();
  };
  const Value script = a["script"], words = a["words"];
  const bool overwrite = is_true(a["overwrite"]), resume = is_true(a["resume"]);
  if (overwrite && resume)
    throw value_error("configure: 'overwrite' and 'resume' exclude each other");
  const std::string path = script.given() ? script.path() : "";
  if (const std::string reason = path.empty() ? "" : why_not_readable(path); !reason.empty())
    script.fail_value_saying(fmt::format("cannot read '{}': {}", path, reason));
  std::optional<std::string> subdirectory;
  if (a["subdirectory"].given()) {
    subdirectory = a["subdirectory"].path();
    const std::filesystem::path below = std::filesystem::path(*subdirectory).lexically_normal();
    if (below.is_absolute() || (!below.empty() && *below.begin() == ".."))
      a["subdirectory"].fail_value("a path below the output directories");
  }
  std::vector<std::string> list;
  if (words.given()) {
    if (!words.is_list()) words.fail_type("a list of strings");
    for (const py::object word : py::reinterpret_borrow<py::sequence>(words.object()))
      list.push_back(Value(fmt::format("{}, entry {}", words.where(), list.size()), word).text());
  }
  const int threads = a["threads"].given() ? a["threads"].positive_integer() : 1;
  if (threads > kMostThreads)
    a["threads"].fail_value_saying(
        fmt::format("at most {} threads; got {}", kMostThreads, threads));
  set_threads(threads);
  session.script = path.empty() ? std::nullopt : std::optional(text_of(path));
  session.overwrite = overwrite;
  session.subdirectory = subdirectory;
  session.words = list;
  session.resume = resume;
  return py::none();
}

// Messages may hold what files say, in bytes that are no UTF-8.
void raise(PyObject* type, const std::exception& error) {
  PyErr_SetString(type, as_utf8(error.what()).c_str());
}

py::attribute_error no_member(const py::handle& type, const std::string& given) {
  std::vector<std::string> members;
  for (const py::handle name : py::module_::import("builtins").attr("dir")(type))
    if (const auto member = name.cast<std::string>(); !member.starts_with("_"))
      members.push_back(member);
  return py::attribute_error(fmt::format("{} has no member {}{}",
                                         type.attr("__name__").cast<std::string>(), quoted(given),
                                         suggestion(members, given)));
}

// Python's own message names no member that may be meant.
void tell_misspelt_members(const py::handle& type) {
  const auto method = [&](const char* name, auto work) {
    type.attr(name) = py::cpp_function(work, py::name(name), py::is_method(type));
  };
  method("__getattr__", [](const py::object& object, const std::string& name) -> py::object {
    throw no_member(py::type::of(object), name);
  });
  method("__setattr__", [](const py::object& object, const py::str& name, const py::object& value) {
    if (!py::hasattr(py::type::of(object), name)) throw no_member(py::type::of(object), name);
    if (PyObject_GenericSetAttr(object.ptr(), name.ptr(), value.ptr()) != 0)
      throw py::error_already_set();
  });
}

}  // namespace

void define_module(py::module_& module, const std::shared_ptr<Session>& session) {
  py::options options;
  options.disable_function_signatures();
  // NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 wants it so.
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const InputError& error) {
      raise(error.kind() == InputError::Kind::type ? PyExc_TypeError : PyExc_ValueError, error);
    } catch (const RunError& error) {
      raise(PyExc_RuntimeError, error);
    } catch (const std::bad_alloc&) {
      PyErr_SetString(PyExc_MemoryError, "no memory is left");
    }
  });
  if (session->communicator.rank() > 0) log::silence();

  module.attr("__version__") = kVersion;
  Commands commands(module, session);
  commands.add(
      "configure", "| script, overwrite, subdirectory, words, resume, threads",
      R"(Sets what the command line of the program sets, for scripts that Python itself runs; call it before SOLFEC.

script        path of the input file, copied to the results (default: none)
overwrite     True: existing results are overwritten (switch -w; default: False)
subdirectory  of output directories (switch -s; default: None)
words         list of strings for NON_SOLFEC_ARGV (default: [])
resume        True: RUNs continue from existing results (switch -c; default: False)
threads       number of threads that share the loops of a step (switch -j; default: 1))",
      [session](const Arguments& a) { return configure(a, *session); });

  // For the program that runs the script (solfec/_program.py).
  module.def("_end_of_script", [session] { synchronise_at(*session, SyncPoint::end_of_script); });
  module.def("_collective_exit", [session](const std::string& message, int code) {
    return collective_exit(session->communicator, message, code);
  });

  define_shapes(commands);
  define_shape_changes(commands);
  define_model(commands);
  define_bodies(commands);
  define_body_changes(commands);
  define_partition(commands);
  define_contacts(commands);
  define_fclib(commands);
  define_indeterminacy(commands);
  define_joints(commands);
  define_loads(commands);
  define_solvers(commands);
  define_running(commands);
  define_results(commands);
  define_utilities(commands);
  define_viewing(commands);
  for (const auto& [name, thing] : module.attr("__dict__").cast<py::dict>())
    if (py::isinstance<py::type>(thing)) tell_misspelt_members(thing);
}

}  // namespace solfec::input
