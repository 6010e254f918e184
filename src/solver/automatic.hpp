// A solver without parameters of its own: accelerated Gauss-Seidel while it is quick; then plain
// sweeps, the projected quasi-Newton method with settings that suit many problems, and the proximal
// Newton method in turns.
#pragma once

#include "solver/iterative_solver.hpp"
#include "solver/joint_reactions.hpp"
#include "solver/newton.hpp"
#include "solver/proximal_newton.hpp"

namespace solfec {

struct AutomaticSettings {
  double merit_value = 1e-8;
  int max_iterations = 1000;  ///< sweeps and steps of both Newton methods
  FailureAction failure = FailureAction::go_on;
};

/// Begins with accelerated sweeps. Their convergence tells how many more are needed. Where they are
/// many, methods take turns, from the start again: Newton's methods get on better from the R of a
/// few plain sweeps than from one of many that is nearer to the goal. Plain sweeps come first.
/// Where many are still to come, the quasi-Newton method goes on, as long as it is quick. Where it
/// is not, and some steps of the proximal method take fewer operations than the sweeps to come,
/// that takes over. Where it fails as well, sweeps go on from the best R, longer than before, from
/// the third round on accelerated, until a round that is as long as they get gains nothing.
/// Operations are counted, not timed, so that runs can be repeated. A proximal step costs at most
/// 1,000 sweeps (larger problems do without), so that work grows with the number of rows as that of
/// sweeps does. Settings are the same on all ranks; so is what a solve leaves here.
class Automatic : public IterativeSolver<Automatic, AutomaticSettings> {
 public:
  explicit Automatic(const AutomaticSettings& settings) : IterativeSolver(settings) {}

  SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                    const Communicator& communicator) override;
  SolverKind kind() const override { return SolverKind::automatic; }
  const char* name() const override { return "AUTO_SOLVER"; }
  const char* short_name() const override { return "AUTO"; }
  void write_settings(ArchiveWriter& archive) const override;

  /// Part of a solve.
  struct Stage {
    const char* method;  ///< GS-AA, GS, PQN, PROXIMAL or BALANCE (of quasi-static steps)
    int iterations;
    double figure;  ///< merit (or error of the target) of the R that it left
  };

  // Of the last call:
  int newton_steps = 0;     ///< of both methods; `iterations` are sweeps and these
  std::vector<Stage> path;  ///< what was done, in the order of time

 private:
  struct Best {
    double figure = std::numeric_limits<double>::infinity();
    RowVector R = {};
  };
  struct Run {
    const LocalDynamics& problem;
    LocalSolution& solution;
    const Communicator& communicator;
    Channel channel;
    Goal goal;
    RowVector start;
    double remaining = 0;  // sweeps to come, by the forecast
    bool slow = false;     // sweeps have ended by that
    RankWork work = {};
    double merit = 0;  // of the current R; not kept where there is a target
    Best best = {};
  };
  void iterate(Run& run);
  void take_turns(Run& run);
  void sweep_first(Run& run);
  void sweep_in_turn(Run& run, int patience);
  template <class IsSlow>
  void sweep(Run& run, bool accelerated, const IsSlow& is_slow);
  void quasi_newton(Run& run);
  bool proximal_newton(Run& run);
  bool ends(Run& run);
  void take(Run& run, const Best& best);
  void balance(Run& run);
  double sweeps_of_proximal_step(Run& run);

  GaussSeidel sweeps_{GaussSeidelSettings{}};
  Newton quasi_newton_{NewtonSettings{}};
  ProximalNewton proximal_newton_;
  JointReactions joint_reactions_;
};

}  // namespace solfec
