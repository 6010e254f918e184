// The commands that make joints.
#include "domain/joints.hpp"

#include <fmt/format.h>

#include <optional>

#include "body/kinematics.hpp"
#include "core/log.hpp"
#include "geometry/mesh.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {
namespace {

// ask(bodies, i) of a body as it is now, on ranks that know.
template <class Ask>
auto ask_now(const BodyObject& body, const std::string& where, Ask&& ask)
    -> std::optional<decltype(ask(std::declval<const BodyStore&>(), 0))> {
  const Simulation& s = *body.simulation;
  if (const int i = body_index(body, where); i >= 0) return ask(s.domain.bodies, i);
  const auto& record = body.handle->record;
  if (!record || s.clock.runs > 0 || s.script.state_replaced) return std::nullopt;
  BodyStore alone;
  alone.insert({*record});
  return ask(alone, 0);
}

// Where a reference point is now.
std::optional<Vec3> point_now(const BodyObject& body, const std::string& where, const Vec3& X) {
  return ask_now(body, where,
                 [&](const BodyStore& bodies, int i) { return current_point(bodies, i, X); });
}

// Where the direction of a joint points to now; `first` and `second` are its bodies.
std::optional<Vec3> axis_now(const BodyObject* first, const BodyObject* second,
                             const std::string& where, const Joint& joint) {
  const BodyObject* turning = joint.spring.axis == SpringAxis::body1   ? first
                              : joint.spring.axis == SpringAxis::body2 ? second
                                                                       : nullptr;
  if (!turning) return joint.direction;
  return ask_now(*turning, where, [&](const BodyStore& bodies, int i) {
    return turned_axis(joint, bodies.gradient(i));
  });
}

// Where a point of a body (null: space) is, on ranks that know; where it was made, in results.
std::optional<Vec3> position(const BodyObject* body, const Value& value, const Vec3& point) {
  if (!body || shows_results(*body->simulation)) return point;
  return point_now(*body, value.where(), point);
}

// As far as this rank knows.
bool do_coincide(const Domain& domain, const std::optional<Vec3>& x1,
                 const std::optional<Vec3>& x2) {
  return x1 && x2 && (*x1 - *x2).norm() < domain.detection_settings.epsilon;
}

// Obstacles are known on all ranks.
bool is_obstacle(const BodyObject& body, const std::string& where) {
  const Body* record = body_record(body, where);
  return record && is_obstacle(record->kind);
}

// A joint between an OBSTACLE and space says nothing: there is none.
bool is_left_out(const Value& value, const BodyObject& body) {
  if (!is_obstacle(body, value.where())) return false;
  log::warning(value.where() +
               " is an OBSTACLE, which moves as SET_* say and INITIAL_VELOCITY: no joint is made");
  return true;
}

double strength_of(const Arguments& a) {
  return a["strength"].given() ? a["strength"].positive() : std::numeric_limits<double>::infinity();
}

// A name that ranks agree on without asking each other, and that is the same when results are read:
// from what the script says of the joint. Whether a link is a fixed point depends on the state.
std::uint32_t number_of(const Joint& joint) {
  const bool link = joint.kind == ConstraintKind::rigid_link;
  const std::uint64_t print = fingerprint_of(
      link ? ConstraintKind::fixed_point : joint.kind, joint.second, joint.point, joint.other_point,
      joint.direction, joint.motion, joint.across, joint.spring, joint.strength);
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
  Joint& joint = request.joint;
  joint.number = number_of(joint);
  ConstraintObject object{holder.simulation, {{}, {}, kJointFeature, joint.number, 0}};
  (joint.second ? object.body2 : object.body1) = holder.handle;
  if (other) (joint.second ? object.body1 : object.body2) = other->handle;
  if (shows_results(s)) return py::cast(object);
  joint.start = s.clock.time;
  if (other) joint.other = other->id();
  const auto own = point_now(holder, request.where, joint.point);
  const auto far = other ? point_now(*other, request.where, joint.other_point)
                         : std::optional<Vec3>(joint.other_point);
  const auto axis = axis_now(joint.second ? other : &holder, joint.second ? &holder : other,
                             request.where, joint);
  const bool pin =
      joint.kind == kLinkOfNoLength && other;  // its points become one in the next step
  if (own && far && axis && !pin)
    measure(joint, joint.second ? *far : *own, joint.second ? *own : *far, *axis);
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
  if (is_not_shown(&body) || is_left_out(a["body"], body)) return py::none();
  return hold(a, {body, a["body"].where(), nullptr, joint});
}

// None: all directions.
std::vector<Vec3> directions_of(const Value& value) {
  std::vector<Vec3> directions;
  if (!value.given()) return directions;
  constexpr const char* kExpected = "None, or a list of one to three directions (dx, dy, dz)";
  if (!value.is_list()) value.fail_type(kExpected);
  const auto list = py::reinterpret_borrow<py::sequence>(value.object());
  if (list.size() < 1 || list.size() > 3) value.fail_value(kExpected);
  for (std::size_t k = 0; k < list.size(); k++)
    directions.push_back(
        Value(fmt::format("{}, entry {}", value.where(), k), py::object(list[k])).direction());
  return directions;
}

// Joints of the nodes on faces of a surface, in the order of nodes: a fixed point for each of them,
// or fixed directions.
std::vector<Joint> surface_joints(const Mesh& mesh, int surface,
                                  const std::vector<Vec3>& directions) {
  std::vector<Joint> joints;
  for (int node : surface_nodes(mesh, surface)) {
    Joint joint;
    joint.point = mesh.nodes[node];
    const auto add = [&] {
      joint.number = number_of(joint) ^ static_cast<std::uint32_t>(fingerprint_of(surface));
      joints.push_back(joint);
    };
    if (directions.empty()) add();
    for (const Vec3& direction : directions) {
      joint.kind = ConstraintKind::fixed_direction;
      joint.direction = direction;
      add();
    }
  }
  return joints;
}

py::object fix_surface(const Arguments& a) {
  const BodyObject& body = body_of(a["body"]);
  const int surface = a["surfid"].integer();
  const std::vector<Vec3> directions = directions_of(a["directions"]);
  const std::string where = a["body"].where();
  py::list result;
  if (is_not_shown(&body)) return result;
  const Body* record = body_record(body, where);
  if (record && !is_meshed(record->kind))
    a["body"].fail_value_saying("only a FINITE_ELEMENT body has faces with nodes to be fixed");
  std::vector<Joint> joints;
  if (record) {
    check_faces(*record, a, surface, "nodes are fixed on the surface of");
    joints = surface_joints(*only_mesh(*record->shape), surface, directions);
  }
  Simulation& s = *body.simulation;
  for (Joint& joint : joints) joint.start = s.clock.time;
  std::vector<ConstraintObject> objects;
  for (const Joint& joint : joints)
    objects.push_back({body.simulation, {{}, {}, kJointFeature, joint.number, 0}});
  for (ConstraintObject& object : objects) object.body1 = body.handle;
  if (!shows_results(s))
    change_body(body, where, a.command(), fingerprint_of(surface, directions),
                [&](BodyStore& bodies, int i) {
                  if (&bodies != &s.domain.bodies) return;
                  const auto numbers = add_joints(s.domain, i, joints);
                  for (std::size_t k = 0; k < numbers.size(); k++)
                    objects[k].name.feature2 = numbers[k];
                });
  for (const ConstraintObject& object : objects) result.append(object);
  return result;
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
    if (is_not_shown(&body) || is_left_out(a["body"], body)) return py::none();
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

// Velocities of displacements are means over a step.
double step_of(const BodyObject& body) { return body.simulation->settings.step; }

py::object set_motion(const Arguments& a, Motion::Given given, const Value& series) {
  const BodyObject& body = body_of(a["body"]);
  Joint joint;
  joint.kind = ConstraintKind::prescribed_motion;
  joint.point = point_of(a["point"], body);
  joint.direction = a["direction"].direction();
  if (given == Motion::Given::displacement) series.instance<TimeSeriesObject>("TIME_SERIES");
  joint.motion = Motion(given, series_of(series), step_of(body));
  if (is_not_shown(&body)) return py::none();
  return hold(a, {body, a["body"].where(), nullptr, joint});
}

// Nine numbers, row by row; made orthonormal to the last digit.
Mat3 base_of(const Value& value) {
  constexpr const char* kExpected =
      "nine numbers, row by row, of a matrix with three directions in its columns, at right angles "
      "to each other and right-handed";
  const std::vector<double> numbers = value.reals();
  if (numbers.size() != 9) value.fail_value(kExpected);
  Mat3 base = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(numbers.data());
  base.colwise().normalize();
  constexpr double kTolerance = 1e-6;
  if (!(base.transpose() * base).isIdentity(kTolerance) || base.determinant() < 0)
    value.fail_value(kExpected);
  const Vec3 normal = base.col(2);
  base.col(0) = (base.col(0) - normal * normal.dot(base.col(0))).normalized();
  base.col(1) = normal.cross(base.col(0));
  return base;
}

// A displacement that stays what it is at the start may be given as 0.
Motion motion_of(Motion::Given given, const Value& value, double step) {
  const bool is_series = py::isinstance<TimeSeriesObject>(value.object());
  TimeSeries series = series_of(value);
  if (given == Motion::Given::displacement && !is_series && series.value(0) != 0)
    value.fail_value("a TIME_SERIES object, or 0");
  return {given, std::move(series), step};
}

py::object set_motion3(const Arguments& a, Motion::Given given) {
  const BodyObject& body = body_of(a["body"]);
  Joint joint;
  joint.kind = ConstraintKind::prescribed_motion3;
  joint.point = point_of(a["point"], body);
  const Mat3 base = base_of(a["base"]);
  const std::array<Value, 3> series = three_series(a["tms"]);
  for (int k : {0, 1})
    joint.across.push_back({base.col(k), motion_of(given, series[k], step_of(body))});
  joint.direction = base.col(2);
  joint.motion = motion_of(given, series[2], step_of(body));
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
  const bool coincide =
      do_coincide(s.domain, position(one, value1, point1), position(two, value2, point2));
  joint.kind = coincide ? kLinkOfNoLength : kLink;
  // Space is always second: a link does not know which end is which.
  joint.second = pair.swapped && pair.other();
  joint.point = pair.swapped ? point2 : point1;
  joint.other_point = pair.swapped ? point1 : point2;
  return hold(a, {pair.holder(), (pair.swapped ? value2 : value1).where(), pair.other(), joint});
}

// f(stroke, velocity) of the script. What it raises names the command, on all ranks.
SpringFunction spring_function(const py::function& function) {
  return [function](double stroke, double velocity) {
    py::object force;
    try {
      force = function(stroke, velocity);
    } catch (py::error_already_set& error) {
      if (!error.matches(PyExc_Exception)) throw;
      const std::string message = fmt::format("PUT_SPRING: the function has raised {}: {}",
                                              error.type().attr("__name__").cast<std::string>(),
                                              std::string(py::str(error.value())));
      py::raise_from(error, PyExc_RuntimeError, message.c_str());
      throw py::error_already_set();
    }
    return Value("PUT_SPRING: what the function returned", force).real();
  };
}

// None, or a pair of numbers on both sides of zero, which may be infinite.
void take_limits(const Value& value, Spring& spring) {
  if (!value.given()) return;
  constexpr const char* kExpected = "None, or a pair (smin, smax) with smin <= 0 <= smax";
  if (!value.is_list()) value.fail_type(kExpected);
  if (py::len(value.object()) != 2) value.fail_value(kExpected);
  const auto list = py::reinterpret_borrow<py::sequence>(value.object());
  const auto bound = [&](std::size_t k) {
    return Value(fmt::format("{}, entry {}", value.where(), k), py::object(list[k]))
        .real_or_infinite();
  };
  spring.low = bound(0);
  spring.high = bound(1);
  if (!(spring.low <= 0 && 0 <= spring.high)) value.fail_value(kExpected);
}

const std::vector<std::pair<const char*, SpringAxis>> kAxes = {
    {"FIXED", SpringAxis::space}, {"CONV1", SpringAxis::body1}, {"CONV2", SpringAxis::body2}};

void take_axis(const Arguments& a, bool to_space, Joint& joint) {
  const Value direction = a["direction"], update = a["update"];
  if (direction.given()) {
    joint.direction = direction.direction();
    joint.spring.axis = SpringAxis::space;
  }
  if (!update.given()) return;
  joint.spring.axis = update.choice(kAxes);
  if (!direction.given()) update.fail_value_saying("it tells how a direction moves; none is given");
  if (to_space && joint.spring.axis == SpringAxis::body2)
    update.fail_value_saying("'CONV2' turns the direction with body2, which is None");
}

py::object put_spring(const Arguments& a) {
  const Value value1 = a["body1"], value2 = a["body2"];
  const BodyObject& one = body_of(value1);
  const BodyObject* two = value2.given() ? &body_of(value2) : nullptr;
  const Vec3 point1 = point_of(a["point1"], one),
             point2 = two ? point_of(a["point2"], *two) : a["point2"].vector();
  const SpringFunction function = spring_function(a["function"].function());
  Joint joint;
  joint.kind = ConstraintKind::spring;
  take_limits(a["limits"], joint.spring);
  take_axis(a, !two, joint);
  Domain& domain = one.simulation->domain;
  // Springs are numbered alike on all ranks, and also where they act on bodies that are not shown.
  joint.spring.function = static_cast<int>(domain.spring_functions.size());
  if (is_not_shown(&one) || is_not_shown(two)) {
    domain.spring_functions.push_back(function);
    return py::none();
  }
  const Pair pair = pair_of(value1, &one, value2, two);
  const bool coincide =
      do_coincide(domain, position(&one, a["point1"], point1), position(two, a["point2"], point2));
  if (joint.spring.axis == SpringAxis::line && coincide)
    a["point2"].fail_value_saying("the points coincide: a spring between them needs a direction");
  domain.spring_functions.push_back(function);
  joint.second = pair.swapped;
  joint.point = pair.swapped ? point2 : point1;
  joint.other_point = pair.swapped ? point1 : point2;
  return hold(a, {pair.holder(), (pair.swapped ? value2 : value1).where(), pair.other(), joint});
}

void define_motions3(Commands& commands) {
  const auto add = [&](const char* name, const char* what, const char* tms, Motion::Given given) {
    const std::string text = fmt::format(
        R"(Prescribes the {} of a point of a body in all directions.

body   BODY object; of an OBSTACLE the whole body follows, whatever the point
point  referential point (x, y, z) [m]
base   three directions T1, T2, N at right angles, right-handed, row by row as in CONSTRAINT.base:
       (T1x, T2x, Nx, T1y, T2y, Ny, T1z, T2z, Nz); normalised; they stay as they are in space
tms    (along T1, along T2, along N), each {}

From now on the displacement of the point along each direction follows its series, so its path is given.
Motions that are prescribed to an OBSTACLE add up with each other and with its INITIAL_VELOCITY. Returns a
CONSTRAINT object of kind 'VELODIR3'; that of an OBSTACLE has no reaction.)",
        what, tms);
    commands.add(name, "body, point, base, tms", text.c_str(),
                 [given](const Arguments& a) { return set_motion3(a, given); });
  };
  add("SET_DISPLACEMENT3", "displacement",
      "a TIME_SERIES object [m], or 0: no displacement; the point moves\n       by what the value "
      "changes from now on",
      Motion::Given::displacement);
  add("SET_VELOCITY3", "velocity", "a number or a TIME_SERIES object [m/s]",
      Motion::Given::velocity);
  add("SET_ACCELERATION3", "acceleration",
      "a number or a TIME_SERIES object [m/s^2]; the velocity\n       is its integral, zero at the "
      "first time",
      Motion::Given::acceleration);
}

}  // namespace

