// Methods that solve problems with a part of the law of contacts held (cone_inequality.hpp), and
// repeat from their solution (Acary, Bremond, Huber 2018, section 7, Algorithms 10 to 12):
//
//   Panagiotopoulos  normal reactions with the tangential ones held, then the other way
//   Tresca           the threshold of friction held
//   ACLM             the slip in the normal component held (Acary, Cadoux, Lemarechal, Malick)
//
// Each of these problems is convex where W is symmetric. It is solved to a tenth of the error of
// the whole.
#pragma once

#include "solver/inequality_error.hpp"
#include "solver/projection_method.hpp"
#include "solver/splitting_method.hpp"

namespace solfec {

enum class HeldLaw : std::uint8_t { panagiotopoulos, tresca, aclm };

struct HeldLawSettings {
  HeldLaw law = HeldLaw::aclm;
  /// How problems are solved: by sweeps (NSGS-FP-VI-UPK), else by projections.
  bool by_sweeps = true;
  /// And those of normal reactions: by sweeps (PGS), else by projections.
  bool normal_by_sweeps = true;
  ProjectionSettings projection;
};

/// Keeps its memory between calls.
class HeldLawMethod {
 public:
  /// Iterates from the R of the solution until the criterion is met, and leaves the best R that it
  /// met, admissible, with its U. Iterations are the outer ones. Collective.
  IterationOutcome solve(const SolveTask& task, const HeldLawSettings& settings,
                         int max_iterations);

 private:
  void solve_part(const SolveTask& task, HeldPart part, bool by_sweeps, double value,
                  ProjectionSettings& projection);

  SplittingMethod splitting_;
};

}  // namespace solfec
