#include <fmt/format.h>
#include <pybind11/stl.h>

#include <fstream>
#include <sstream>

#include "core/log.hpp"
#include "core/regular_file.hpp"
#include "core/version.hpp"
#include "input/session.hpp"
#include "parallel/agreement.hpp"

namespace solfec::input {

void Commands::add(const char* name, const char* arguments, const char* documentation,
                   std::function<py::object(const Arguments&)> work) {
  const auto signature = std::make_shared<const Signature>(name, arguments);
  const std::string text = signature->heading() + "\n\n" + documentation;
  module_.def(
      name,
      [signature, work = std::move(work)](const py::args& args, const py::kwargs& kwargs) {
        try {
          return work(Arguments(*signature, args, kwargs));
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

}  // namespace

void define_module(py::module_& module, std::shared_ptr<Session> session) {
  py::options options;
  options.disable_function_signatures();
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const InputError& error) {
      PyErr_SetString(error.kind() == InputError::Kind::type ? PyExc_TypeError : PyExc_ValueError,
                      error.what());
    } catch (const RunError& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
  });
  if (session->communicator.rank() > 0) log::silence();

  module.attr("__version__") = kVersion;
  module.def(
      "configure",
      [session](const std::string& script, bool overwrite,
                const std::optional<std::string>& subdirectory,
                const std::vector<std::string>& words, bool resume) {
        if (overwrite && resume)
          throw value_error("configure: 'overwrite' and 'resume' exclude each other");
        const Value path("configure: 'script'", py::str(script));
        path.path();
        if (const std::string reason = script.empty() ? "" : why_not_readable(script);
            !reason.empty())
          path.fail_value_saying(fmt::format("cannot read '{}': {}", script, reason));
        if (subdirectory) Value("configure: 'subdirectory'", py::str(*subdirectory)).path();
        session->script = script.empty() ? std::nullopt : std::optional(text_of(script));
        session->overwrite = overwrite;
        session->subdirectory = subdirectory;
        session->words = words;
        session->resume = resume;
      },
      R"(configure (| script, overwrite, subdirectory, words, resume)

Sets what the command line of the program sets, for scripts that Python itself runs; call it before SOLFEC.

script        path of the input file, copied to the results (default: none)
overwrite     True: existing results are overwritten (switch -w; default: False)
subdirectory  of output directories (switch -s; default: None)
words         list of strings for NON_SOLFEC_ARGV (default: [])
resume        True: RUNs go on from existing results (switch -c; default: False))",
      py::arg("script") = "", py::arg("overwrite") = false, py::arg("subdirectory") = py::none(),
      py::arg("words") = std::vector<std::string>(), py::arg("resume") = false);

  // For the program that runs the script (solfec/_program.py).
  module.def("_end_of_script", [session] { meet_at(*session, Meeting::end_of_script); });
  module.def("_leave_in_trouble", [session](const std::string& message, int code) {
    return leave_in_trouble(session->communicator, message, code);
  });

  Commands commands(module, std::move(session));
  define_shapes(commands);
  define_model(commands);
  define_bodies(commands);
  define_body_changes(commands);
  define_partition(commands);
  define_contacts(commands);
  define_fclib(commands);
  define_joints(commands);
  define_loads(commands);
  define_solvers(commands);
  define_running(commands);
  define_results(commands);
  define_utilities(commands);
}

}  // namespace solfec::input