void define_joints(Commands& commands) {
  commands.add("FIX_POINT", "body, point | strength",
               R"(Fixes a point of a body in space, where it is now.

body      BODY object; of an OBSTACLE nothing is made, with a warning
point     referential point (x, y, z) [m]
strength  the joint breaks when |R| exceeds it (default: never) [N]

Returns a CONSTRAINT object of kind 'FIXPNT', or None of an OBSTACLE.)",
               fix_point);

  commands.add(
      "FIX_SURFACE", "body, surfid | directions",
      R"(Fixes the nodes on faces of a mesh in space, where they are now: it clamps the surface of a body.

body        BODY object of kind 'FINITE_ELEMENT' whose shape is one MESH object
surfid      surface identifier of the faces
directions  list of one to three directions (dx, dy, dz) along which the nodes are fixed, each of non-zero length,
            normalised (default: all directions)

Each node gets what FIX_POINT makes, or FIX_DIRECTION along each of the directions; nodes that are fixed twice, as on
the edge of two surfaces, share their reaction. Returns the list of CONSTRAINT objects, in the order of the nodes
of the mesh, and for each node in that of the directions. On several ranks, after the first RUN, a rank without the
body knows it only by the object that BODY returned: by another one it gets an empty list.)",
      fix_surface);

  commands.add(
      "FIX_DIRECTION", "body, point, direction | body2, point2",
      R"(Fixes a point of a body along one direction in space, or relative to a point of another body.

body       BODY object; of an OBSTACLE without a body2 nothing is made, with a warning
point      referential point (x, y, z) [m]
direction  (dx, dy, dz), of non-zero length, normalised; it stays as it is in space
body2      another BODY object (default: the point is fixed to space)
point2     its referential point [m]

The distance of the points along the direction stays what it is now. Returns a CONSTRAINT object of kind
'FIXDIR', or None where nothing is made. Of two bodies one has to move.)",
      fix_direction);

  const char* motion = R"(
