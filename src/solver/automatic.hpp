// A solver without parameters of its own: Gauss-Seidel while it is quick, the proximal Newton
// method (proximal_newton.hpp) where that is less work.
#pragma once

#include "solver/gauss_seidel.hpp"
#include "solver/proximal_newton.hpp"

namespace solfec {

struct AutomaticSettings {
  double merit_value = 1e-8;
  int max_iterations = 1000;  ///< sweeps and Newton steps
};

/// Begins with sweeps. Their convergence tells how many more are needed; when a dozen Newton steps
/// take fewer operations, they take over, and where they fail sweeps go on from the best R, longer
/// than before. Operations are counted, not timed, so that runs can be repeated. A Newton step
/// costs at most 1,000 sweeps (larger problems are left to Gauss-Seidel), so that work grows with
/// the number of rows as that of sweeps does. Settings are the same on all ranks; so is what a
/// solve leaves here.
class Automatic : public Solver {
 public:
  explicit Automatic(const AutomaticSettings& settings) : settings(settings) {}

  SolveResult solve(LocalDynamics& problem, const Communicator& communicator) override;
  SolverKind kind() const override { return SolverKind::automatic; }
  const char* name() const override { return "AUTO_SOLVER"; }

  AutomaticSettings settings;
  /// In place of the merit, if it is there.
  std::optional<ErrorTarget> target;

  // Of the last call.
  SolveStatus status = SolveStatus::ok;
  int iterations = 0;    ///< sweeps and Newton steps
  int newton_steps = 0;  ///< among them

  // Of all calls, while recording.
  bool recording = false;
  std::optional<std::vector<int>> iteration_record;

 private:
  struct Run {
    LocalDynamics& problem;
    const Communicator& communicator;
    Channel channel;
    Goal goal;
    int patience;              // sweeps before anybody asks how many are to come
    double remaining = 0;      // the answer
    double newton_sweeps = 0;  // that cost as much as a Newton step; 0: not known yet
    bool slow = false;         // sweeps have ended by that
    RankWork work = {};
  };
  static bool newton_pays(const Run& run, double newton_sweeps);
  double newton_sweeps(Run& run);
  SolveStatus sweep(Run& run);
  void iterate(Run& run);

  GaussSeidel sweeps_{GaussSeidelSettings{}};
  ProximalNewton newton_;
};

}  // namespace solfec
