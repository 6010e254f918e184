// What the functions of a script (CALLBACK, failure callback of a solver) change during a run, and
// deletions of constraints and exclusions of pieces at any time: the next RUN, PARTITION or
// callback makes them common.
//
// On several ranks such a function may do the same everywhere, or make a change on one rank only:
// it becomes known to all ranks, and is applied by all, when the function has ended everywhere.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "contact/detected_contact.hpp"
#include "domain/domain.hpp"
#include "synchronisation/body_labels.hpp"

namespace solfec {

struct ScriptedModel;

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

/// Switch contact off. Reference points of pieces have been checked where their bodies live.
void exclude_bodies(ScriptedModel& model, BodyId a, BodyId b);
void exclude_surfaces(ScriptedModel& model, int a, int b);
void exclude_pieces(ScriptedModel& model, const PieceExclusion& exclusion);
/// Owners say which pieces hold the points of Changes::common_pieces. Collective.
void resolve_pieces(ScriptedModel& model);
/// Piece of a body (by index) that holds a reference point and touches the body's surface, or -1.
int piece_at(Domain& domain, int body, const Vec3& point);

/// Deletes a contact or joint, whichever rank owns it.
void delete_constraint(ScriptedModel& model, const ContactKey& key);
/// Whether a joint prescribes the motion of an obstacle: it makes no row.
bool is_obstacle_joint(const BodyStore& bodies, const ContactKey& key);

}  // namespace solfec
