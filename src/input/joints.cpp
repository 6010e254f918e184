// The commands that make joints.
#include "domain/joints.hpp"

#include <fmt/format.h>

#include <optional>

#include "body/kinematics.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {
namespace {

// Where a reference point is now, on ranks that know.
std::optional<Vec3> point_now(const BodyObject& body, const std::string& where, const Vec3& X) {
  const Simulation& s = *body.simulation;
  if (const int i = body_index(body, where); i >= 0) return current_point(s.domain.bodies, i, X);
  const auto& record = body.handle->record;
  if (!record || s.runs > 0 || s.state_replaced) return std::nullopt;
  BodyStore alone;
  alone.insert({*record});
  return current_point(alone, 0, X);
}

// Where a point of a body (null: space) is; where it was made on a rank that does not know, and in
// results.
Vec3 position(const BodyObject* body, const Value& value, const Vec3& point) {
  if (!body || shows_results(*body->simulation)) return point;
  return point_now(*body, value.where(), point).value_or(point);
}

// Obstacles are known on all ranks.
bool is_obstacle(const BodyObject& body, const std::string& where) {
  const Body* record = body_record(body, where);
  return record && record->kind == BodyKind::obstacle;
}

void check_moves(const Value& value, const BodyObject& body) {
  if (is_obstacle(body, value.where()))
    value.fail_value_saying(
        "an OBSTACLE is moved by SET_DISPLACEMENT, SET_VELOCITY and SET_ACCELERATION only");
}

double strength_of(const Arguments& a) {
  return a["strength"].given() ? a["strength"].positive() : std::numeric_limits<double>::infinity();
}

// A name that ranks agree on without asking each other, and that is the same when results are read:
// from what the script says of the joint. Whether a link is a fixed point depends on the state.
std::uint32_t number_of(const Joint& joint) {
  const bool link = joint.kind == ConstraintKind::rigid_link;
  const std::uint64_t print =
      fingerprint_of(link ? ConstraintKind::fixed_point : joint.kind, joint.second, joint.point,
                     joint.other_point, joint.direction, joint.motion, joint.strength);
  return static_cast<std::uint32_t>(print ^ (print >> 32));
}

// Results are shown in which the body is not.
bool is_not_shown(const BodyObject* body) {
  return body && shows_results(*body->simulation) && find_here(*body->simulation, body->id()) < 0 &&
         !lives_elsewhere(*body->simulation, body->id());
}

// A joint that `holder` holds, its points and law given; `other` is null for space.
struct Request {
  const BodyObject& holder;
  std::string where;  // of the holder, for messages
  const BodyObject* other;
  Joint joint;
};

py::object hold(const Arguments& a, Request request) {
  const BodyObject& holder = request.holder;
  const BodyObject* other = request.other;
  Simulation& s = *holder.simulation;
  demand_no_step(s);
  Joint& joint = request.joint;
  joint.number = number_of(joint);
  ConstraintObject object{holder.simulation, {{}, {}, kJointFeature, joint.number, 0}};
  (joint.second ? object.body2 : object.body1) = holder.handle;
  if (other) (joint.second ? object.body1 : object.body2) = other->handle;
  if (shows_results(s)) return py::cast(object);
  joint.start = s.time;
  if (other) joint.other = other->id();
  const auto own = point_now(holder, request.where, joint.point);
  const auto far = other ? point_now(*other, request.where, joint.other_point)
                         : std::optional<Vec3>(joint.other_point);
  if (own && far) measure(joint, joint.second ? *far : *own, joint.second ? *own : *far);
  // A body that is made in the callback may have another number on other ranks.
  const bool numbered = !other || !is_new(s, other->id());
  const std::uint64_t what = fingerprint_of(joint.number, numbered ? joint.other : BodyId());
  change_body(holder, request.where, a.command(), what, [&](BodyStore& bodies, int i) {
    if (&bodies == &s.domain.bodies) object.name.feature2 = add_joint(s.domain, i, joint);
  });
  return py::cast(object);
}

py::object fix_point(const Arguments& a) {
  const BodyObject& body = body_of(a["body"]);
  Joint joint;
  joint.kind = ConstraintKind::fixed_point;
  joint.point = point_of(a["point"], body);
  joint.strength = strength_of(a);
  if (is_not_shown(&body)) return py::none();
  check_moves(a["body"], body);
  return hold(a, {body, a["body"].where(), nullptr, joint});
}

// The two bodies of a joint, of which the first one that moves holds it.
struct Pair {
  const BodyObject *first, *second;
  bool swapped;  // the second one holds it

