// Settings with which solvers go on to the end.
#pragma once

#include "solver/newton.hpp"

namespace solfec::testing {

inline GaussSeidelSettings tight_gauss_seidel() {
  GaussSeidelSettings settings;
  settings.epsilon = 1e-12;
  settings.merit_value = 1e-20;
  settings.max_iterations = 20000;
  settings.diagonal_epsilon = 1e-14;
  return settings;
}

/// Without Gauss-Seidel behind it.
inline NewtonSettings tight_newton() {
  NewtonSettings settings;
  settings.merit_value = 1e-20;
  settings.omega = 1e-15;
  settings.delta = 1e-3;
  settings.delta_unit = DeltaUnit::average;
  settings.falls_back = false;
  return settings;
}

}  // namespace solfec::testing
