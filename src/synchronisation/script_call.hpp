// Where scripts and ranks meet: functions of the script are called, a RUN begins.
#pragma once

#include <functional>
#include <vector>

#include "synchronisation/sync_point.hpp"

namespace solfec {

struct ScriptedModel;

/// Calls a function of the script. On several ranks it is called on each; its changes are
/// reconciled, and what it returns (false: end the run) and an exception are agreed on: an
/// exception on one rank is a RunError on the others. `settings`: those in force when it has ended,
/// the same on all ranks. Brings energies up to date before, counts
/// after.
bool call_script(ScriptedModel& model, const std::function<std::vector<Setting>()>& settings,
                 const char* name, const std::function<bool()>& function);

/// Checks at the start of a run that model and settings are the same on all ranks.
void synchronise_run(ScriptedModel& model, std::vector<Setting> settings);

}  // namespace solfec
