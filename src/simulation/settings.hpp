// What a script has set, as fingerprints with names: every rank must have it alike, and results are
// those of it.
#pragma once

#include "synchronisation/sync_point.hpp"

namespace solfec {

struct Simulation;
class Solver;

/// What results depend on: materials, and settings of the simulation.
std::vector<Setting> model_settings(const Simulation& simulation);
/// Of a solver, its kind included.
Setting solver_setting(const Solver& solver);

/// All of that, and settings that change no results. Names are those of commands and
/// members.
std::vector<Setting> settings_of(const Simulation& simulation, const Solver& solver);
/// The same, and how long a RUN is to last [s].
std::vector<Setting> settings_of_run(const Simulation& simulation, const Solver& solver,
                                     double duration);

}  // namespace solfec
