// What the functions of a script (CALLBACK, failure callback of a solver) change during a run.
//
// On several ranks such a function may do the same everywhere, or make a change on one rank only:
// it becomes known to all ranks, and is applied by all, when the function has ended everywhere.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "contact/detected_contact.hpp"
#include "core/id_ranges.hpp"
#include "domain/domain.hpp"

namespace solfec {

struct Simulation;
class Solver;

/// What objects of a script hold of a body.
struct BodyHandle {
  BodyId id;
  /// On several ranks, while a script holds the object: the body as it was made (without shape and
  /// loads), wherever it lives. Its state is of use until the first RUN only.
  std::unique_ptr<BodyState> record;
};

/// Labelled bodies of all ranks, on every rank.
class BodyLabels {
 public:
  void add(const std::string& label, std::shared_ptr<BodyHandle> handle) {
    if (!label.empty()) table_.emplace(label, std::move(handle));
  }
  bool knows(const std::string& label, BodyId id) const;
  /// The one with the lowest id that is not gone, or null.
  std::shared_ptr<BodyHandle> find(const std::string& label, const IdRanges& gone) const;
  /// A RUN comes: records that no object of the script holds are not needed any more.
  void drop_records();

 private:
  std::unordered_multimap<std::string, std::shared_ptr<BodyHandle>> table_;
};

/// Contact is off between the pieces that hold two reference points; owners know the pieces.
struct PieceExclusion {
  BodyId body1, body2;
  Vec3 point1, point2;
};

struct Changes {
  /// Bodies made by a callback, in order. Their ids are the last ones given on this rank, and are
  /// changed when several ranks have made bodies of their own.
  struct Made {
    std::string place;  ///< command and script line
    std::string label;
    std::shared_ptr<BodyHandle> handle;
    bool deleted = false;
  };
  std::vector<Made> made;
  std::set<BodyId> obstacles;  ///< whose velocity or characteristics were set
  std::set<BodyId> deleted_bodies;
  std::set<ContactKey> deleted_constraints;
  std::set<std::pair<BodyId, BodyId>> excluded_bodies;
  std::set<std::pair<int, int>> excluded_surfaces;
  std::vector<PieceExclusion> excluded_pieces;
  /// Known to all ranks already, to be resolved by the owners.
  std::vector<PieceExclusion> common_pieces;

  bool empty() const;
};

/// True in a function that the script has given, on one of several ranks: changes are noted down.
bool collects_changes(const Simulation& simulation);
/// A body made by the function that is being called.
bool is_new(const Simulation& simulation, BodyId id);

/// Switch contact off. Reference points of pieces have been checked where their bodies live.
void exclude_bodies(Simulation& simulation, BodyId a, BodyId b);
void exclude_surfaces(Simulation& simulation, int a, int b);
void exclude_pieces(Simulation& simulation, const PieceExclusion& exclusion);
/// Piece of a body (by index) that holds a reference point and touches the body's surface, or -1.
int piece_at(Domain& domain, int body, const Vec3& point);

/// Deletes a contact or joint, whichever rank owns it.
void delete_constraint(Simulation& simulation, const ContactKey& key);
/// Whether a joint prescribes the motion of an obstacle: it makes no row.
bool is_obstacle_joint(const BodyStore& bodies, const ContactKey& key);

/// Applies on all ranks what some have done. Throws RunError on all of them when they contradict
/// each other; with `lenient` the first rank is right. Collective.
void reconcile_changes(Simulation& simulation, bool lenient);

/// Calls a function of the script. On several ranks it is called on each; its changes are
/// reconciled, and what it returns (false: end the run) and an exception are agreed on: an
/// exception on one rank is a RunError on the others.
bool call_script(Simulation& simulation, const Solver& solver, const char* name,
                 const std::function<bool()>& function);

/// Checks at the start of a run, for `duration` seconds, that model and settings are the same on
/// all ranks.
void synchronise_run(Simulation& simulation, const Solver& solver, double duration);

}  // namespace solfec