  const BodyObject& holder() const { return swapped ? *second : *first; }
  const BodyObject* other() const { return swapped ? first : second; }
};

Pair pair_of(const Value& value1, const BodyObject* one, const Value& value2,
             const BodyObject* two) {
  if (one && two) {
    if (one->simulation != two->simulation)
      value2.fail_value_saying("the two bodies belong to different SOLFEC objects");
    if (one->id() == two->id()) value2.fail_value_saying("the two bodies are one and the same");
  }
  const bool first_moves = one && !is_obstacle(*one, value1.where());
  const bool second_moves = two && !is_obstacle(*two, value2.where());
  if (!first_moves && !second_moves)
    value1.fail_value_saying("one of the two must be a BODY that moves, not an OBSTACLE or None");
  return {one, two, !first_moves};
}

py::object fix_direction(const Arguments& a) {
  const BodyObject& body = body_of(a["body"]);
  Joint joint;
  joint.kind = ConstraintKind::fixed_direction;
  const Vec3 point = point_of(a["point"], body);
  joint.direction = a["direction"].direction();
  if (a["body2"].given() != a["point2"].given())
    a["point2"].fail_value_saying("body2 and point2 are given together, or none of them");
  if (!a["body2"].given()) {
    joint.point = point;
    if (is_not_shown(&body)) return py::none();
    check_moves(a["body"], body);
    return hold(a, {body, a["body"].where(), nullptr, joint});
  }
  const BodyObject& body2 = body_of(a["body2"]);
  const Vec3 point2 = point_of(a["point2"], body2);
  if (is_not_shown(&body) || is_not_shown(&body2)) return py::none();
  const Pair pair = pair_of(a["body"], &body, a["body2"], &body2);
  joint.second = pair.swapped;
  joint.point = pair.swapped ? point2 : point;
  joint.other_point = pair.swapped ? point : point2;
  return hold(a, {pair.holder(), a["body"].where(), pair.other(), joint});
}

py::object set_motion(const Arguments& a, Motion::Given given, const Value& series) {
  const BodyObject& body = body_of(a["body"]);
  Joint joint;
  joint.kind = ConstraintKind::prescribed_motion;
  joint.point = point_of(a["point"], body);
  joint.direction = a["direction"].direction();
  if (given == Motion::Given::displacement) series.instance<TimeSeriesObject>("TIME_SERIES");
  joint.motion = Motion(given, series_of(series));
  if (is_not_shown(&body)) return py::none();
  return hold(a, {body, a["body"].where(), nullptr, joint});
}

py::object put_rigid_link(const Arguments& a) {
  const Value value1 = a["body1"], value2 = a["body2"];
  const BodyObject* one = value1.given() ? &body_of(value1) : nullptr;
  const BodyObject* two = value2.given() ? &body_of(value2) : nullptr;
  const auto point = [](const Value& value, const BodyObject* on) {
    return on ? point_of(value, *on) : value.vector();
  };
  const Vec3 point1 = point(a["point1"], one), point2 = point(a["point2"], two);
  Joint joint;
  joint.strength = strength_of(a);
  if (!one && !two) value1.fail_value_saying("one of the two must be a BODY");
  Simulation& s = *(one ? one : two)->simulation;
  if (is_not_shown(one) || is_not_shown(two)) return py::none();
  const Pair pair = pair_of(value1, one, value2, two);
  const Vec3 apart = position(one, value1, point1) - position(two, value2, point2);
  joint.kind = apart.norm() >= s.domain.detection_settings.epsilon ? ConstraintKind::rigid_link
                                                                   : ConstraintKind::fixed_point;
  // Space is always second: a link does not know which end is which.
  joint.second = pair.swapped && pair.other();
  joint.point = pair.swapped ? point2 : point1;
  joint.other_point = pair.swapped ? point1 : point2;
  return hold(a, {pair.holder(), (pair.swapped ? value2 : value1).where(), pair.other(), joint});
}

}  // namespace

