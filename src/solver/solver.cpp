#include "solver/solver.hpp"

namespace solfec {

const char* name(SolveStatus status) {
  switch (status) {
    case SolveStatus::ok:
      return "OK";
    case SolveStatus::diverged:
      return "DIVERGED";
    case SolveStatus::diagonal_diverged:
      return "DIAGONAL_DIVERGED";
    case SolveStatus::diagonal_failed:
      return "DIAGONAL_FAILED";
    case SolveStatus::out_of_time:
      return "TIME";
  }
  return "";
}

const char* advice(SolverKind solver) {
  return solver == SolverKind::automatic
             ? "a larger maxiter or shorter steps may help"
             : "AUTO_SOLVER, a larger maxiter or shorter steps may help";
}

}  // namespace solfec
