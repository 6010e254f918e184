// Joints in the domain: the body that holds a joint keeps its definition (body/joint.hpp), the
// domain of its owner keeps one constraint for it, which makes one row of the local dynamics
// (constraint/joint_kinds.hpp).
#pragma once

#include "constraint/joint_kinds.hpp"
#include "domain/domain.hpp"

namespace solfec {

/// Name of a joint's constraint.
ContactKey joint_key(BodyId holder, const Joint& joint);

/// The joint behind a constraint whose owning body is here; null when it is gone.
const Joint* find_joint(const BodyStore& bodies, const Constraint& constraint);

/// Adds a joint to an owned body, its constraint too, unless the body is an obstacle (a joint then
/// prescribes its motion). Returns its number, which is the next free one.
std::uint32_t add_joint(Domain& domain, int body, Joint joint);

/// The same for several joints. Returns their numbers.
std::vector<std::uint32_t> add_joints(Domain& domain, int body, std::vector<Joint> joints);

/// Makes the constraints of all joints that have none.
void make_joint_constraints(Domain& domain);

/// Removes a contact, or a joint of an owned body with its constraint.
void remove_constraint(Domain& domain, const ContactKey& key);

/// Forgets the joints of owned bodies with others (ids rising), which are gone; their constraints
/// are left to ConstraintStore::remove_bodies.
void remove_joints_with(Domain& domain, std::span<const BodyId> ids);

/// After an update of the constraints: removes the joints whose strength the reaction of the last
/// step has exceeded, and constraints whose joints are gone, and places the others at the present
/// configuration.
void update_joints(Domain& domain);

/// Whether a constraint of this rank is a joint, and a row in the next step.
bool has_joints(const Domain& domain);

/// The joint behind a constraint, both bodies of which are known here. The first time it is placed
/// and measured; a link of points that coincide is a fixed point from then on.
Joint& settled_joint(Domain& domain, Constraint& constraint);

/// GhostExchange::refresh; settles the joints that are new with bodies of other ranks. Collective.
void refresh_ghosts(Domain& domain, const BodyBounds& all);

/// Between steps, where there are such joints on some rank; else only asks. Collective.
void settle_new_joints(Domain& domain);

/// Sums over both sides of each row of part(body, place), of the second side with the other sign;
/// zero where which(key, row) is false. Contacts of other ranks have row -1. Collective.
template <class Which, class Part>
std::vector<Vec3> relative(const BodyStore& bodies, const PlacedRows& rows,
                           const SharedRows& shared, Channel& channel, const Which& which,
                           const Part& part) {
  std::vector<Vec3> result = shared.collect(channel, [&](const SharedRows::RemoteContact& remote) {
    if (!which(remote.key, -1)) return Vec3(Vec3::Zero());
    const Vec3 value = part(remote.body, remote.place);
    return remote.side == 0 ? value : Vec3(-value);
  });
  for (std::size_t row = 0; row < rows.constraints.size(); row++) {
    const Constraint& c = rows.constraints[row];
    if (!which(c.key, static_cast<int>(row))) continue;
    for (int side : {0, 1}) {
      const int i = c.body(side);
      if (i < 0 || bodies.is_ghost(i)) continue;
      const Vec3 value = part(i, rows.place(row, side));
      result[row] += side == 0 ? value : Vec3(-value);
    }
  }
  return result;
}

/// Rotations are not linear in velocities, nor velocities of DEF_IMP in reactions: adds to B of the
/// joints' rows what they make of U under the present R. Returns the largest speed of the joints'
/// points; infinity where a body cannot move so. Collective.
double follow_motion(Domain& domain, const TimeStep& step);
/// Takes that out of B, and out of U, again.
void forget_motion(Domain& domain);

/// Asks the functions of the script for the forces of the springs in the local dynamics; not
/// collective, and may throw what those throw.
void evaluate_springs(Domain& domain);

/// Visits the bodies here that joints hold, once for each end of a joint; after
/// SharedRows::request.
template <class Visit>
void for_each_jointed_body(const Domain& domain, const Visit& visit) {
  for (const int row : domain.constraints.joint_rows())
    for (const int side : {0, 1})
      if (const int i = domain.constraints.all()[row].body(side);
          i >= 0 && !domain.bodies.is_ghost(i))
        visit(i);
  for (const SharedRows::RemoteContact& remote : domain.shared_rows.remote_contacts())
    if (is_joint(remote.key)) visit(remote.body);
}

}  // namespace solfec
