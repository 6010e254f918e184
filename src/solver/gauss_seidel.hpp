// Nonlinear block Gauss-Seidel (manual, section 9.1), on one rank and on many.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "solver/anderson_mixing.hpp"
#include "solver/contact_batches.hpp"
#include "solver/criterion.hpp"
#include "solver/diagonal_solver.hpp"
#include "solver/iterative_solver.hpp"
#include "solver/joint_reactions.hpp"
#include "solver/sweep_stages.hpp"

namespace solfec {

/// Relative accuracy of a row: what rounding leaves of it, and what is enough while sweeps go on,
/// since each begins where the one before has come to.
constexpr double kRowRoundOff = 1e-14, kRowAccuracy = 1e-5;

struct GaussSeidelSettings {
  /// Of solves that the merit alone ends, and that are parts of others.
  static GaussSeidelSettings by_merit(double merit_value, int max_iterations) {
    GaussSeidelSettings settings;
    settings.epsilon = 1;
    settings.merit_value = merit_value;
    settings.max_iterations = max_iterations;
    settings.diagonal_epsilon = kRowAccuracy;
    settings.least_norm = false;
    return settings;
  }

  double epsilon = 1e-3;  ///< relative change of the reactions in a sweep
  int max_iterations = 1000;
  double merit_value = 1e-3;  ///< at 1 or above the merit is not part of the criterion
  FailureAction failure = FailureAction::go_on;
  double diagonal_epsilon = kRowRoundOff;
  int diagonal_max_iterations = 100;
  DiagonalSolver diagonal_solver = DiagonalSolver::semismooth_newton;
  /// Pairs of sweeps that Anderson acceleration looks back on (anderson_mixing.hpp); 0: none.
  int memory = 0;
  /// Sweeps, at most, after the merit has been reached, as long as it is above a hundredth of that:
  /// what many steps leave in turn adds up, and so few sweeps let contacts that last forget it.
  int beyond = 0;
  bool reverse = false;                                   ///< every other sweep runs backwards
  GaussSeidelVariant variant = GaussSeidelVariant::full;  ///< of parallel runs
  int inner_loops = 1;                                    ///< of parallel runs
  bool least_norm = true;  ///< of reactions of joints that are not unique (joint_reactions.hpp)
};

/// Sweeps over the rows, each solved with the newest reactions of the others, until the relative
/// change of R is at most epsilon and the merit at most merit_value. A row whose diagonal solver
/// fails is tried with the other three, then keeps its reaction.
///
/// Among several ranks rows see new or old reactions of other ranks as the variant says
/// (rank_sets.hpp). SIMPLIFIED takes contacts once, with the old reactions of other ranks, whatever
/// the criterion, and then iterates the joints to epsilon, in the order of FULL. `inner_loops` are
/// sweeps over the inner rows in each sweep. Criterion and status are those of all ranks together.
/// Settings are the same on all ranks; so is what a solve leaves here.
///
/// With `memory` sweeps are accelerated (not with SIMPLIFIED): every other one begins with a
/// combination of what the last pairs of sweeps made, or of the last two alone where the
/// combination before was worse.
///
/// With a target no histories are kept.
class GaussSeidel : public IterativeSolver<GaussSeidel, GaussSeidelSettings> {
 public:
  explicit GaussSeidel(const GaussSeidelSettings& settings) : IterativeSolver(settings) {}

  SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                    const Communicator& communicator) override;
  /// Iterates joints only, with the contacts' reactions as they are.
  SolveResult solve_joints(const LocalDynamics& problem, LocalSolution& solution,
                           const Communicator& communicator);
  SolverKind kind() const override { return SolverKind::gauss_seidel; }
  double accuracy() const override {
    return std::min(settings.epsilon, IterativeSolver::accuracy());
  }
  const char* name() const override { return "GAUSS_SEIDEL_SOLVER"; }
  const char* short_name() const override { return settings.memory > 0 ? "GS-AA" : "GS"; }
  void write_settings(ArchiveWriter& archive) const override;

  /// Asked after each sweep that did not end the solve, if it is there, with the merit (or the
  /// error of the target) of the rows as the sweep met them; true ends it as diverged.
  std::function<bool(double met)> gives_up;

  // Of the last call.
  std::vector<double> error_history;  ///< relative change, per sweep
  /// Merit per sweep: exact where the criterion asked for it, else that of the rows as the sweep
  /// met them (an upper estimate while the iteration converges).
  std::vector<double> merit_history;

 private:
  // The sweeps beyond the merit of a solve. Where bodies have no room the merit stays, and each
  // sweep would press them harder.
  struct Beyond {
    int left;
    double enough;
    double last = 0;

    bool begins(double merit) {
      if (last > 0 || left == 0 || merit <= enough) return false;
      last = std::numeric_limits<double>::infinity();
      return true;
    }
    bool goes_on(double met) {
      constexpr double kFall = 0.9;
      return last > 0 && --left > 0 && met > enough && met < kFall * std::exchange(last, met);
    }
  };
  struct Sweep : SweepSums<double> {
    bool late = false;  // the time of the target is over
    DiagonalStatus status = DiagonalStatus::ok;
  };
  enum class Rows { all, contacts, joints };
  // One solve on several ranks, or on one.
  struct Run {
    const LocalDynamics& problem;
    LocalSolution& solution;
    const Communicator& communicator;
    Channel channel;
    double scale = 1;     // of the merit
    bool joints = false;  // some rank has them
    Rows rows = Rows::all;
    RankWork work = {};
    DeferredCheck check{0};
    // Of the target:
    std::chrono::steady_clock::time_point deadline = {};
    double free_norm = 1;  // |q| of the natural map

    bool several() const { return communicator.size() > 1; }
  };
  SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                    const Communicator& communicator, std::initializer_list<Rows> passes);
  bool asks_merit(const Run& run) const;
  void prepare(Run& run);
  void plan_sweeps(const Run& run);
  void plan_batches(const Run& run);
  template <class Form>
  void solve_rows(const Run& run, Form& form, std::span<const int> rows, Sweep& result) const;
  template <class Form>
  void solve_stage(const Run& run, Form& form, bool backwards, std::size_t stage,
                   Sweep& result) const;
  void solve_batches(const Run& run, FactoredForm& form, const ContactBatches& contacts,
                     bool backwards, Sweep& result) const;
  template <class Form>
  Sweep sweep(Run& run, Form& form, bool backwards) const;
  template <class Form>
  void iterate(Run& run, Form& form);
  // Moves R, after sweeps of which the last met rows with this merit (or residual), to where the
  // next one begins.
  template <class Form>
  void accelerate(Run& run, Form& form, double met);
  template <class Form>
  bool reached_target(Run& run, const Sweep& sweep, const Form& form) const;
  /// Of the merit, which it makes exact where it has asked for that.
  template <class Form>
  bool reached_merit(Run& run, double& merit_value, const Form& form) const;

  SweepStages stages_;
  // Of the stages, if rows are solved in batches; of one rank they are those of W.
  struct StageBatches {
    RowBatches own;
    ContactBatches contacts;
  };
  std::vector<StageBatches> batches_[2];
  mutable std::vector<Sweep> part_sums_;  // work space
  JointReactions joint_reactions_;
  AndersonMixing mixing_;
  std::vector<Vec3> sweep_start_,
      change_;  // R of owned rows before the last sweeps; of a combination
  double met_before_ = 0;
};

}  // namespace solfec
