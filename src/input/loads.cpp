#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>

#include <set>

#include "body/pressure.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {
namespace {

const std::vector<std::pair<const char*, Frame>> kFrames = {{"SPATIAL", Frame::spatial},
                                                            {"CONVECTED", Frame::convected}};

py::object set_gravity(const Arguments& a) {
  Simulation& simulation = simulation_of(a["solfec"]);
  const std::array<Value, 3> entries = three_series(a["vector"]);
  Gravity gravity;
  for (std::size_t k = 0; k < 3; k++) gravity.component[k] = series_of(entries[k]);
  simulation.domain.gravity = std::move(gravity);
  record_common(simulation, a.command(), fingerprint_of(simulation.domain.gravity.component));
  return py::none();
}

py::tuple to_tuple(std::span<const double> numbers) {
  py::tuple result(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); k++) result[k] = numbers[k];
  return result;
}

// Wraps a Python callable f(data..., q, u, t, h) that returns as many numbers as `out` takes.
ForceFunction force_function(const py::function& function, const py::tuple& data) {
  return [function, data](std::span<const double> q, std::span<const double> u, double t, double h,
                          std::span<double> out) {
    const py::object result =
        call_noting("FORCE: raised by its callback, which gets data, if given, q, u, t, h",
                    [&] { return py::object(function(*data, to_tuple(q), to_tuple(u), t, h)); });
    const Value value("FORCE: what the callback returned", result);
    const std::vector<double> numbers = value.reals();
    if (numbers.size() != out.size())
      value.fail_value(fmt::format("a tuple of {} numbers", out.size()));
    std::ranges::copy(numbers, out.begin());
  };
}

py::object add_force(const Arguments& a) {
  const BodyObject& object = body_of(a["body"]);
  const Frame frame = a["kind"].choice(kFrames);
  a["point"].vector();
  a["direction"].vector();
  const Value value = a["value"];
  Simulation& s = *object.simulation;
  if (shows_results(s)) return py::none();
  const std::string where = a["body"].where();
  const Body* body = body_record(object, where);
  if (body && is_obstacle(body->kind))
    a["body"].fail_value_saying("a force does not move an OBSTACLE");
  std::optional<Load> load;
  std::uint64_t what;
  if (PyCallable_Check(value.object().ptr())) {
    // Every rank knows the function, by its number: the body may come here.
    const ForceFunction function =
        force_function(value.function(), data_arguments(a["data"].object()));
    s.domain.user_forces.push_back(function);
    load = UserForce{static_cast<int>(s.domain.user_forces.size()) - 1, function};
    what = fingerprint_of(s.domain.user_forces.size());
  } else {
    if (a["data"].given()) a["data"].fail_value_saying("data goes with a callback only");
    const PointForce force{frame, point_of(a["point"], object), a["direction"].direction(),
                           series_of(value)};
    load = force;
    what = fingerprint_of(force);
  }
  change_body(object, where, a.command(), what, [&](BodyStore& bodies, int i) {
    bodies[i].loads.push_back(*load);
    bodies[i].changes++;
  });
  return py::none();
}

py::object add_torque(const Arguments& a) {
  const BodyObject& object = body_of(a["body"]);
  const Frame frame = a["kind"].choice(kFrames);
  const Vec3 direction = a["direction"].direction();
  const TimeSeries value = series_of(a["value"]);
  if (shows_results(*object.simulation)) return py::none();
  const std::string where = a["body"].where();
  const Body* body = body_record(object, where);
  if (body && !is_rigid(body->kind)) a["body"].fail_value("a BODY of kind 'RIGID'");
  const Torque torque{frame, direction, value};
  change_body(object, where, a.command(), fingerprint_of(torque), [&](BodyStore& bodies, int i) {
    bodies[i].loads.push_back(torque);
    bodies[i].changes++;
  });
  return py::none();
}

