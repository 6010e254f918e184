// How the ranks of a run learn that their scripts are the same.
#include <fmt/format.h>

#include <filesystem>

#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {

namespace {

constexpr int kDeepest = 5;  // lines that a place is told by

}  // namespace

std::string script_place(const std::string& command) {
  std::string text = command, file;
  auto frame = py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  for (int depth = 0; frame && !frame.is_none() && depth < kDeepest; depth++) {
    const std::filesystem::path path = frame.attr("f_code").attr("co_filename").cast<std::string>();
    if (path.filename() == "_program.py") break;  // it runs the script
    text += depth == 0 ? " (" : depth == 1 ? ", called from " : ", ";
    if (path.filename() != file) text += path.filename().string() + ", ";
    text += fmt::format("line {}", frame.attr("f_lineno").cast<int>());
    file = path.filename();
    frame = frame.attr("f_back");
  }
  return file.empty() ? text : text + ")";
}

void record_common(const Simulation& simulation, const std::string& command, std::uint64_t what) {
  if (simulation.communicator.size() == 1) return;
  simulation.script.command_log->record(script_place(command), CommandLog::Side::common,
                                        std::as_bytes(std::span(&what, 1)));
}

void synchronise_at(const Session& session, SyncPoint point, std::vector<Setting> settings) {
  SyncRequest request;
  request.point = point;
  request.settings = std::move(settings);
  synchronise_alike(session.communicator, request, *session.command_log);
}

}  // namespace solfec::input
