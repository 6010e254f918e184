// The programs solfec and solfec-mpi: command line, then the script in an embedded Python.
#include <fmt/format.h>
#include <pybind11/embed.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <filesystem>

#include "app/command_line.hpp"
#include "core/version.hpp"
#include "input/session.hpp"
#include "parallel/collective_errors.hpp"

namespace fs = std::filesystem;
namespace py = pybind11;

namespace {

// The folder of the Python package, relative to the executable, so that both can be moved together:
// as installed, or as built.
std::string package_directory() {
  const fs::path top = fs::read_symlink("/proc/self/exe").parent_path().parent_path();
  const fs::path installed = top / SOLFEC_PACKAGE_DIRECTORY;
  return (fs::is_directory(installed / "solfec") ? installed : top / "python").string();
}

// Starts the interpreter that this program was built for, whatever `python3` is first on the path.
class Interpreter {
 public:
  Interpreter() {
    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    config.parse_argv = 0;
    config.install_signal_handlers = 1;
    PyConfig_SetBytesString(&config, &config.program_name, SOLFEC_PYTHON);
    const PyStatus status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status)) Py_ExitStatusException(status);
  }
  ~Interpreter() { Py_FinalizeEx(); }
};

// Does the work; exceptions of Python become others, as their texts need the interpreter.
template <class Work>
auto in_python(const std::string& what, Work&& work) {
  try {
    return work();
  } catch (const py::error_already_set& error) {
    throw std::runtime_error(fmt::format("{}: {}", what, error.what()));
  }
}

int run_script(const solfec::CommandLine& line) {
  const Interpreter interpreter;
  const py::object run =
      in_python("cannot load the Python package 'solfec' from " + package_directory(), [] {
        py::list path = py::module_::import("sys").attr("path");
        path.insert(0, package_directory());
        // The module is part of this program: the package finds it where it looks for its
        // extension.
        static PyModuleDef definition;
        py::module_ core =
            py::module_::create_extension_module("solfec._core", nullptr, &definition);
        solfec::input::define_module(core, std::make_shared<solfec::input::Session>());
        py::module_::import("sys").attr("modules")["solfec._core"] = core;
        return py::object(py::module_::import("solfec._program").attr("run_script"));
      });
  // Signals may come at any moment, also while the script's own end is told.
  return in_python("interrupted while it ended", [&] {
    return run(line.script, line.overwrite,
               line.subdirectory.empty() ? py::object(py::none()) : py::str(line.subdirectory),
               line.words, line.resume,
               line.viewer ? py::object(py::str(line.window_size)) : py::object(py::none()),
               line.threads)
        .cast<int>();
  });
}

}  // namespace

// What is not caught here ends all ranks (std::terminate), as it should.
// NOLINTNEXTLINE(bugprone-exception-escape)
int main(int argc, char** argv) {
  const solfec::ParallelSession parallel(argc, argv);
  const solfec::Communicator world;
  const bool prints = world.rank() == 0;
  const auto say = [&](std::FILE* where, const std::string& text) {
    if (prints) fmt::print(where, "{}\n", text);
  };
  if (solfec::refuse_ranks(world.size())) return 2;
  const solfec::CommandLine line = solfec::parse_command_line(argc, argv);
  if (!line.message.empty()) {
    say(line.exit_code == 0 ? stdout : stderr, line.message);
    return line.exit_code;
  }
  if (line.viewer && world.size() > 1) {
    say(stderr,
        "solfec: -v on one rank only: solfec -v shows the results of a run on many, also while it "
        "runs");
    return 2;
  }
  if (!line.notice.empty()) say(stderr, line.notice);
  try {
    return run_script(line);
  } catch (const std::exception& error) {
    return solfec::collective_exit(world, fmt::format("solfec: {}\n", error.what()), 1);
  }
}