py::object add_pressure(const Arguments& a) {
  const BodyObject& object = body_of(a["body"]);
  const int surface = a["surfid"].integer();
  const Pressure pressure{surface, series_of(a["value"]), {}};
  if (shows_results(*object.simulation)) return py::none();
  const std::string where = a["body"].where();
  const Body* body = body_record(object, where);
  if (body && is_obstacle(body->kind))
    a["body"].fail_value_saying("a pressure does not move an OBSTACLE");
  if (const int i = body_index(object, where); i >= 0)
    check_faces(object.simulation->domain.bodies[i], a, surface, "a pressure acts on");
  change_body(object, where, a.command(), fingerprint_of(pressure), [&](BodyStore& bodies, int i) {
    bodies[i].loads.push_back(pressure);
    bodies[i].changes++;
  });
  return py::none();
}

}  // namespace

// Known where the body lives.
void check_faces(const Body& body, const Arguments& a, int surface, const char* what) {
  const Mesh* mesh = only_mesh(*body.shape);
  if (!mesh) a["body"].fail_value_saying(fmt::format("{} a BODY whose shape is one MESH", what));
  if (has_surface(*mesh, surface)) return;
  std::set<int> surfaces;
  for (const BoundaryFace& face : mesh->boundary) surfaces.insert(face.surface);
  a["surfid"].fail_value(
      fmt::format("a surface identifier of that MESH ({})", fmt::join(surfaces, ", ")));
}

py::tuple data_arguments(const py::object& data) {
  if (data.is_none()) return py::tuple();
  if (py::isinstance<py::tuple>(data)) return py::reinterpret_borrow<py::tuple>(data);
  return py::make_tuple(data);
}

void define_loads(Commands& commands) {
  commands.add("GRAVITY", "solfec, vector",
               R"(Sets the gravitational acceleration, which acts on all bodies but obstacles.

solfec  SOLFEC object
vector  (gx, gy, gz), each a number or a TIME_SERIES object [m/s^2]; a later call overwrites)",
               set_gravity);

  commands.add("FORCE", "body, kind, point, direction, value | data", R"(Applies a force to a body.

body       BODY object, no OBSTACLE
kind       'SPATIAL': the direction stays; 'CONVECTED': it follows the rotation or deformation of the body (of a
           FINITE_ELEMENT one its mean rotation)
point      referential point (x, y, z) [m]
direction  (dx, dy, dz), of non-zero length, normalised
value      number or TIME_SERIES object [N], or a callback:

             force = callback (data, q, u, time, step)

           with q = conf and u = velo of the body; a tuple of data is expanded into arguments, no data is
           left out. For a RIGID body it returns nine numbers: spatial force, spatial torque, referential
           torque; for a PSEUDO_RIGID one the twelve of the generalised force conjugate to velo; for a
           FINITE_ELEMENT one a force for each node. Point and direction are then not used. It is called in the
           middle of a step, where nothing can be made, changed or deleted.
data       data for the callback

Loads add up and stay for the whole of the run.)",
               add_force);

  commands.add("TORQUE", "body, kind, direction, value", R"(Applies a torque to a rigid body.

body       BODY object of kind 'RIGID'
kind       'SPATIAL' or 'CONVECTED'
direction  (dx, dy, dz), of non-zero length, normalised
value      number or TIME_SERIES object [N m])",
               add_torque);

  commands.add("PRESSURE", "body, surfid, value", R"(Applies a pressure to faces of a mesh.

body    BODY object, no OBSTACLE, whose shape is one MESH object
surfid  surface identifier of the faces
value   number or TIME_SERIES object [Pa]; positive values act along the OUTWARD normal of the faces (suction). Use
        negative values for the pressure of a fluid, outside of the body or in a cavity

It follows the body: it acts on the faces as they are, along their present normals and in proportion to their present
areas. Loads add up and stay for the whole of the run; the work that they do is EXTERNAL. PARTITION gives it to all
parts that have such faces.)",
               add_pressure);
}

}  // namespace solfec::input
