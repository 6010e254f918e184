// The run loop: steps until the time is up, and what happens between them.
#pragma once

#include "simulation/simulation.hpp"

namespace solfec {

/// How a run ended.
enum class RunEnd { complete, stop_file, callback, solver };

/// Runs for `duration` seconds of simulated time. `poll` is called after each step; it may throw to
/// end the run. However the run ends, by an exception too, its last state is in the results.
RunEnd run(Simulation& simulation, Solver& solver, double duration,
           const std::function<void()>& poll);

/// Name of a file in the results directory that ends a run, and is removed by it.
inline constexpr const char* kStopFile = "STOP";

}  // namespace solfec
