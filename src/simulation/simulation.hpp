// One analysis: the domain, its clock, and what happens around the steps.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "body/integration.hpp"
#include "core/id_ranges.hpp"
#include "domain/domain.hpp"
#include "output/directory_lock.hpp"
#include "output/results_reader.hpp"
#include "output/results_writer.hpp"
#include "simulation/changes.hpp"
#include "simulation/synchronisation.hpp"
#include "solver/solver.hpp"

namespace solfec {

enum class Mode { read, write };
enum class Verbosity { off, on, percent };

struct Callback {
  double interval;                 ///< [s]
  std::function<bool()> function;  ///< false ends the run
};

/// Figures of the last step.
struct StepReport {
  double h = 0;
  SolveResult solution;
  SolverKind solver = SolverKind::none;
  PhaseTimes timing;
  GaussSeidelFigures gauss_seidel;
};

/// Sums over all ranks, the same on each of them; obstacles count once.
struct Totals {
  std::int64_t bodies = 0, constraints = 0;
  std::optional<Energy> energy = Energy{};  ///< nothing: not known (total_energy)
};

/// What a script sets of its runs.
struct RunSettings {
  double step = 0;  ///< largest time step [s]
  /// [s]; 0: every step; nothing: a thousandth of each RUN
  std::optional<double> output_interval;
  bool compression = false;
  Verbosity verbosity = Verbosity::on;
  std::optional<Callback> callback;
};

struct RunClock {
  double time = 0;  ///< [s]
  std::int64_t steps = 0;
  int runs = 0;
  double run_start = 0, next_output = 0, next_callback = 0;  ///< [s]
};

/// Results of this simulation on disk: those that it writes, or shows.
struct ResultsAccess {
  std::string directory;                   ///< an absolute path: the script may change its own
  std::string title;                       ///< that directory as the script names it, for messages
  std::optional<std::string> script_text;  ///< of the input file
  bool resume = false;  ///< -c: RUNs go on from the results that are there (write mode)
  std::optional<DirectoryLock> lock;  ///< on the first rank, before anything is written
  std::unique_ptr<ResultsWriter> writer;
  std::unique_ptr<ResultsReader> reader;
  std::unique_ptr<ResultsReader> earlier;  ///< resume: until all RUNs in the results are passed
  int frame = -1;                          ///< shown in read mode
};

/// What the script has done so far, alike on all ranks or to be made so.
struct ScriptState {
  std::uint32_t next_body = 0;      ///< id of the next body
  std::uint32_t next_in_frame = 0;  ///< in the frame that was loaded last
  std::shared_ptr<CommandLog> command_log = std::make_shared<CommandLog>();
  BodyLabels labels;
  std::set<std::string> warned;  ///< of what, once each
  IdRanges gone;                 ///< bodies deleted, on any rank, or not in the frame that is shown
  Changes changes;               ///< not known to all ranks yet
  bool state_replaced = false;   ///< bodies do not start at rest where they were made
  std::set<int> deforming;       ///< bulk materials that bodies which deform were made of
};

/// One SOLFEC object.
struct Simulation {
  Simulation() = default;
  explicit Simulation(const Communicator& ranks) : communicator(ranks) {}

  Communicator communicator;
  Domain domain{communicator};
  Mode mode = Mode::write;
  RunSettings settings;
  RunClock clock;
  ResultsAccess results;
  ScriptState script;

  StepReport last;
  Totals totals;
  std::int64_t unconverged = 0;            ///< steps whose solver has not converged
  int new_bodies = 0, deleted_bodies = 0;  ///< since the last frame
  bool running = false;                    ///< inside of RUN
  bool stepping = false;                   ///< inside of a step
  /// With -v: a RUN that waits for the user, and this for its end.
  std::function<void()> put_off;
};

/// Throws RunError inside of a step, where functions of user forces are called: they make, change
/// and delete nothing, since loops over bodies, loads and joints are under way.
void demand_no_step(const Simulation& simulation);
/// Throws the same of "X cannot be called" or the like.
[[noreturn]] void fail_in_step(const std::string& what);

/// Adds a body made by the script or by a callback; every rank calls this, and obstacles are kept
/// by all of them, other bodies by rank  id % ranks. In a callback the calling rank keeps it, until
/// all have heard of it (changes.hpp). This and delete_body throw RunError inside of a step, where
/// functions of user forces are called.
BodyId add_body(Simulation& simulation, Body body);

/// Deletes a body, whichever rank owns it; false when there is none with this id.
bool delete_body(Simulation& simulation, BodyId id);

/// Rank that keeps a body from the script until it migrates.
int home_of(const Simulation& simulation, BodyId id);
/// Index of a body that this rank owns, or -1.
int find_here(const Simulation& simulation, BodyId id);
/// Whether another rank has a body. Wrong only for a number that was never given.
bool lives_elsewhere(const Simulation& simulation, BodyId id);

/// Position of an owned body (by index) among those of all ranks, in the order of ids.
int position(const Simulation& simulation, int i);

/// Brings the numbers of bodies and constraints up to date and adds up `flags` over the ranks, in
/// one reduction. Nothing is done on one rank, which asks its stores. Collective; after each step.
void reduce_counts(Simulation& simulation, std::span<double> flags = {});
/// Brings the energies up to date. As that takes a product with the stiffness of each deformable
/// body it is done where the script may ask only. Nothing is done on one rank. Collective.
void reduce_energy(Simulation& simulation);

/// Bodies of this rank; obstacles count on the first one only.
std::int64_t owned_bodies(const Simulation& simulation);

// Numbers and sums over all ranks, not collective.
std::int64_t body_count(const Simulation& simulation);
std::int64_t constraint_count(const Simulation& simulation);
/// Nothing when velocities were set that this rank does not know, until the next RUN, and within a
/// step.
std::optional<Energy> total_energy(const Simulation& simulation);

/// One step of the method. On an exception bodies, contacts and the report of the last step are
/// what they were before.
void make_step(Simulation& simulation, Solver& solver);

/// Everything a frame says but the bodies and contacts.
FrameHeader frame_header(const Simulation& simulation);

/// How frames come to the ranks: body i to rank i % N.
Distribution distribution(const Simulation& simulation);

/// Bodies, contacts and clock as they were in a frame. Collective.
void load_frame(Simulation& simulation, const ResultsReader& results, int frame);

/// Results written so far, opened for reading. Throws RunError when there are none. Not collective,
/// save in write mode while frames wait to be published: then collective.
ResultsReader& open_results(Simulation& simulation);

/// Read mode: checks that the bodies are those of the results, tells where these come from, and
/// shows the first frame. Collective.
void show_first_frame(Simulation& simulation);

/// Read mode: shows a frame. Collective.
void show_frame(Simulation& simulation, int frame);

/// Read mode, in place of a RUN: bodies that the script makes afterwards get the identifiers that
/// they got when the results were written. Warns when it was another RUN.
void pass_run(Simulation& simulation, const Solver& solver, double duration);

}  // namespace solfec