void define_joints(Commands& commands) {
  commands.add("FIX_POINT", "body, point | strength",
               R"(Fixes a point of a body in space, where it is now.

body      BODY object, no OBSTACLE
point     referential point (x, y, z) [m]
strength  the joint breaks when |R| exceeds it (default: never) [N]

Returns a CONSTRAINT object of kind 'FIXPNT'.)",
               fix_point);

  commands.add(
      "FIX_DIRECTION", "body, point, direction | body2, point2",
      R"(Fixes a point of a body along one direction in space, or relative to a point of another body.

body       BODY object; an OBSTACLE only together with a body2 that moves
point      referential point (x, y, z) [m]
direction  (dx, dy, dz), of non-zero length, normalised; it stays as it is in space
body2      another BODY object (default: the point is fixed to space)
point2     its referential point [m]

The distance of the points along the direction stays what it is now. Returns a CONSTRAINT object of kind
'FIXDIR'.)",
      fix_direction);

  const char* motion = R"(
body       BODY object; of an OBSTACLE the whole body follows, whatever the point
point      referential point (x, y, z) [m]
direction  (dx, dy, dz), of non-zero length, normalised; it stays as it is in space
)";
  const char* end = R"(
The point goes, along the direction, the way that the series describes from now on; across the direction it
is free. Motions that are prescribed to an OBSTACLE add up with each other and with its INITIAL_VELOCITY.
Returns a CONSTRAINT object of kind 'VELODIR'; that of an OBSTACLE has no reaction.)";
  commands.add(
      "SET_DISPLACEMENT", "body, point, direction, tms",
      fmt::format("Prescribes the displacement of a point of a body.\n{}"
                  "tms        TIME_SERIES object [m]\n{}",
                  motion, end)
          .c_str(),
      [](const Arguments& a) { return set_motion(a, Motion::Given::displacement, a["tms"]); });
  commands.add(
      "SET_VELOCITY", "body, point, direction, value",
      fmt::format("Prescribes the velocity of a point of a body.\n{}"
                  "value      number or TIME_SERIES object [m/s]\n{}",
                  motion, end)
          .c_str(),
      [](const Arguments& a) { return set_motion(a, Motion::Given::velocity, a["value"]); });
  commands.add(
      "SET_ACCELERATION", "body, point, direction, tms",
      fmt::format("Prescribes the acceleration of a point of a body.\n{}"
                  "tms        number or TIME_SERIES object [m/s^2]; the velocity is its "
                  "integral, zero at the first time\n{}",
                  motion, end)
          .c_str(),
      [](const Arguments& a) { return set_motion(a, Motion::Given::acceleration, a["tms"]); });

  commands.add(
      "PUT_RIGID_LINK", "body1, body2, point1, point2 | strength",
      R"(Keeps the distance between a point of a body and a point of another body or of space.

body1, body2    BODY objects; one of them may be an OBSTACLE, or None: the link is to space then
point1, point2  referential points (x, y, z); of None the point in space [m]
strength        the link breaks when its tension exceeds it (default: never) [N]

Points that coincide (nearer than GEOMETRIC_EPSILON) are joined: the kind is 'FIXPNT' then, otherwise
'RIGLNK'. A callback on several ranks that does not know where both bodies are goes by their coordinates.
Returns a CONSTRAINT object.)",
      put_rigid_link);
}

}  // namespace solfec::input
