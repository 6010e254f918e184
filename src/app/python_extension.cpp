// The same input language as an extension of an ordinary Python: `import solfec`.
#include "core/log.hpp"
#include "core/terminal.hpp"
#include "input/session.hpp"

namespace py = pybind11;

namespace {

// By Python's own streams, so that text comes in order with what the script prints, and is seen in
// a notebook, whose streams are not those of the process.
void write(const char* stream, const std::string& text) {
  try {
    const py::object object = py::module_::import("sys").attr(stream);
    if (object.is_none()) return;
    object.attr("write")(text);
    object.attr("flush")();
  } catch (const py::error_already_set&) {
    // Nobody reads it; a message must not end a run.
  }
}

// A notebook rewrites lines; other streams that are not the process's own are files of some kind.
int columns() {
  constexpr int kNotebook = 100;
  try {
    const py::module_ sys = py::module_::import("sys");
    if (sys.attr("modules").contains("ipykernel")) return kNotebook;
    return sys.attr("stdout").attr("fileno")().cast<int>() == 1 ? solfec::output_columns() : 0;
  } catch (const py::error_already_set&) {
    return 0;
  }
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  solfec::input::define_module(module, std::make_shared<solfec::input::Session>());
  solfec::log::redirect({[](const std::string& text) { write("stdout", text); },
                         [](const std::string& text) { write("stderr", text); }, columns});
}
