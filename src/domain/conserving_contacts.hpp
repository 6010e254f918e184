// Velocities of bodies by DEF_IMP are not linear in reactions. What the points of their contacts
// have beyond the linear problem is added to its B, and the solver asked once more, in turns: were
// the laws met by velocities of the linear problem alone, an elastic impact would change the energy
// by half of R times what is left out.
#pragma once

#include <vector>

#include "domain/domain.hpp"

namespace solfec {

/// Whether this rank owns a body by DEF_IMP that moves freely.
bool has_conserving_bodies(const BodyStore& bodies, const TimeStep& step);

/// What bodies by DEF_IMP have, under the reactions spread over them, beyond the linear problem
/// (Domain::corrections): of those of the bodies given that are such, and owned here.
void update_corrections(Domain& domain, const TimeStep& step, std::vector<int> bodies);

/// Of one step.
class ConservingContacts {
 public:
  /// Adds it, under the present R, to B of contacts; those beside joints have it from
  /// follow_motion. False when next to nothing has changed, or a body has no motion with these R.
  /// Collective.
  bool follow(Domain& domain, const TimeStep& step);
  /// Takes it out of B again, which is that of the linear problem; U stays that of the bodies.
  void forget(Domain& domain) const;

 private:
  std::vector<Vec3> beyond_;  // by row: what has been added, in space
};

}  // namespace solfec
