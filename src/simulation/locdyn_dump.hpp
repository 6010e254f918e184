// LOCDYN_DUMP: the local dynamics of the last step as text, the same for any number of ranks.
#pragma once

#include <string>

namespace solfec {

struct Simulation;

/// Writes the rows of all ranks to one file, in the order of their keys. Throws InputError when
/// there is no step, or when something was deleted since, RunError when the file cannot be written,
/// on all ranks. Collective.
void dump_local_dynamics(Simulation& simulation, const std::string& path);

}  // namespace solfec
