// How the ranks of a run learn that their scripts are the same.
#include <fmt/format.h>

#include <filesystem>

#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {

std::string script_place(const std::string& command) {
  PyFrameObject* frame = PyEval_GetFrame();
  if (!frame) return command;
  const auto code = py::reinterpret_steal<py::object>(
      reinterpret_cast<PyObject*>(PyFrame_GetCode(frame)));
  const std::filesystem::path file = code.attr("co_filename").cast<std::string>();
  return fmt::format("{} ({}, line {})", command, file.filename().string(),
                     PyFrame_GetLineNumber(frame));
}

void note_common(const Simulation& simulation, const std::string& command, std::uint64_t what) {
  if (simulation.communicator.size() == 1) return;
  simulation.ledger->note(script_place(command), Ledger::Side::common,
                          std::as_bytes(std::span(&what, 1)));
}

void meet_at(const Session& session, Meeting meeting, std::vector<Setting> settings) {
  Arrival arrival;
  arrival.meeting = meeting;
  arrival.settings = std::move(settings);
  meet_alike(session.communicator, arrival, *session.ledger);
}

}  // namespace solfec::input
