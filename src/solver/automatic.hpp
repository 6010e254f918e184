// A solver without parameters of its own: accelerated Gauss-Seidel while it is quick, the projected
// quasi-Newton method with settings that suit many problems, the proximal Newton method, and
// interior points.
#pragma once

#include "solver/barzilai_borwein.hpp"
#include "solver/interior_point.hpp"
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

/// Methods take turns: accelerated sweeps, the quasi-Newton method, the proximal method. Sweeps and
/// quasi-Newton steps go on from where they were left, as long as they get on: sweeps while the
/// rate at which they approach the goal says that few are missing, quasi-Newton steps while so many
/// of them halve the figure. Sweeps sit out rounds that are too short for them by that rate;
/// quasi-Newton steps get a larger shift from their third turn on. Each round gives both more,
/// until a round that is as long as they get gains nothing. The proximal method, whose steps are
/// few and dear, takes part once some of its steps take less work than all so far, or than the
/// sweeps of the next round; it begins at the start or at the quasi-Newton method's R, in turns,
/// but not again at a start from which it has stalled, and takes no more than 16 times the work so
/// far. The interior-point method, which knows no start, has one turn: where R = 0 at the start,
/// right after the first sweeps, which it may end, if it takes little work (and after some
/// quasi-Newton steps, where these may take less), else before the first turn of the proximal
/// method; where there is a start, before its second one. Where R = 0 at the start and sweeps have
/// led neither near the goal nor far from it, projected gradients are tried from there before
/// interior points, as long as they promise less work. From a start that has led near the goal
/// neither interior points nor more than one turn of dear proximal steps follow. Work is counted in
/// sweeps, not timed, so that runs can be repeated. A proximal step costs at most 1,000 sweeps
/// (larger problems do without), so that work grows with the number of rows as that of sweeps does.
/// Quasi-static steps go on beyond the merit, within the same bound on the cost of a proximal step;
/// others do where what the merit lets pass may open contacts beyond `gap_tolerance`, if a proximal
/// step takes no more work than all so far. Settings are the same on all ranks; so is what a solve
/// leaves here.
class Automatic : public IterativeSolver<Automatic, AutomaticSettings> {
 public:
  explicit Automatic(const AutomaticSettings& settings) : IterativeSolver(settings) {}

  SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                    const Communicator& communicator) override;
  SolverKind kind() const override { return SolverKind::automatic; }
  const char* name() const override { return "AUTO_SOLVER"; }
  const char* short_name() const override { return "AUTO"; }
  /// Methods: GS-AA, BB, PQN, PROXIMAL, IPM and BALANCE (of quasi-static steps).
  std::span<const SolveStage> path() const override { return path_; }
  void write_settings(ArchiveWriter& archive) const override;

  int newton_steps = 0;  ///< of both methods in the last call; `iterations` are sweeps and these

 private:
  struct Run {
    const LocalDynamics& problem;
    LocalSolution& solution;
    const Communicator& communicator;
    Channel channel;
    Goal goal;
    RowVector start;
    RowVector sweeps_R = {}, newton_R = {};  // where sweeps and quasi-Newton steps go on from
    int patience = 1;        // sweeps of a turn; quasi-Newton steps that end one without half
    double sweeps_left = 0;  // to the goal, as forecast at the end of their turn
    int newton_turns = 0, proximal_turns = 0;
    bool start_stalls = false;    // proximal steps from it
    bool is_cold = false;         // R = 0 at the start
    bool has_many_rows = false;   // of all ranks
    bool has_interior = false;    // had its turn
    double interior_work = 0;     // of interior points, in sweeps, where they go before others
    bool swept_out = false;       // sweeps change nothing any more
    double spent = 0;             // work so far, in sweeps
    double sweep_operations = 1;  // of the rank with most; once it is asked what steps cost
    RankWork work = {};
    double merit = 0;  // of the current R; not kept where there is a target
    double best = std::numeric_limits<double>::infinity();  // figure
    RowVector best_R = {};
  };
  void iterate(Run& run);
  void take_turns(Run& run);
  std::optional<ErrorTarget> target_left(const Run& run) const;
  void add_stage(Run& run, const SolveStage& stage);
  void add_newton_stage(Run& run, const SolveStage& stage);
  void sweep(Run& run);
  int first_patience(double ratio) const;
  void quasi_newton(Run& run, bool is_trial = false);
  void try_quasi_newton(Run& run);
  bool gradients_may_do(const Run& run) const;
  void try_gradients(Run& run);
  bool proximal_newton(Run& run, double most_work);
  void interior_point(Run& run, double cost);
  static void keep_if_best(Run& run, double figure);
  static void judge_start(Run& run);
  bool ends(Run& run);
  void balance(Run& run);
  void refine(Run& run);
  void tighten(Run& run);
  bool polish(Run& run, const Goal& goal, int most);
  void take_best(Run& run, const Goal& goal);
  double newton_work() const;
  bool see_interior_work(Run& run);
  bool sweeps_pay(const Run& run, int sweeps) const;
  template <class Operations>
  static double sweeps_of_step(Run& run, double most, Operations&& operations);
  double sweeps_of_interior_step(Run& run, double most);
  double sweeps_of_proximal_step(Run& run, double most);

  std::vector<SolveStage> path_;
  GaussSeidel sweeps_{GaussSeidelSettings{}};
  Newton quasi_newton_{NewtonSettings{}};
  ProximalNewton proximal_newton_;
  InteriorPoint interior_point_;
  JointReactions joint_reactions_;
};

}  // namespace solfec
