// FCLIB_DUMP: the local dynamics of the last step as an FCLib file, the same for any number of
// ranks.
#pragma once

#include <string>

namespace solfec {

struct Simulation;

/// Writes the rows of all ranks, in the order of their keys, as one problem of contacts.
/// Restitution, cohesion and gaps go into q, so that the R of the file is S = R + (0, 0, c). The
/// first rank holds all of it. Throws InputError when there is no step, when something was deleted
/// since, or when there are joints or spring-dashpot contacts, RunError when the file cannot be
/// written, on all ranks. Collective.
void dump_fclib(Simulation& simulation, const std::string& path);

}  // namespace solfec
