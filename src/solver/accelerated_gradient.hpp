// Accelerated projected gradients (APGD; Nesterov 1983, Mazhar, Heyn, Negrut and Tasora 2015) for
// the convex programme of a step: R in X (cone_inequality.hpp) that minimises
//
//   f(R) = R.W R / 2 + R.q,   F(R) = grad f = W R + q
//
// With the weight w of each row (row_weight) as metric, |d|_w^2 = sum w |d|^2, and from y = R:
//
//   R'     = P_X (y - F(y) / (L w))       L is doubled while  d.W d > L |d|_w^2,  d = R' - y
//   beta   = theta (1 - theta) / (theta^2 + theta'),  theta'^2 = (1 - theta') theta^2,  theta_0 = 1
//   y'     = R' + beta (R' - R)
//
// Where F(y).(R' - R) > 0 the momentum has gone too far: y' = R', theta' = 1 (O'Donoghue and Candes
// 2015). L becomes 0.9 L after each iteration. A trial takes one product with W: F is affine, so
// that of y' is a combination of those of R' and R.
#pragma once

#include "solver/goal_iteration.hpp"

namespace solfec {

/// Iterates from the R of the solution until the goal is reached, and leaves the best R that it
/// met, admissible, with its U. Rows are those of a convex programme. Collective.
IterationOutcome solve_by_accelerated_gradient(const SolveTask& task, int max_iterations);

}  // namespace solfec
