#include "domain/joints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "body/integration.hpp"
#include "body/kinematics.hpp"
#include "core/error.hpp"
#include "domain/conserving_contacts.hpp"
#include "parallel/collective_errors.hpp"

namespace solfec {
namespace {

Constraint constraint_of(const BodyStore& bodies, int i, const Joint& joint) {
  Constraint c;
  c.kind = joint.kind;
  c.key = joint_key(bodies.id(i), joint);
  c.owning = joint.second ? 1 : 0;
  c.body1 = bodies.find(c.key.body1);
  c.body2 = bodies.find(c.key.body2);
  const int j = c.other();
  c.element[c.owning] = element_at(bodies[i], joint.point);
  if (j >= 0) c.element[1 - c.owning] = element_at(bodies[j], joint.other_point);
  if (joint.other.valid() && (j < 0 || bodies.is_ghost(j) || !joint.measured))
    c.partner_rank = Constraint::kUnknown;
  c.set_base(joint_base(joint, joint.direction));
  c.point = current_point(bodies, i, joint.point, c.element[c.owning]);
  if (!joint.other.valid() || j >= 0) place_joint(bodies, c, joint);
  return c;
}

void forget_joint(BodyStore& bodies, const Constraint& c) {
  Body& body = bodies[bodies.find(c.owning_body())];
  std::erase_if(body.joints, [&](const Joint& j) { return j.number == c.key.feature2; });
  body.changes++;
}

Joint* find_joint(BodyStore& bodies, const Constraint& c) {
  return const_cast<Joint*>(find_joint(std::as_const(bodies), c));
}

// Points that coincide but for less than a tolerance become one, of the body whose points may lie
// anywhere: two pins of a hinge whose distances differ by that much would contradict each other.
void join_points(const Domain& domain, const Constraint& c, Joint& joint) {
  const BodyStore& bodies = domain.bodies;
  const int i = c.holder(), j = c.other();
  const Vec3 own = current_point(bodies, i, joint.point, c.element[c.owning]),
             other = current_point(bodies, j, joint.other_point, c.element[1 - c.owning]);
  if (own == other || !((own - other).norm() < domain.detection_settings.epsilon)) return;
  if (!is_meshed(bodies.kind(j)))
    joint.other_point = bodies[j].reference.center + material_offset(bodies, j, own);
  else if (!is_meshed(bodies.kind(i)))
    joint.point = bodies[i].reference.center + material_offset(bodies, i, other);
}

}  // namespace

bool has_joints(const Domain& domain) {
  return std::ranges::any_of(domain.constraints.all(),
                             [](const Constraint& c) { return !c.is_contact() && !c.eliminated; });
}

Joint& settled_joint(Domain& domain, Constraint& c) {
  Joint& joint = *find_joint(domain.bodies, c);
  if (joint.measured) return joint;
  place_joint(domain.bodies, c, joint);
  const bool coincide = c.arm.norm() < domain.detection_settings.epsilon;
  if (coincide && follows_line(joint) && !binds(joint.kind))
    throw RunError(
        fmt::format("PUT_SPRING: the points of a spring of {} coincide: a spring between them "
                    "needs a direction",
                    domain.bodies.name(c.holder())));
  if (coincide && keeps_length(joint.kind)) {
    joint.kind = c.kind = kLinkOfNoLength;
    c.arm.setZero();
  }
  if (fixes_point(joint.kind) && joint.other.valid()) join_points(domain, c, joint);
  place_joint(domain.bodies, c, joint);
  measure(domain.bodies, c, joint);
  domain.bodies[c.holder()].changes++;
  return joint;
}

void refresh_ghosts(Domain& domain, const BodyBounds& all) {
  std::vector<int> rows;
  const std::vector<Constraint>& constraints = domain.constraints.all();
  for (std::size_t row = 0; row < constraints.size(); row++)
    if (!constraints[row].is_contact() && constraints[row].partner_rank == Constraint::kUnknown)
      rows.push_back(static_cast<int>(row));
  domain.ghosts.refresh(domain, all);
  if (!all.unknown_partner) return;
  domain.constraints.locate(domain.bodies);
  collectively(domain.communicator, [&] {
    for (const int row : rows) {
      Constraint& c = domain.constraints.all()[row];
      if (find_joint(domain.bodies, c)) place_joint(domain.bodies, c, settled_joint(domain, c));
    }
  });
}

void settle_new_joints(Domain& domain) {
  if (domain.communicator.size() == 1) return;
  const BodyBounds own = body_bounds(domain);
  std::array<double, 3> most = {own.size, own.ratio, own.unknown_partner ? 1.0 : 0.0};
  domain.communicator.max_all(most);
  if (most[2] == 0) return;
  domain.lookahead.resize(domain.bodies.owned());
  refresh_ghosts(domain, {most[0], most[1], 0, true, true});
}

ContactKey joint_key(BodyId holder, const Joint& joint) {
  const BodyId first = joint.second ? joint.other : holder,
               second = joint.second ? holder : joint.other;
  return {first, second, kJointFeature, joint.number, 0};
}

const Joint* find_joint(const BodyStore& bodies, const Constraint& c) {
  const std::vector<Joint>& joints = bodies[bodies.find(c.owning_body())].joints;
  const auto found = std::ranges::find(joints, c.key.feature2, &Joint::number);
  return found != joints.end() ? &*found : nullptr;
}

std::uint32_t add_joint(Domain& domain, int i, Joint joint) {
  return add_joints(domain, i, {std::move(joint)}).front();
}

std::vector<std::uint32_t> add_joints(Domain& domain, int i, std::vector<Joint> joints) {
  Body& body = domain.bodies[i];
  std::set<std::uint32_t> taken;
  for (const Joint& joint : body.joints) taken.insert(joint.number);
  std::vector<std::uint32_t> numbers;
  std::vector<Constraint> constraints;
  for (Joint& joint : joints) {
    while (!taken.insert(joint.number).second) joint.number++;
    numbers.push_back(joint.number);
    if (!is_obstacle(body.kind)) constraints.push_back(constraint_of(domain.bodies, i, joint));
    body.joints.push_back(std::move(joint));
  }
  body.changes++;
  domain.constraints.insert(std::move(constraints));
  return numbers;
}

void make_joint_constraints(Domain& domain) {
  const BodyStore& bodies = domain.bodies;
  std::vector<Constraint> missing;
  for (int i = 0; i < bodies.owned(); i++)
    if (!is_obstacle(bodies.kind(i)))
      for (const Joint& joint : bodies[i].joints)
        if (domain.constraints.find(joint_key(bodies.id(i), joint)) < 0)
          missing.push_back(constraint_of(bodies, i, joint));
  domain.constraints.insert(std::move(missing));
}

void remove_constraint(Domain& domain, const ContactKey& key) {
  if (const int row = domain.constraints.find(key); row >= 0) domain.constraints.remove(row);
  if (!is_joint(key)) return;
  for (BodyId id : {key.body1, key.body2}) {
    const int i = domain.bodies.find(id);
    if (i < 0 || domain.bodies.is_ghost(i)) continue;
    Body& body = domain.bodies[i];
    const auto is_it = [&](const Joint& joint) { return joint_key(id, joint) == key; };
    if (std::erase_if(body.joints, is_it) == 0) continue;
    body.changes++;
    return;
  }
}

void remove_joints_with(Domain& domain, std::span<const BodyId> ids) {
  for (const Constraint& c : domain.constraints.all())
    if (!c.is_contact() && std::ranges::binary_search(ids, c.other_body()))
      forget_joint(domain.bodies, c);
}

void update_joints(Domain& domain) {
  BodyStore& bodies = domain.bodies;
  std::vector<int> broken;
  for (const int row : domain.constraints.joint_rows()) {
    Constraint& c = domain.constraints.all()[row];
    const Joint* joint = find_joint(std::as_const(bodies), c);
    if (joint && !breaks(c, *joint)) {
      if (!joint->measured) settled_joint(domain, c);
      const Vec3 R = c.base() * c.R;
      place_joint(bodies, c, *joint);
      c.R = c.base().transpose() * R;
      if (!binds_all_directions(c.kind)) c.R.head<2>().setZero();
      continue;
    }
    if (joint) forget_joint(bodies, c);
    broken.push_back(row);
  }
  domain.constraints.remove_joints(broken);
}

double follow_motion(Domain& domain, const TimeStep& step) {
  const BodyStore& bodies = domain.bodies;
  LocalDynamics& p = domain.local_dynamics;
  std::vector<Vec3>& beyond = domain.beyond_linear;
  beyond.resize(p.law.size(), Vec3::Zero());
  spread_reactions(domain);
  std::vector<int> jointed;
  for_each_jointed_body(domain, [&](int i) { jointed.push_back(i); });
  update_corrections(domain, step, std::move(jointed));
  const auto is_jointed = [&](int row) {
    return !domain.jointed.empty() && domain.jointed[row] && p.law[row].has_friction_cone();
  };
  double speed = 0;
  const std::vector<Vec3> now = relative(
      bodies, {domain.constraints.all(), domain.places}, domain.shared_rows, domain.channel,
      [&](const ContactKey& key, int row) { return is_joint(key) || row < 0 || is_jointed(row); },
      [&](int i, const Place& place) {
        speed = std::max(speed, velocity_at(bodies, i, place, bodies.b(i)).norm());
        const auto found = domain.corrections.find(i);
        std::span<const double> correction;
        if (found != domain.corrections.end()) correction = found->second;
        return velocity_beyond_linear(bodies, i, place, step, correction);
      });
  for (int row = 0; row < p.rows(); row++) {
    const Constraint& c = domain.constraints.all()[row];
    if (!(c.is_contact() ? is_jointed(row) : binds(c.kind))) continue;
    if (!now[row].allFinite()) {  // RIG_IMP or DEF_IMP has no solution
      speed = std::numeric_limits<double>::infinity();
      continue;
    }
    p.B[row] += c.base().transpose() * (now[row] - beyond[row]);
    beyond[row] = now[row];
  }
  return domain.communicator.max(speed);
}

void forget_motion(Domain& domain) {
  LocalDynamics& p = domain.local_dynamics;
  for (std::size_t row = 0; row < domain.beyond_linear.size(); row++) {
    const Vec3 part = domain.constraints.all()[row].base().transpose() * domain.beyond_linear[row];
    p.B[row] -= part;
    domain.local_solution.U[row] -= part;
    // So do targets that were set with it (JointClosure::middle).
    RowLaw& law = p.law[row];
    if (law.kind == LawKind::fixed_point || law.has_friction_cone())
      law.target -= part;
    else if (law.kind == LawKind::fixed_direction)
      law.target.z() -= part.z();
  }
  domain.beyond_linear.clear();
}

void evaluate_springs(Domain& domain) {
  LocalDynamics& p = domain.local_dynamics;
  for (int row = 0; row < p.rows(); row++) {
    RowLaw& law = p.law[row];
    if (law.kind != LawKind::spring) continue;
    const Joint& joint = *find_joint(domain.bodies, domain.constraints.all()[row]);
    law.force = domain.spring_functions.at(joint.spring.function)(law.gap, p.V[row].z());
  }
}

}  // namespace solfec
