// INDETERMINACY: which reactions of the last step are determined by equilibrium
// (local_dynamics/indeterminacy.hpp), the same for any number of ranks.
#pragma once

#include "local_dynamics/indeterminacy.hpp"

namespace solfec {

struct Simulation;

struct StepIndeterminacy {
  std::vector<ClusterIndeterminacy> clusters;  ///< of all ranks, by their first constraint
  struct OfConstraint {
    ReactionDeterminacy reaction;
    int cluster = Indeterminacy::kNoCluster;
  };
  /// Of the constraints of this rank; nothing of supports that are no rows (domain/supports.hpp).
  std::vector<OfConstraint> constraints;
};

/// Of the last step; notes it down in the constraints, for results. The first rank gathers what the
/// components of all reactions do to their bodies, and works alone. Throws InputError when there is
/// no step, or when something was deleted since. Collective.
StepIndeterminacy step_indeterminacy(Simulation& simulation);

/// Notes it down in the constraints right after a step, unless something was deleted since.
/// Collective.
void note_determinacy(Simulation& simulation);

}  // namespace solfec
