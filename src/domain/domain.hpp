// All that is simulated on a rank: bodies, materials, contacts; and the bridge to algebra.
#pragma once

#include <limits>
#include <map>
#include <optional>

#include "body/time_step.hpp"
#include "constraint/constraint_store.hpp"
#include "contact/detection.hpp"
#include "domain/ghosts.hpp"
#include "domain/joint_closure.hpp"
#include "domain/overlap_correction.hpp"
#include "domain/regions.hpp"
#include "domain/shared_rows.hpp"
#include "domain/supports.hpp"

namespace solfec {

/// What is done beyond velocities at contacts: nothing; contacts follow curved surfaces
/// (contact_motion.hpp) and overlap is corrected (overlap_correction.hpp); also, contacts are
/// known before bodies touch, and bound the gap (lookahead.hpp).
enum class ContactCorrection : std::uint8_t { off, on, ahead };

struct Domain {
  Domain() = default;
  explicit Domain(const Communicator& ranks) : communicator(ranks) {}

  Communicator communicator;
  Channel channel{communicator};
  BodyStore bodies;
  BulkMaterials bulk_materials;
  SurfaceMaterials surface_materials;
  ContactExclusions exclusions;
  ConstraintStore constraints;

  std::vector<ForceFunction> user_forces;        ///< by number
  std::vector<SpringFunction> spring_functions;  ///< by number

  // Settings
  Analysis analysis = Analysis::dynamic;
  Gravity gravity;
  DetectionSettings detection_settings;
  bool correct_joints = true;      ///< positions, not velocities only (constraint/joint_kinds.hpp)
  bool eliminate_supports = true;  ///< false: they are rows, too, so that tests can compare
  ContactCorrection contact_correction = ContactCorrection::on;
  DelassusForm delassus_form = DelassusForm::automatic;
  double solver_accuracy = 1e-4;                                            ///< Solver::accuracy
  double unphysical_penetration = std::numeric_limits<double>::infinity();  ///< [m]
  std::optional<Box> extents;  ///< bodies outside of it are deleted

  // Distribution over the ranks
  PartitionSettings partition_settings;
  std::optional<Regions> regions;  ///< none until the first step
  GhostExchange ghosts;
  SharedRows shared_rows;

  // Of the last step
  std::vector<Lookahead> lookahead;  ///< by body, ghosts too; empty unless contacts are known ahead
  double horizon = 0;       ///< from finding contacts to finding them again, if known ahead [s]
  ConstraintPlaces places;  ///< where constraints act on their bodies
  /// Within the step row i belongs to constraint i, afterwards to row_constraints()[i].
  LocalDynamics local_dynamics;
  LocalSolution local_solution;       ///< of that
  std::vector<std::uint8_t> pressed;  ///< by row: a contact that pressed in the step before, too
  /// By row: a contact of bodies that a joint holds together, too, which after `assemble` leaves it
  /// nothing to do (joint_changes.hpp); empty: there is none.
  std::vector<std::uint8_t> jointed;
  std::vector<Vec3> beyond_linear;  ///< by row: what follow_motion has added to B, in space
  std::map<int, std::vector<double>> corrections;  ///< by body: update_correction
  int sparsified = 0;                              ///< contact points dropped

  // Work spaces that keep their memory
  PieceStore pieces;
  ContactDetection detection;
  JointClosure joint_closure;
  Supports supports;
  OverlapCorrection overlap_correction;
  std::vector<int> row_sizes;  ///< by body, 0 for obstacles
};

/// Finds the contacts at the present configuration, places the joints, and finds where each row
/// acts on its bodies; old constraints keep their reactions. `first_step` makes the bonds of
/// cohesive contacts. Throws RunError when an element is so distorted that the point of a row is
/// not found in it: here, since what follows is collective.
void detect_contacts(Domain& domain, bool first_step);

/// Throws RunError when a contact is deeper than the bound of UNPHYSICAL_PENETRATION.
void check_penetration(const Domain& domain, double time);

/// Builds W, B, V and R of a step from bodies and constraints, R turned with the bodies: the only
/// bridge from bodies to algebra, after detect_contacts. Collective, as is apply_reactions. Where
/// all contacts are springs they are not corrected.
void assemble(Domain& domain, const TimeStep& step, ContactLaws laws = ContactLaws::by_model);

/// Makes R the reactions of the bodies. Collective.
void spread_reactions(Domain& domain);

/// Hands R, U and merits back to the constraints and adds the reactions to the bodies; bonds that
/// broke are gone.
void apply_reactions(Domain& domain);

/// Deletes the bodies that lie wholly outside of the extents; returns those of all ranks, ids
/// rising. Collective.
std::vector<BodyId> delete_outside(Domain& domain);

/// Removes bodies (ids rising) and the constraints on them, as far as they are here.
void delete_bodies(Domain& domain, std::span<const BodyId> ids);

/// Keys of the rows of the local dynamics, external ones too.
std::vector<ContactKey> row_keys(const Domain& domain);
/// Their names, for dumps; they do not depend on the ranks.
std::vector<std::string> row_names(const Domain& domain);

/// Box of a body at its present configuration, from its placed pieces and its nodes.
Box body_box(const Domain& domain, int body);

}  // namespace solfec
