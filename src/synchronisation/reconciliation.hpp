// Changes that functions of the script have made on some ranks become those of all.
#pragma once

namespace solfec {

struct ScriptedModel;

/// Applies on all ranks what some have done. Throws RunError on all of them when they contradict
/// each other; with `lenient` the first rank is right. Collective.
void reconcile_changes(ScriptedModel& model, bool lenient);

}  // namespace solfec
