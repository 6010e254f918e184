// One analysis: the domain, its clock, and what happens around the steps.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "output/directory_lock.hpp"
#include "output/results_reader.hpp"
#include "output/results_writer.hpp"
#include "simulation/energy_watch.hpp"
#include "solver/solver.hpp"
#include "synchronisation/scripted_model.hpp"

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
  BodyId first_new{0};  ///< bodies from this one on were new in the step
  BodyId next_body{0};  ///< and are in the next one
};

/// What a script sets of its runs.
struct RunSettings {
  double step = 0;  ///< largest time step [s]
  /// [s]; 0: every step; nothing: a thousandth of each RUN
  std::optional<double> output_interval;
  bool compression = false;
  bool determinacy = false;  ///< frames tell which reactions are determined
  Verbosity verbosity = Verbosity::on;
  std::optional<Callback> callback;
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

/// One SOLFEC object.
struct Simulation : ScriptedModel {
  Simulation() = default;
  explicit Simulation(const Communicator& ranks) : ScriptedModel(ranks) {}

  Mode mode = Mode::write;
  RunSettings settings;
  ResultsAccess results;
  StepReport last;
  EnergyWatch energy_watch;      ///< of this RUN
  std::int64_t unconverged = 0;  ///< steps whose solver has not converged
  double beyond_loads = 0;       ///< in these: largest w |R| of contacts, over the largest |B|
  bool driven = false;           ///< in these: motions are prescribed
  std::string contradicting;     ///< in these: joints that do, by a little
  /// With -v: a RUN that waits for the user, and this for its end.
  std::function<void()> put_off;
};

/// A body made by the script (add_body). In read mode, with a frame shown, it is taken from the
/// frames that hold it.
BodyId make_body(Simulation& simulation, Body body);

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
