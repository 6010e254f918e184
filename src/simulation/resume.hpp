// Going on with results that are there (switch -c): the script runs again, and its RUNs find out
// how far they have come.
#pragma once

#include "simulation/simulation.hpp"

namespace solfec {

/// How far the next RUN has come in the results.
enum class Resumption {
  ended,      ///< it is over: the state is that of its end
  under_way,  ///< the state is that of its last frame, from which it goes on
  not_begun   ///< the results end before it
};

/// Called by each RUN of a simulation with `resume`, of so many seconds. Throws RunError when the
/// results are those of another model; warns when what is over was another RUN. Collective.
Resumption resume_run(Simulation& simulation, const Solver& solver, double duration);

}  // namespace solfec
