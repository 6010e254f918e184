// Rigid rotations. L = rotation, w = referential angular velocity, J = inertia, T = referential
// torque at mid-step, exp = exponential map (Koziara and Bicanic 2009):
//
//   half step  L_1/2 = L exp(h w / 2),  w_1/2 = J^-1 [ exp(-h w / 2) J w + (h / 2) T ]
//   free       b = w + h J^-1 [ T - w_1/2 x J w_1/2 ]       handed to the constraint solver
//   RIG_POS    w' = w1,  w1 = b + h J^-1 r                   L' = L_1/2 exp(h w1 / 2)
//   RIG_NEG    w' = J^-1 exp(-h w1 / 2) a                    L' = L_1/2 exp(h w1 / 2)
//   RIG_IMP    exp(h w' / 2) J w' = a                        L' = L_1/2 exp(h w' / 2)
// with a = exp(-h w / 2) J w + h (T + r), r the torque of the reactions. NEG and IMP conserve the
// spatial angular momentum L J w exactly (IMP to the accuracy below). In free rotation POS gains
// energy and NEG loses as much, at a rate of order h^3, in motions about the axis of the largest
// moment of inertia and in tumbling about the middle one; motions about the axis of the smallest
// drift, by little, the other way round. IMP is symmetric in time: its energy swings by O(h^2), and
// stays.
#pragma once

#include <limits>
#include <optional>

#include "body/body_store.hpp"

namespace solfec {

/// Whether J w is along w, as for balls and cubes.
bool is_isotropic(const Mat3& J);

/// q goes with the velocity u for a duration [s].
void rigid_move(BodyStore& bodies, int i, double duration);

/// Free velocity b from the velocity u and the external force f.
void rigid_free_velocity(BodyStore& bodies, int i, double h);

/// Velocities after the reaction r: angular one of the second half step, and those of its end.
struct RigidEnd {
  Vec3 turn, w, v;
  /// By which it turns, about, where RIG_IMP has to find that.
  double angle = std::numeric_limits<double>::quiet_NaN();
};
/// What rigid_end_step makes of b, f and r; w and turn are NaN where RIG_IMP finds no solution.
RigidEnd rigid_end(const BodyStore& bodies, int i, double h, const double* r);

/// From b, f and the generalised reaction r: u(t + h) and q(t + h). Throws RunError, naming the
/// body, when RIG_IMP finds no solution.
void rigid_end_step(BodyStore& bodies, int i, double h, const double* r);

/// Largest |exp(h w / 2) J w - a| / |a| that is taken for a solution.
inline constexpr double kImplicitRotationAccuracy = 1e-12;

/// Solves exp(h w / 2) J w = a for w; the solution has |J w| = |a|. Any start will do, the best one
/// is near the velocity before the step. Nothing when no w of that accuracy is found: that takes
/// more than one and a half turns in a step, or a needle or a disc of such thinness that rounding
/// of J w alone leaves more.
std::optional<Vec3> solve_implicit_rotation(const Mat3& J, const Vec3& a, double h,
                                            const Vec3& start);

}  // namespace solfec