body       BODY object; of an OBSTACLE the whole body follows, whatever the point
point      referential point (x, y, z) [m]
direction  (dx, dy, dz), of non-zero length, normalised; it stays as it is in space
)";
  const char* end = R"(
From now on the displacement of the point along the direction follows the series; across the direction it is
free. Motions that are prescribed to an OBSTACLE add up with each other and with its INITIAL_VELOCITY.
Returns a CONSTRAINT object of kind 'VELODIR'; that of an OBSTACLE has no reaction.)";
  commands.add(
      "SET_DISPLACEMENT", "body, point, direction, tms",
      fmt::format(
          "Prescribes the displacement of a point of a body.\n{}"
          "tms        TIME_SERIES object [m]; the point moves by what its value changes "
          "from now on;\n           at points of the series its velocity jumps, over a step: "
          "give a smooth motion one in each step\n{}",
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

  define_motions3(commands);

  commands.add(
      "PUT_RIGID_LINK", "body1, body2, point1, point2 | strength",
      R"(Keeps the distance between a point of a body and a point of another body or of space.

body1, body2    BODY objects; one of them may be an OBSTACLE, or None: the link is to space then
point1, point2  referential points (x, y, z); of None the point in space [m]
strength        the link breaks when its tension exceeds it (default: never) [N]

Points that coincide now (nearer than GEOMETRIC_EPSILON) become one: the kind is then 'FIXPNT', otherwise
'RIGLNK'. Where the bodies live on different ranks, it says so from the next step or frame on. The normal of
a 'RIGLNK' leads from point 2 to point 1: R[2] is positive in compression, negative in tension.
Returns a CONSTRAINT object.)",
      put_rigid_link);

  commands.add(
      "PUT_SPRING", "body1, point1, body2, point2, function, limits | direction, update",
      R"(Puts a spring, with a force by a function of the script, between points of two bodies.

body1      BODY object; an OBSTACLE only together with a body2 that moves
point1     its referential point (x, y, z) [m]
body2      another BODY object, or None: the spring is to space then
point2     its referential point; of None the point in space [m]
function   force = function (stroke, velocity) [N]: it acts on body1 along the line from point 2 to point 1, or along
           the direction if there is one, and against it on body2. A spring of stiffness k with a damper c is

             lambda stroke, velocity: -k * stroke - c * velocity

           stroke: change of the distance of the points since now, of its projection if there is a direction [m],
           at mid-step; velocity: its rate, by the velocities at the start of the step [m/s]
limits     (smin, smax) with smin <= 0 <= smax: stops for the stroke, which push and never pull; they take the
           velocity as a contact without restitution does. Either may be infinite; None: no stops [m]
direction  (dx, dy, dz), of non-zero length, normalised (default: the line between the points, which must stay
           apart). The projection is that of point 1 minus point 2
update     'FIXED' (default): the direction stays as it is in space; 'CONV1', 'CONV2': it is one of the reference
           configuration of body1 or body2, and turns with it as that of a 'CONVECTED' FORCE does

The force is explicit: with a stiffness k, a damper c and a mass m that it moves, steps are stable for
h^2 k / m + 2 h c / m < 4. It is of second order in h, with a damper of first order. In a QUASI_STATIC analysis the
stroke is that of the start of the step, and the velocity zero. The work of a spring is EXTERNAL work on its bodies.
Forces along a direction act at the points: unless the line between them has that direction they turn the pair.

Returns a CONSTRAINT object of kind 'SPRING'. The third component of its R is the force, with that of the stops.)",
      put_spring);
}

}  // namespace solfec::input
