// The solvers that the program knows. A line of `solvers()` makes one known to results, to
// FCLIB_SOLVE and to solfec-solve; its class makes it one (solver.hpp), `input` gives it a command.
#pragma once

#include <memory>
#include <span>

#include "solver/solver.hpp"

namespace solfec {

struct SolverEntry {
  SolverKind kind;
  const char* command;  ///< of the input language
  /// Of solfec-solve and FCLIB_SOLVE; null, as `make`, for solvers that cannot stop by a target.
  const char* short_name;
  /// With settings for problems of any kind, stopping by the target alone.
  std::unique_ptr<Solver> (*make)(const ErrorTarget& target);
};

/// In the order of SolverKind, without `none`.
std::span<const SolverEntry> solvers();

const SolverEntry& entry_of(SolverKind kind);

}  // namespace solfec
