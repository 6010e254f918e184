// The projected quasi-Newton method of the report of 2019 (Algorithm 1), on one rank and on many:
//
//   R <- proj_K [ R - (grad C_omega + delta I)^-1 C_omega ],   grad C_omega = X W + Y
//
// with the inverse taken inexactly by GMRES.
#pragma once

#include <functional>
#include <vector>

#include "local_dynamics/linearization.hpp"
#include "solver/gauss_seidel.hpp"
#include "solver/goal.hpp"
#include "solver/iterative_solver.hpp"
#include "solver/linear_sweep.hpp"
#include "solver/linearized_rows.hpp"

namespace solfec {

/// Of a linear step: by GMRES, or row by row with the 3 x 3 blocks on the diagonal, under-relaxed
/// (the method of the manual of 2011).
enum class LinearMethod { gmres, diagonal };

/// What delta is a multiple of: 1 m/(s N), or a figure of the diagonal entries of W.
enum class DeltaUnit { absolute, average, smallest, largest };

/// Letters as in the report, table 1.
struct NewtonSettings {
  double merit_value = 1e-8;  ///< gamma
  int max_iterations = 1000;  ///< n
  bool matrix_free = false;   ///< wants W in the factored form, without blocks
  LinearMethod linear_method = LinearMethod::gmres;
  int linear_max_iterations = 10;  ///< m
  /// GMRES is preconditioned by sweeps of Gauss-Seidel where W is in the factored form, not by the
  /// diagonal blocks alone.
  bool swept = false;
  int max_products = 100000;  ///< with W, of all linear steps
  double epsilon = 0.25;      ///< residual of linear steps over |C|
  double delta = 0;
  double theta = 0.25;  ///< share of a new step in the diagonal method
  double omega = 1e-11;
  bool falls_back = true;  ///< on Gauss-Seidel where it does not converge
  DeltaUnit delta_unit = DeltaUnit::absolute;
  int smoothing = 0;  ///< sweeps of Gauss-Seidel before and after
  /// Reactions enter the law of contact (linearization.hpp) times so many average diagonal entries
  /// of W; 0: times 1 m/(s N), as in the report.
  double reaction_scale = 0;
  FailureAction failure = FailureAction::go_on;
  bool least_norm = true;  ///< of reactions of joints that are not unique (joint_reactions.hpp)
};

/// Iterates until the merit is at most merit_value. Where it fails, the best R that it met, the
/// start included, is left, or is where Gauss-Seidel goes on from, with as many sweeps as there may
/// be iterations. Settings are the same on all ranks; so is what a solve leaves here. With a target
/// histories hold the error.
class Newton : public IterativeSolver<Newton, NewtonSettings> {
 public:
  explicit Newton(const NewtonSettings& settings) : IterativeSolver(settings) {}

  SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                    const Communicator& communicator) override;
  SolverKind kind() const override { return SolverKind::newton; }
  const char* name() const override { return "NEWTON_SOLVER"; }
  const char* short_name() const override { return "PQN"; }
  void write_settings(ArchiveWriter& archive) const override;
  DelassusForm delassus_form() const override {
    return settings.matrix_free ? DelassusForm::factored : DelassusForm::automatic;
  }

  /// Asked after each iteration that did not reach the goal, if it is there, with its merit (or
  /// error); true ends the iterations as diverged.
  std::function<bool(double measure)> gives_up;

  // Of the last call.
  int fallback_sweeps = 0;            ///< of Gauss-Seidel after a failure
  std::vector<double> merit_history;  ///< after each iteration
  std::vector<int> product_history;   ///< with W, in the linear step of each iteration

 private:
  struct Run {
    const LocalDynamics& problem;
    LocalSolution& solution;
    const Communicator& communicator;
    Channel channel;
    Goal goal;
    double shift = 0;  // delta, with its unit
    double scale = 1;  // of reactions
  };
  // The best R so far.
  struct Best {
    double measure;
    RowVector R;
  };
  bool is_swept(const LocalDynamics& problem) const;
  void prepare(Run& run);
  void sweep(Run& run, int sweeps) const;
  void linearise(Run& run);
  int linear_step(Run& run);
  void iterate(Run& run, Best& best);
  void fall_back(Run& run, const Best& best);

  LinearizedRows rows_;
  LinearSweep linear_sweep_;
  std::vector<Mat3> inverse_;  // of the diagonal blocks of A
  RowVector dR_;
  Gmres gmres_{20};
  JointReactions joint_reactions_;
};

}  // namespace solfec
