// FCLIB_DUMP: the local dynamics of the last step as an FCLib file, the same for any number of
// ranks.
#pragma once

#include <string>

namespace solfec {

struct Simulation;

enum class FclibForm { local, global };

struct FclibContent {
  FclibForm form = FclibForm::local;
  bool guess = false;  ///< the reactions of the step, too
};

/// Writes the rows of all ranks, in the order of their keys, as one problem: contacts, then
/// equality rows, three of a fixed point and one of a fixed direction, with their targets (where a
/// step closes its joints they come from its solution, and are as exact as that, on other ranks
/// too). Restitution, cohesion and gaps go into q, so that the R of the file is S = R + (0, 0, c).
/// The global form has the bodies that rows act on, in the order of their ids, in velocities in
/// which their matrix is I / h. The first rank holds all of it. Throws InputError when there is no
/// step, when something was deleted since, or when there are joints with other laws or
/// spring-dashpot contacts, RunError when the file cannot be written, on all ranks. Collective.
void dump_fclib(Simulation& simulation, const std::string& path, const FclibContent& content = {});

}  // namespace solfec
