// The step of DEF_IMP of finite elements.
#pragma once

#include <string>

#include "body/body_store.hpp"

namespace solfec {

/// Velocity `next` at the end of a step under `force`, all but the internal one, looked for from
/// what it is; the body is in the middle of the step, with the A of that (FiniteElements::factor).
/// False when it is not found. Along supports `next` stays what it is.
bool solve_conserving(const BodyStore& bodies, int i, double h, const Eigen::VectorXd& force,
                      Eigen::VectorXd& next);

/// Sets the impulses of the body's supports to those of the step with that velocity at its end.
void set_conserving_impulses(BodyStore& bodies, int i, double h, const Eigen::VectorXd& force,
                             const Eigen::VectorXd& next);

/// The text of an error: none was found.
std::string no_conserving_motion(const BodyStore& bodies, int i);

}  // namespace solfec
