// The run loop: steps until the time is up, and what happens between them.
#pragma once

#include <exception>
#include <functional>

#include "simulation/simulation.hpp"

namespace solfec {

/// How a run ended.
enum class RunEnd { complete, stop_file, callback, solver };

/// Whether what a function of the user has thrown is a wish to end, and no error.
using IsInterruption = std::function<bool(const std::exception_ptr&)>;

/// Runs for `duration` seconds of simulated time. `poll` is called after each step; it may throw to
/// end the run. However the run ends, by an exception too, its last state is in the results.
RunEnd run(Simulation& simulation, Solver& solver, double duration,
           const std::function<void()>& poll, const IsInterruption& is_interruption = nullptr);

/// Name of a file in the results directory that ends a run, and is removed by it.
inline constexpr const char* kStopFile = "STOP";

}  // namespace solfec
