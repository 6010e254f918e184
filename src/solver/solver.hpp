// What a constraint solver is: it finds the reactions of a LocalDynamics and never sees a body.
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/solver_kind.hpp"
#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

enum class SolveStatus { ok, diverged, diagonal_diverged, diagonal_failed, out_of_time };

/// Documented name of a status ('OK', 'DIVERGED', ...).
const char* name(SolveStatus status);

/// What to try when that solver does not converge.
const char* advice(SolverKind solver);

/// What a solver tells of its work among several ranks, on this rank; zero on a single one and from
/// solvers without such sets (HISTORY: GSCOLORS to GSMCOM).
struct RankWork {
  int colours = 0;                                 ///< largest of this rank and its neighbours
  int bottom = 0, middle = 0, top = 0, inner = 0;  ///< rows (rank_sets.hpp)
  double initialisation = 0;                       ///< colours and sets [s]
  double run = 0;                                  ///< computations [s]
  double communication = 0;                        ///< without the middle set [s]
  double middle_communication = 0;  ///< waits before middle rows, sends after them [s]
};

struct SolveResult {
  SolveStatus status = SolveStatus::ok;
  int iterations = 0;
  double merit = 0;  ///< of the result, whatever the solver's own criterion
  RankWork rank_work = {};
};

/// Part of a solve by a solver that chooses among methods.
struct SolveStage {
  const char* method;
  int iterations;
  double figure;  ///< merit (or error of the target) of the R that it left
};

/// Ends a solve by the error of the natural map (natural_map.hpp), which is no solver's own
/// measure, in place of the solver's criterion. For contacts with friction cones, fixed points
/// and fixed directions.
struct ErrorTarget {
  static constexpr double kUsualError = 1e-4, kUsualTime = 60;  ///< of FCLIB_SOLVE, solfec-solve

  double error = 0;                                             ///< at most this: ok
  double time_limit = std::numeric_limits<double>::infinity();  ///< [s]; then: out_of_time

  /// Of a solve that starts now.
  std::chrono::steady_clock::time_point deadline() const {
    using Clock = std::chrono::steady_clock;
    if (!(time_limit < 1e9)) return Clock::time_point::max();
    return Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(time_limit));
  }
};

/// Iterations of each step while it is on (itershist).
class IterationRecord {
 public:
  void turn(bool on) {
    if (on && !on_) counts_.emplace();
    on_ = on;
  }
  void add(int iterations) {
    if (on_) counts_->push_back(iterations);
  }
  /// Since it was turned on last; nothing if it never was.
  const std::optional<std::vector<int>>& counts() const { return counts_; }

 private:
  bool on_ = false;
  std::optional<std::vector<int>> counts_;
};

/// What the run does when a solver reports anything but ok.
enum class FailureAction { go_on, exit, callback };

class Solver {
 public:
  static constexpr double kUsualAccuracy = 1e-4;  ///< of a merit of 1E-8

  virtual ~Solver() = default;

  /// Starts from the R of the solution; leaves R, U and the rows' merit of its best result there.
  virtual SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                            const Communicator& communicator) = 0;

  virtual SolverKind kind() const = 0;
  /// Name of its command.
  virtual const char* name() const = 0;
  /// Of solfec-solve and FCLIB_SOLVE; null for solvers that cannot stop by a target.
  virtual const char* short_name() const { return nullptr; }
  /// After a step, with the iterations of all its solves: joints may take several.
  virtual void end_step(int /*iterations*/) {}
  /// The form of W that it wants to be given.
  virtual DelassusForm delassus_form() const { return DelassusForm::automatic; }
  /// The laws that it wants contacts to be given.
  virtual ContactLaws contact_laws() const { return ContactLaws::by_model; }
  /// The error of velocities at which it may end, relative to those without reactions, as far as
  /// its settings tell.
  virtual double accuracy() const { return kUsualAccuracy; }
  /// What the last solve did, in the order of time, where it chose among methods.
  virtual std::span<const SolveStage> path() const { return {}; }
  virtual FailureAction failure_action() const { return FailureAction::go_on; }
  /// Adds the settings that must be the same on all ranks; results keep a fingerprint of them.
  virtual void write_settings(ArchiveWriter& archive) const = 0;
  /// A solver of its own with the same settings, which stops by the target; null where there is no
  /// such criterion.
  virtual std::unique_ptr<Solver> with_target(const ErrorTarget&) const { return nullptr; }
  /// Asked on FailureAction::callback: true to go on, false to end the run.
  std::function<bool()> on_failure;
  /// Gap beyond which contacts are lost [m]: a solver may see to it that what a step leaves of
  /// their velocities does not open them by that; 0: any.
  double gap_tolerance = 0;
  /// Inside of a step, where settings stay as they are.
  bool stepping = false;
  /// With -v: a RUN by this solver waits for the user, and this for its end.
  std::function<void()> put_off;
};

}  // namespace solfec
