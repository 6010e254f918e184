// Commands that copy, move and measure shapes: COPY, SCALE, TRANSLATE, ROTATE, MASS_CENTER.
#include <fmt/format.h>

#include <algorithm>

#include "input/objects.hpp"
#include "input/session.hpp"
#include "math/rotation.hpp"

namespace solfec::input {
namespace {

// A shape is changed in place and returned; a tuple of numbers gives a new tuple.
bool is_point(const Value& shape) {
  if (!shape.is_list()) return false;
  const auto list = py::reinterpret_borrow<py::sequence>(shape.object());
  return list.size() == 3 && !py::isinstance<py::sequence>(list[0]) &&
         PyNumber_Check(py::object(list[0]).ptr());
}

// Largest coordinate of anything in a shape, and what `bound` makes of it when it is moved: what
// has gone too far is no shape any more.
void check_reach(const Value& shape, ShapeArgument& solids,
                 const std::function<double(double)>& bound) {
  double reach = 0;
  solids.for_each([&](Solid& solid) {
    const Box box = bounding_box(solid);
    reach = std::max({reach, box.lower.cwiseAbs().maxCoeff(), box.upper.cwiseAbs().maxCoeff()});
  });
  if (!(bound(reach) <= kLargest))
    shape.fail_value_saying(fmt::format("the shape would have coordinates above {:g}", kLargest));
}

py::object moved(const Value& shape, const std::function<Vec3(const Vec3&)>& point,
                 const std::function<void(Solid&)>& change,
                 const std::function<double(double)>& bound) {
  if (is_point(shape)) return tuple3(point(shape.vector()));
  ShapeArgument solids(shape);
  check_reach(shape, solids, bound);
  solids.for_each(change);
  return shape.object();
}

py::object scale_shape(const Arguments& a) {
  const Vec3 factors = a["coefs"].vector();
  if (factors.prod() == 0 && !is_point(a["shape"]))
    a["coefs"].fail_value("a tuple of three numbers other than 0");
  return moved(
      a["shape"], [&](const Vec3& p) -> Vec3 { return p.cwiseProduct(factors); },
      [&](Solid& s) { scale(s, factors); },
      [&](double reach) { return reach * factors.cwiseAbs().maxCoeff(); });
}

py::object translate_shape(const Arguments& a) {
  const Vec3 vector = a["vector"].vector();
  return moved(
      a["shape"], [&](const Vec3& p) -> Vec3 { return p + vector; },
      [&](Solid& s) { translate(s, vector); },
      [&](double reach) { return reach + vector.cwiseAbs().maxCoeff(); });
}

py::object rotate_shape(const Arguments& a) {
  constexpr double kMostDegrees = 1e9;  // larger ones have lost their fractions
  const Vec3 point = a["point"].vector();
  const Mat3 R = rotation_about(
      a["vector"].direction(),
      static_cast<double>(a["angle"].between(-kMostDegrees, kMostDegrees) * EIGEN_PI / 180));
  return moved(
      a["shape"], [&](const Vec3& p) -> Vec3 { return point + R * (p - point); },
      [&](Solid& s) { rotate(s, point, R); },
      [&](double reach) { return 2 * (reach + point.norm()); });
}

py::object copy_shape(const Arguments& a) {
  // Objects of one kind make one collection; a mixture makes a list of collections.
  ConvexObject convex;
  SphereObject spheres;
  py::list list;
  for (Solid& solid : ShapeArgument(a["shape"]).copy()) {
    if (auto* p = std::get_if<Polyhedron>(&solid)) convex.solids.push_back(std::move(*p));
    if (auto* m = std::get_if<Mesh>(&solid)) list.append(MeshObject{{std::move(*m)}});
    if (auto* s = std::get_if<Sphere>(&solid)) spheres.solids.push_back(*s);
    if (auto* e = std::get_if<Ellipsoid>(&solid)) list.append(EllipObject{{*e}});
  }
  if (!convex.solids.empty()) list.append(std::move(convex));
  if (!spheres.solids.empty()) list.append(std::move(spheres));
  return list.size() == 1 ? py::object(list[0]) : py::object(list);
}

py::object shape_mass_center(const Arguments& a) {
  const Value shape = a["shape"];
  if (py::isinstance<BodyObject>(shape.object())) {
    const Body* body = body_record(body_of(shape), shape.where());
    return body ? py::object(tuple3(body->reference.center)) : py::none();
  }
  return tuple3(mass_center(ShapeArgument(shape).copy()));
}

}  // namespace

void define_shape_changes(Commands& commands) {
  commands.add("COPY", "shape", R"(Copies a shape.

shape  CONVEX, MESH, SPHERE or ELLIP object, or a list of them

Returns a copy: one object when the solids are all polyhedra or all balls, or when there is only one;
otherwise a list of objects.)",
               copy_shape);

  commands.add("SCALE", "shape, coefs", R"(Scales a shape in place about the origin.

shape  object, list of objects, or a point (x, y, z)
coefs  (cx, cy, cz), none 0; the radius of a SPHERE takes the first one

Returns the same shape; of a point a new tuple.)",
               scale_shape);

  commands.add("TRANSLATE", "shape, vector", R"(Moves a shape in place.

shape   object, list of objects, or a point (x, y, z)
vector  (vx, vy, vz) [m]

Returns the same shape; of a point a new tuple.)",
               translate_shape);

  commands.add("ROTATE", "shape, point, vector, angle", R"(Rotates a shape in place.

shape   object, list of objects, or a point (x, y, z)
point   a point on the axis [m]
vector  direction of the axis, of non-zero length
angle   in degrees, from -1E9 to 1E9, by the right hand rule

Returns the same shape; of a point a new tuple.)",
               rotate_shape);

  commands.add_query(
      "MASS_CENTER", "shape",
      R"(Mass centre of a shape of uniform density, or reference mass centre of a BODY.

shape  object, list of objects, or a BODY

Returns (x, y, z) [m].)",
      shape_mass_center);
}

}  // namespace solfec::input
