// The model, as the scripts of all ranks make and change it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "body/integration.hpp"
#include "core/id_ranges.hpp"
#include "domain/domain.hpp"
#include "synchronisation/body_labels.hpp"
#include "synchronisation/changes.hpp"
#include "synchronisation/command_log.hpp"

namespace solfec {

/// Sums over all ranks, the same on each of them; obstacles count once.
struct Totals {
  std::int64_t bodies = 0, constraints = 0;
  std::optional<Energy> energy = Energy{};  ///< nothing: not known (total_energy)
};

struct RunClock {
  double time = 0;  ///< [s]
  std::int64_t steps = 0;
  int runs = 0;
  double run_start = 0, next_output = 0, next_callback = 0;  ///< [s]
};

/// What the script has done so far, alike on all ranks or to be made so.
struct ScriptState {
  std::uint32_t next_body = 0;      ///< id of the next body
  std::uint32_t next_in_frame = 0;  ///< in the frame that was loaded last
  /// Of all SOLFEC objects of the script.
  std::shared_ptr<CommandLog> command_log = std::make_shared<CommandLog>();
  BodyLabels labels;
  std::set<std::string> warned;  ///< of what, once each
  IdRanges gone;                 ///< bodies deleted, on any rank, or not in the frame that is shown
  Changes changes;               ///< not known to all ranks yet
  bool state_replaced = false;   ///< bodies do not start at rest where they were made
  std::set<int> deforming;       ///< bulk materials that bodies which deform were made of
};

/// What scripts act on, and what they have done. Between synchronisation points all ranks have the
/// same of all but `domain` and `script.changes`; in a callback ids and counts may differ, too.
struct ScriptedModel {
  ScriptedModel() = default;
  explicit ScriptedModel(const Communicator& ranks) : communicator(ranks) {}

  Communicator communicator;
  Domain domain{communicator};
  RunClock clock;
  ScriptState script;
  Totals totals;
  int new_bodies = 0, deleted_bodies = 0;  ///< since the last frame
  bool running = false;                    ///< inside of RUN
  bool stepping = false;                   ///< inside of a step
};

/// Throws RunError inside of a step, where functions of user forces are called: they make, change
/// and delete nothing, since loops over bodies, loads and joints are under way.
void demand_no_step(const ScriptedModel& model);
/// Throws the same of "X cannot be called" or the like.
[[noreturn]] void fail_in_step(const std::string& what);

/// Adds a body made by the script or by a callback; every rank calls this, and obstacles are kept
/// by all of them, other bodies by rank  id % ranks. In a callback the calling rank keeps it, until
/// all have heard of it (changes.hpp). This and delete_body throw RunError inside of a step, where
/// functions of user forces are called.
BodyId add_body(ScriptedModel& model, Body body);

/// Deletes a body, whichever rank owns it; false when there is none with this id.
bool delete_body(ScriptedModel& model, BodyId id);

/// Rank that keeps a body from the script until it migrates.
int home_of(const ScriptedModel& model, BodyId id);
/// Index of a body that this rank owns, or -1.
int find_here(const ScriptedModel& model, BodyId id);
/// Whether another rank has a body. Wrong only for a number that was never given.
bool lives_elsewhere(const ScriptedModel& model, BodyId id);

/// Position of an owned body (by index) among those of all ranks, in the order of ids.
int position(const ScriptedModel& model, int i);

/// Brings the numbers of bodies and constraints up to date and adds up `flags` over the ranks, in
/// one reduction. Nothing is done on one rank, which asks its stores. Collective; after each step.
void reduce_counts(ScriptedModel& model, std::span<double> flags = {});
/// Brings the energies up to date. As that takes a product with the stiffness of each deformable
/// body it is done where the script may ask only. Nothing is done on one rank. Collective.
void reduce_energy(ScriptedModel& model);

/// Bodies of this rank; obstacles count on the first one only.
std::int64_t owned_bodies(const ScriptedModel& model);

// Numbers and sums over all ranks, not collective.
std::int64_t body_count(const ScriptedModel& model);
std::int64_t constraint_count(const ScriptedModel& model);
/// Nothing when velocities were set that this rank does not know, until the next RUN, and within a
/// step.
std::optional<Energy> total_energy(const ScriptedModel& model);

/// True in a function that the script has given, on one of several ranks: changes are noted down.
bool collects_changes(const ScriptedModel& model);
/// A body made by the function that is being called.
bool is_new(const ScriptedModel& model, BodyId id);

}  // namespace solfec
