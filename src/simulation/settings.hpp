// What a script has set, as fingerprints with names: every rank must have it alike, and results are
// those of it.
#pragma once

#include "simulation/synchronisation.hpp"

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

}  // namespace solfec
