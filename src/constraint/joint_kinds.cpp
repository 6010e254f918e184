#include "constraint/joint_kinds.hpp"

#include "body/kinematics.hpp"

namespace solfec {
namespace {

// x1 - x2 of the joined points; x2 of what is not measured yet, in space, is not known.
struct Points {
  Vec3 x1, x2;
};

Points joined_points(const BodyStore& bodies, const Constraint& c, const Joint& joint) {
  const Vec3 own = current_point(bodies, c.holder(), joint.point, c.element[c.owning]);
  const bool anchored = joint.other.valid() || joint.measured || joins_two_points(joint.kind);
  const Vec3 far = joint.other.valid() ? current_point(bodies, c.other(), joint.other_point,
                                                       c.element[1 - c.owning])
                   : anchored          ? joint.other_point
                                       : own;
  return joint.second ? Points{far, own} : Points{own, far};
}

Vec3 normal_of(const BodyStore& bodies, const Constraint& c, const Joint& joint,
               const Points& points) {
  if (follows_line(joint)) {
    const Vec3 apart = points.x1 - points.x2;
    return apart.norm() > 0 ? Vec3(apart.normalized()) : Vec3(Vec3::UnitZ());
  }
  switch (joint.spring.axis) {
    case SpringAxis::body1:
      return turned_axis(joint, bodies.gradient(c.body1));
    case SpringAxis::body2:
      return turned_axis(joint, bodies.gradient(c.body2));
    case SpringAxis::line:
    case SpringAxis::space:
      break;
  }
  return joint.direction;
}

// How much longer a spring is than it was at the start.
double stroke(const Joint& joint, const Mat3& base, const Points& points) {
  const Vec3 apart = points.x1 - points.x2;
  return (follows_line(joint) ? apart.norm() : base.col(2).dot(apart)) - joint.rest;
}

// Local components of the velocity that leaves the joint's velocity over the step to be what it
// prescribes, whatever its position is: the laws of the manual.
Vec3 velocity_target(const Joint& joint, const Vec3& V, const TimeStep& step) {
  if (fixes_point(joint.kind) || fixes_direction(joint.kind)) return -V;
  if (step.dynamic()) return joint_velocity(joint, step.end());
  return (joint_displacement(joint, step.end()) - joint_displacement(joint, step.time)) / step.h;
}

// What the motions of a joint prescribe, in local components; zero of other kinds.
template <class Value>
Vec3 prescribed(const Joint& joint, Value&& value) {
  Vec3 result = Vec3::Zero();
  if (!prescribes_motion(joint.kind)) return result;
  for (int k = 0; k < static_cast<int>(joint.across.size()); k++)
    result[k] = value(joint.across[k].motion);
  result.z() = value(joint.motion);
  return result;
}

bool follows_nodes(const BodyStore& bodies, int i) { return i < 0 || is_meshed(bodies.kind(i)); }

}  // namespace

bool follows_line(const Joint& joint) {
  return joins_two_points(joint.kind) &&
         (binds(joint.kind) || joint.spring.axis == SpringAxis::line);
}

Mat3 joint_base(const Joint& joint, const Vec3& normal) {
  if (joint.across.empty()) return constraint_base(joint.kind, normal);
  return constraint_base(joint.kind, normal, joint.across[0].direction);
}

void place_joint(const BodyStore& bodies, Constraint& c, const Joint& joint) {
  if (joint.other.valid() && c.element[1 - c.owning] < 0)  // the other body was not here before
    c.element[1 - c.owning] = element_at(bodies[c.other()], joint.other_point);
  const Points points = joined_points(bodies, c, joint);
  c.set_base(joint_base(joint, normal_of(bodies, c, joint, points)));
  c.point = points.x1;
  if (fixes_point(joint.kind) && joint.other.valid()) {
    // Both bodies take the reaction at one point.
    c.point = 0.5 * (points.x1 + points.x2);
  } else if (joint.other.valid() || joins_two_points(joint.kind)) {
    c.arm = points.x1 - points.x2;
  }
}

void measure(Joint& joint, const Vec3& x1, const Vec3& x2, const Vec3& axis) {
  joint.measured = true;
  if (follows_line(joint))
    joint.rest = (x1 - x2).norm();
  else if (binds(joint.kind) && !joint.other.valid())
    joint.other_point = x1;
  else if (!binds(joint.kind) || fixes_direction(joint.kind))
    joint.rest = axis.dot(x1 - x2);
}

void measure(const BodyStore& bodies, const Constraint& c, Joint& joint) {
  const Points points = joined_points(bodies, c, joint);
  measure(joint, points.x1, points.x2, c.normal);
}

Vec3 joint_displacement(const Joint& joint, double time) {
  return prescribed(joint, [&](const Motion& motion) { return motion.displacement(time); });
}

Vec3 joint_velocity(const Joint& joint, double time) {
  return prescribed(joint, [&](const Motion& motion) { return motion.velocity(time); });
}

Vec3 joint_gap(const BodyStore& bodies, const Constraint& c, const Joint& joint,
               const Vec3& displacement, double time) {
  const Points points = joined_points(bodies, c, joint);
  const Vec3 apart = points.x1 - points.x2 + displacement;
  if (keeps_length(joint.kind)) return {0, 0, apart.norm() - joint.rest};
  Vec3 gap = c.base().transpose() * apart;
  if (fixes_direction(joint.kind)) gap.z() -= joint.rest;
  if (prescribes_motion(joint.kind))
    gap -= joint_displacement(joint, time) - joint_displacement(joint, joint.start);
  return gap;
}

bool closes_exactly(const BodyStore& bodies, const Constraint& joint) {
  if (!binds(joint.kind)) return false;
  const bool linear = fixes_point(joint.kind) || fixes_direction(joint.kind);
  return !linear || !follows_nodes(bodies, joint.body1) || !follows_nodes(bodies, joint.body2);
}

RowLaw joint_law(const BodyStore& bodies, const Constraint& c, const Joint& joint, const Vec3& V,
                 const TimeStep& step, bool correct) {
  RowLaw law;
  law.remaining = step.remaining();
  if (!binds(joint.kind)) {
    law.kind = LawKind::spring;
    law.gap = stroke(joint, c.base(), joined_points(bodies, c, joint));
    law.low = (joint.spring.low - law.gap) / step.h;
    law.high = (joint.spring.high - law.gap) / step.h;
    return law;
  }
  if (keeps_length(joint.kind)) {
    law.kind = LawKind::rigid_link;
    law.span = c.arm.norm();
    law.length = joint.rest;
    return law;
  }
  law.kind = binds_all_directions(joint.kind) ? LawKind::fixed_point : LawKind::fixed_direction;
  if (correct) {
    // Without impulses at the ends of the step the gap is to be zero in the middle of the next one.
    const double time = closes_exactly(bodies, c) ? law.remaining : step.h;
    law.target = -joint_gap(bodies, c, joint, Vec3::Zero(), step.end()) / time;
  } else {
    law.target = velocity_target(joint, V, step);
  }
  if (law.kind == LawKind::fixed_direction) law.target.head<2>().setZero();
  return law;
}

// A fixed point breaks under its whole force, a link in tension.
bool breaks(const Constraint& c, const Joint& joint) {
  if (fixes_point(c.kind)) return c.R.norm() > joint.strength;
  return keeps_length(c.kind) && -c.R.z() > joint.strength;
}

}  // namespace solfec
