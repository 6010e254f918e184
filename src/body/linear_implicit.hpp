// What the schemes of deformable bodies share, whatever they are made of.
#pragma once

#include <algorithm>
#include <cmath>

#include "body/body_store.hpp"

namespace solfec {

/// A = M + a K and the part c K u of the force. `damps`: vibrations that the step does not resolve
/// die at once.
struct LinearImplicit {
  double a, c;
  bool damps = false;
};

/// Of a scheme, damping eta and step h; DEF_IMP iterates with the A of DEF_LIM.
inline LinearImplicit linear_implicit(Scheme scheme, double eta, double h) {
  if (scheme == Scheme::def_exp) return {0, eta};
  if (scheme == Scheme::def_lim2) return {eta * h + h * h, eta + h, true};
  return {0.5 * eta * h + 0.25 * h * h, eta};
}

/// The angle t by which half of a step turns a body whose angular velocity is w in the middle.
/// Nodes lie there in 1/cos t times their distance from the axis, and w = w' cos^2 t, w' = 2 tan t
/// / h.
inline double half_turn(double angular_velocity, double h) {
  return 0.5 * std::asin(std::min(1.0, h * angular_velocity));
}

/// X [s^2] of the strain  E + X grad w^T grad w  that stands for E in the middle x of an implicit
/// step. Linear motion by h/2 u stretches a body that turns, and what K adds shrinks it: with X a
/// body that turns rigidly has no strain, at any angle. The term is that of the mean strain of
/// x - s w and x + s w, s^2 = 2 X; with a, c of DEF_LIM s = h/2, as in the conserving force. w is u
/// where the step damps, otherwise the rotation in it, as vibrations would be driven; DEF_LIM
/// itself does without, so that glued parts, which turn on their own, move as their whole does.
inline double turning_strain(const LinearImplicit& step, double h) {
  return step.a - 0.5 * h * step.c - 0.125 * h * h;
}

/// Largest step for which DEF_EXP is stable [s]; omega2 is the largest eigenvalue of M^-1 K.
inline double explicit_limit(double omega2, double eta) {
  return std::sqrt(eta * eta + 4 / omega2) - eta;
}

}  // namespace solfec
