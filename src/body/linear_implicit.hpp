// What the schemes of deformable bodies share, whatever they are made of.
#pragma once

#include <cmath>

#include "body/body_store.hpp"

namespace solfec {

/// A = M + a K and the part c K u of the force.
struct LinearImplicit {
  double a, c;
};

/// Of a scheme, damping eta and step h; DEF_IMP iterates with the A of DEF_LIM.
inline LinearImplicit linear_implicit(Scheme scheme, double eta, double h) {
  if (scheme == Scheme::def_exp) return {0, eta};
  if (scheme == Scheme::def_lim2) return {eta * h + h * h, eta + h};
  return {0.5 * eta * h + 0.25 * h * h, eta};
}

/// Largest step for which DEF_EXP is stable [s]; omega2 is the largest eigenvalue of M^-1 K.
inline double explicit_limit(double omega2, double eta) {
  return std::sqrt(eta * eta + 4 / omega2) - eta;
}

}  // namespace solfec
