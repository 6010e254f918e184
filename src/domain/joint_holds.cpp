#include "domain/joint_holds.hpp"

#include "domain/joints.hpp"
#include "parallel/collective_errors.hpp"
#include "parallel/outbox.hpp"

namespace solfec {
namespace {

bool is_corotated(const BodyStore& bodies, int i) {
  return is_meshed(bodies.kind(i)) && bodies[i].form == Form::body_corotational;
}

// One side of a joint.
struct Grip {
  BodyId body, neighbour;
  Vec3 point;
  int element = -1;
  Mat3 base;
  bool all = false;  // directions; N else
};
template <class Archive>
void visit_fields(Archive& archive, Grip& g) {
  archive(g.body, g.neighbour, g.point, g.element, g.base, g.all);
}

Grip grip(const BodyStore& bodies, const Constraint& joint, int side) {
  const int other = joint.body(1 - side);
  const bool still = other < 0 || is_obstacle(bodies.kind(other));
  return {bodies.id(joint.body(side)),
          still ? BodyId() : bodies.id(other),
          joint.point_of(side),
          joint.element[side],
          joint.base(),
          binds_all_directions(joint.kind)};
}

void add(BodyStore& bodies, const Grip& g) {
  const int i = bodies.find(g.body);
  const Vec3 point = material_offset(bodies, i, place_at(bodies, i, g.point, g.element));
  const Mat3 axes = bodies.gradient(i).transpose() * g.base;
  for (int k = g.all ? 0 : 2; k < 3; k++) bodies.holds.add(i, {g.neighbour, point, axes.col(k)});
}

// The holds of one joint: those of a ghost are for its owner.
void take(Domain& domain, Constraint& c, Outbox& outbox) {
  BodyStore& bodies = domain.bodies;
  if (!binds(c.kind)) return;
  const Joint* joint = find_joint(bodies, c);
  if (!joint) return;  // update_joints drops it
  place_joint(bodies, c, *joint);
  for (int side : {0, 1}) {
    const int i = c.body(side);
    if (i < 0 || !is_corotated(bodies, i)) continue;
    if (bodies.is_ghost(i))
      outbox.to(bodies.owner(i))(grip(bodies, c, side));
    else
      add(bodies, grip(bodies, c, side));
  }
}

}  // namespace

bool has_corotated_bodies(const BodyStore& bodies) {
  for (int i = 0; i < bodies.owned(); i++)
    if (is_corotated(bodies, i)) return true;
  return false;
}

void find_holds(Domain& domain) {
  BodyStore& bodies = domain.bodies;
  bodies.holds.clear();
  domain.constraints.locate(bodies);
  Outbox outbox;
  Attempt attempt;
  attempt([&] {
    for (Constraint& c : domain.constraints.all()) take(domain, c, outbox);
  });
  if (domain.communicator.size() > 1)
    for (const Message& message : domain.communicator.exchange(outbox.take()))
      attempt([&] {
        ArchiveReader reader(message.data);
        while (!reader.done()) add(bodies, reader.get<Grip>());
      });
  attempt.agree(domain.communicator);
}

}  // namespace solfec
