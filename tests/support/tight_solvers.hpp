// Settings with which solvers go on to the end, and what all of them tell of themselves.
#pragma once

#include <gtest/gtest.h>

#include "solver/newton.hpp"
#include "support/local_problem.hpp"

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

/// A solver records the iterations of steps while it is asked to, and has a name.
template <class Kind>
void expect_records(Kind solver, SolverKind kind, const char* name) {
  LocalProblem p = closing_contacts(9, 6, 10);
  std::vector<int> expected;
  const auto solve = [&] {
    const int iterations = solver.solve(p.dynamics, p.solution, Communicator()).iterations;
    solver.end_step(iterations);
    return iterations;
  };
  solve();
  EXPECT_FALSE(solver.record.counts());
  solver.record.turn(true);
  for (int k = 0; k < 3; k++) expected.push_back(solve());
  solver.record.turn(false);
  solve();
  EXPECT_EQ(*solver.record.counts(), expected);
  solver.end_step(12);
  EXPECT_EQ(solver.step_iterations, 12);
  EXPECT_EQ(solver.kind(), kind);
  EXPECT_STREQ(solver.name(), name);
}

}  // namespace solfec::testing
