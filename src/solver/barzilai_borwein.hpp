// Projected gradients with the steps of Barzilai and Borwein (1988; Birgin, Martinez and Raydan
// 2000; Heyn 2013) for the variational inequality of a step (cone_inequality.hpp):
//
//   R <- P_X (R - F(R) / (L w)),   w = row_weight
//
// with L from the changes dR, dF of the last iteration, in turns
//
//   L = dR.dF / sum w |dR|^2,   L = sum |dF|^2 / w / dR.dF
//
// and that of before where dR.dF is not positive. An iteration takes one product with W and one
// reduction. No search along the step: the error does not fall steadily.
#pragma once

#include "solver/goal_iteration.hpp"

namespace solfec {

/// Iterates from the R of the solution until the criterion is met, and leaves the best R that it
/// met, admissible, with its U. Collective.
IterationOutcome solve_by_barzilai_borwein(const SolveTask& task, int max_iterations);

}  // namespace solfec
