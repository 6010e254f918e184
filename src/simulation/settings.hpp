// What every rank must have set alike, as fingerprints with names.
#pragma once

#include "simulation/agreement.hpp"

namespace solfec {

struct Simulation;
class Solver;

/// Materials and all settings of a simulation and a solver. Names are those of commands and
/// members.
std::vector<Setting> settings_of(const Simulation& simulation, const Solver& solver);

}  // namespace solfec
