// All that is simulated on a rank: bodies, materials, contacts; and the bridge to algebra.
#pragma once

#include <limits>
#include <optional>

#include "constraint/contact_store.hpp"
#include "contact/detection.hpp"
#include "local_dynamics/local_dynamics.hpp"
#include "parallel/partitioner.hpp"

namespace solfec {

struct Domain {
  BodyStore bodies;
  BulkMaterials bulk_materials;
  SurfaceMaterials surface_materials;
  ContactExclusions exclusions;
  ContactStore contacts;

  // Settings
  Gravity gravity;
  DetectionSettings detection_settings;
  DelassusForm delassus_form = DelassusForm::automatic;
  double unphysical_penetration = std::numeric_limits<double>::infinity();  ///< [m]
  std::optional<Box> extents;  ///< bodies outside of it are deleted
  PartitionSettings partition_settings;

  // Of the last step
  LocalDynamics local_dynamics;  ///< row i belongs to contact i
  int sparsified = 0;            ///< contact points dropped
  std::vector<BodyId> departed;  ///< bodies that delete_outside has deleted on this rank

  // Work spaces that keep their memory
  PieceStore pieces;
  ContactDetection detection;
  std::vector<int> freedoms;  ///< by body, 0 for obstacles
};

/// Finds the contacts at the present configuration; old ones keep their reactions. `first_step`
/// makes the bonds of cohesive contacts.
void detect_contacts(Domain& domain, bool first_step);

/// Throws RunError when a contact is deeper than the bound of UNPHYSICAL_PENETRATION.
void check_penetration(const Domain& domain, double time);

/// Builds W, B, V and R from bodies and contacts, the only bridge from bodies to algebra.
void assemble(Domain& domain, double h);

/// Hands R, U and merits back to the contacts and adds the reactions to the bodies; bonds that
/// broke are gone.
void apply_reactions(Domain& domain);

/// Deletes the bodies that lie wholly outside of the extents; returns how many.
int delete_outside(Domain& domain);

/// Removes marked bodies and the contacts on them.
void delete_bodies(Domain& domain, const std::vector<bool>& marked);

/// Rank-independent names of the contacts, for dumps.
std::vector<std::string> contact_names(const Domain& domain);

/// Box of a body at its present configuration, from its placed pieces.
Box body_box(const PieceStore& pieces, int body);

}  // namespace solfec
