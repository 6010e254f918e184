// The solvers that the program knows. A line of `solvers()` makes one known to results, to
// FCLIB_SOLVE and to solfec-solve; its class makes it one (solver.hpp), `input` gives it a command.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "solver/solver.hpp"

namespace solfec {

struct SolverEntry {
  SolverKind kind;
  const char* command;  ///< of the input language
  /// Those that stop by the target alone, with settings for problems of any kind; null when its
  /// solvers cannot.
  std::vector<std::unique_ptr<Solver>> (*make)(const ErrorTarget& target);
};

/// In the order of SolverKind, without `none`.
std::span<const SolverEntry> solvers();

/// Short names of all that stop by a target (Solver::short_name).
std::vector<std::string> short_names();
/// One of these, stopping by the target alone.
std::unique_ptr<Solver> make_solver(const std::string& short_name, const ErrorTarget& target);

}  // namespace solfec
