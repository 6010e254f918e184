#include "synchronisation/script_call.hpp"

#include <fmt/format.h>

#include <exception>
#include <optional>
#include <string>

#include "core/error.hpp"
#include "synchronisation/reconciliation.hpp"
#include "synchronisation/scripted_model.hpp"

namespace solfec {
namespace {

// A function may have ended here while other ranks wait at a synchronisation point inside of it,
// which is an error on all ranks.
SyncResult synchronise_last(const ScriptedModel& s, SyncRequest& request) {
  while (true) {
    try {
      return synchronise(s.communicator, request, *s.script.command_log);
    } catch (const RunError& error) {  // on all ranks
      request.failure = error.what();
    }
  }
}

}  // namespace

bool call_script(ScriptedModel& s, const std::function<std::vector<Setting>()>& settings,
                 const char* name, const std::function<bool()>& function) {
  if (s.communicator.size() == 1) return function();
  reduce_energy(s);
  SyncRequest request;
  request.point = SyncPoint::callback;
  std::exception_ptr own_failure;
  try {
    request.stop = !function();
  } catch (const std::exception& error) {
    own_failure = std::current_exception();
    request.failure = error.what();
  }
  request.settings = settings();
  request.changed = !s.script.changes.empty();
  const SyncResult result = synchronise_last(s, request);
  std::optional<std::string> error_text = result.mismatch;
  if (result.failure) error_text = *result.failure;
  if (result.changed && !error_text) {
    try {
      reconcile_changes(s, false);
    } catch (const RunError& error) {  // on all ranks
      error_text = error.what();
    }
  }
  // Ranks go on from one state, also those that go on after an error; settings are compared again.
  if (result.changed && error_text) reconcile_changes(s, true);
  s.script.command_log->clear();
  reduce_counts(s);
  if (own_failure) std::rethrow_exception(own_failure);
  if (error_text) throw RunError(fmt::format("{}: {}", name, *error_text));
  return !result.stop;
}

void synchronise_run(ScriptedModel& s, std::vector<Setting> settings) {
  if (s.communicator.size() == 1) return;
  SyncRequest request;
  request.point = SyncPoint::run;
  request.settings = std::move(settings);
  request.changed = !s.script.changes.empty();
  if (synchronise_alike(s.communicator, request, *s.script.command_log).changed)
    reconcile_changes(s, false);
  s.script.labels.drop_records();
}

}  // namespace solfec
