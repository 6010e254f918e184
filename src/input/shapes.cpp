#include <fmt/format.h>

#include <set>

#include "geometry/rough_hex.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"
#include "math/rotation.hpp"

namespace solfec::input {
namespace {

std::vector<Vec3> points_of(const std::vector<double>& numbers) {
  std::vector<Vec3> points;
  for (std::size_t k = 0; k + 2 < numbers.size(); k += 3)
    points.emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
  return points;
}

template <class T>
const std::vector<T>& solids_of(const SolidObject<T>& object, const std::string& where) {
  if (object.emptied) throw value_error(where + ": this object has been emptied");
  return object.solids;
}

// Appends a new solid to those of an optional object, which is emptied.
template <class T>
SolidObject<T> joined(T solid, const Value& collection, const char* kind) {
  SolidObject<T> result;
  if (collection.given()) {
    auto& other = collection.instance<SolidObject<T>>(kind);
    if (other.emptied)
      collection.fail_value_saying(fmt::format("this {} object has been emptied", kind));
    result.solids = std::move(other.solids);
    other.solids.clear();
    other.emptied = true;
  }
  result.solids.push_back(std::move(solid));
  return result;
}

void check_nodes(const Value& value, std::span<const int> nodes, std::size_t count) {
  std::set<int> seen;
  for (int node : nodes) {
    if (node < 0 || node >= static_cast<int>(count))
      value.fail_value_saying(
          fmt::format("number {} is not that of one of the {} points", node, count));
    if (!seen.insert(node).second)
      value.fail_value_saying(
          fmt::format("point {} is repeated within a face or an element", node));
  }
}

ConvexObject make_convex(const Arguments& a) {
  Polyhedron solid;
  solid.vertices = points_of(a["vertices"].reals(12, 3));
  const Value faces = a["faces"];
  const std::vector<int> list = faces.integers(20);
  for (std::size_t k = 0; k < list.size();) {
    const int n = list[k++];
    if (n < 3) faces.fail_value_saying(fmt::format("a face with {} vertices", n));
    if (k + static_cast<std::size_t>(n) >= list.size())
      faces.fail_value_saying(fmt::format("the list ends within face {}", solid.faces.count()));
    const std::span<const int> loop(&list[k], static_cast<std::size_t>(n));
    check_nodes(faces, loop, solid.vertices.size());
    solid.faces.add(loop);
    k += static_cast<std::size_t>(n);
    solid.surface.push_back(list[k++]);
  }
  solid.volume = a["volid"].integer();
  charged_to(faces, [&] { check_convex(solid); });
  return joined(std::move(solid), a["convex"], "CONVEX");
}

ConvexObject make_hull(const Arguments& a) {
  const std::vector<Vec3> points = points_of(a["points"].reals(12, 3));
  const int volume = a["volid"].integer(), surface = a["surfid"].integer();
  Polyhedron hull = convex_hull(points, volume, surface);
  return joined(std::move(hull), a["convex"], "CONVEX");
}

std::vector<Element> elements_of(const Value& value, std::size_t nodes) {
  const std::vector<int> list = value.integers(6);
  std::vector<Element> elements;
  for (std::size_t k = 0; k < list.size();) {
    Element e;
    e.nodes = list[k++];
    if (e.nodes != 4 && e.nodes != 5 && e.nodes != 6 && e.nodes != 8)
      value.fail_value_saying(fmt::format("element {} has {} nodes; elements have 4, 5, 6 or 8",
                                          elements.size(), e.nodes));
    if (k + static_cast<std::size_t>(e.nodes) >= list.size())
      value.fail_value_saying(fmt::format("the list ends within element {}", elements.size()));
    for (int n = 0; n < e.nodes; n++) e.node[n] = list[k++];
    check_nodes(value, e.used(), nodes);
    e.volume = list[k++];
    elements.push_back(e);
  }
  return elements;
}

MeshObject make_mesh_object(const Arguments& a) {
  std::vector<Vec3> nodes = points_of(a["nodes"].reals(12, 3));
  std::vector<Element> elements = elements_of(a["elements"], nodes.size());
  const Value surfids = a["surfids"];
  const std::vector<int> list = surfids.integer_or_integers();
  std::vector<FaceSurface> exceptions;
  for (std::size_t k = 1; k < list.size();) {
    const int n = list[k++];
    if (n != 3 && n != 4)
      surfids.fail_value_saying(fmt::format("a face with {} nodes; faces have 3 or 4", n));
    if (k + static_cast<std::size_t>(n) >= list.size())
      surfids.fail_value_saying(fmt::format("the list ends within face {}", exceptions.size()));
    FaceSurface face;
    for (int i = 0; i < n; i++) face.nodes.push_back(list[k++]);
    check_nodes(surfids, face.nodes, nodes.size());
    face.surface = list[k++];
    exceptions.push_back(std::move(face));
  }
  // Complaints about faces of the input concern `surfids`, the others the elements.
  const Mesh plain =
      charged_to(a["elements"], [&] { return make_mesh(nodes, elements, list[0], {}); });
  if (exceptions.empty()) return {{plain}};
  return {{charged_to(surfids, [&] {
    return make_mesh(std::move(nodes), std::move(elements), list[0], exceptions);
  })}};
}

// Catches slips of the pen before the memory is gone.
void check_number_of_elements(const Value& charged, const std::array<int, 3>& divisions) {
  constexpr double kMost = 1e7;
  const double count = 1.0 * divisions[0] * divisions[1] * divisions[2];
  if (count > kMost)
    charged.fail_value_saying(
        fmt::format("this makes {:g} elements; a mesh has at most {:g}", count, kMost));
}

std::vector<double> layers(const Value& sizes, int count) {
  if (!sizes.given()) return std::vector<double>(static_cast<std::size_t>(count), 1.0);
  const std::vector<double> list = sizes.reals(1);
  if (static_cast<int>(list.size()) != count)
    sizes.fail_value(fmt::format("a list of {} relative sizes", count));
  for (double s : list)
    if (!(s > 0)) sizes.fail_value("a list of relative sizes > 0");
  return list;
}

py::object make_hex(const Arguments& a) {
  const std::vector<double> numbers = a["nodes"].reals(24, 24);
  if (numbers.size() != 24) a["nodes"].fail_value("a list of 24 numbers (8 corners)");
  std::array<Vec3, 8> corners;
  std::ranges::copy(points_of(numbers), corners.begin());
  const std::array<int, 3> divisions = {a["i"].positive_integer(), a["j"].positive_integer(),
                                        a["k"].positive_integer()};
  check_number_of_elements(a["i"], divisions);
  const std::array<std::vector<double>, 3> sizes = {
      layers(a["dx"], divisions[0]), layers(a["dy"], divisions[1]), layers(a["dz"], divisions[2])};
  const int volume = a["volid"].integer();
  const std::vector<int> ids = a["surfids"].integers(6);
  if (ids.size() != 6) a["surfids"].fail_value("a list of 6 integers");
  std::array<int, 6> surfaces;
  std::ranges::copy(ids, surfaces.begin());
  return py::cast(MeshObject{{charged_to(
      a["nodes"], [&] { return make_hexahedral_mesh(corners, sizes, volume, surfaces); })}});
}

py::object make_rough_hexahedra(const Arguments& a) {
  const Shape shape = ShapeArgument(a["shape"]).copy();
  const std::array<int, 3> divisions = {a["i"].positive_integer(), a["j"].positive_integer(),
                                        a["k"].positive_integer()};
  check_number_of_elements(a["i"], divisions);
  const std::array<std::vector<double>, 3> sizes = {
      layers(a["dx"], divisions[0]), layers(a["dy"], divisions[1]), layers(a["dz"], divisions[2])};
  return py::cast(MeshObject{{make_rough_hex(shape, sizes)}});
}

py::object make_pipe(const Arguments& a) {
  const Vec3 base = a["pnt"].vector(), axis = a["dir"].vector();
  if (!(axis.norm() > 0)) a["dir"].fail_value("a vector of non-zero length");
  const double inner = a["rin"].positive(), thickness = a["thi"].positive();
  const int along = a["ndir"].positive_integer(), around = a["nrad"].positive_integer(),
            through = a["nthi"].positive_integer();
  if (around < 3) a["nrad"].fail_value("an integer >= 3");
  check_number_of_elements(a["nrad"], {along, around, through});
  const int volume = a["volid"].integer();
  const std::vector<int> ids = a["surfids"].integers(4);
  std::array<int, 4> surfaces;
  if (ids.size() == 4)
    surfaces = {ids[0], ids[1], ids[2], ids[3]};
  else if (ids.size() == 6)
    surfaces = {ids[0], ids[5], ids[1], ids[3]};  // as HEX: bottom, i-, j+, i+, j-, top
  else
    a["surfids"].fail_value("a list of 6 integers, or of 4 (bottom, top, inner, outer)");
  return py::cast(MeshObject{{charged_to(a["rin"], [&] {
    return make_pipe_mesh(base, axis, inner, thickness, {along, around, through}, volume, surfaces);
  })}});
}

SphereObject make_sphere(const Arguments& a) {
  Sphere sphere{a["center"].vector(), a["radius"].positive(), a["volid"].integer(),
                a["surfid"].integer()};
  return joined(sphere, a["sphere"], "SPHERE");
}

EllipObject make_ellip(const Arguments& a) {
  const Vec3 center = a["center"].vector(), radii = a["radii"].vector();
  if (!(radii.minCoeff() > 0)) a["radii"].fail_value("a tuple of three numbers > 0");
  return {{{center, radii, Mat3::Identity(), a["volid"].integer(), a["surfid"].integer()}}};
}

// A shape is changed in place and returned; a tuple of numbers gives a new tuple.
bool is_point(const Value& shape) {
  if (!shape.is_list()) return false;
  const auto list = py::reinterpret_borrow<py::sequence>(shape.object());
  return list.size() == 3 && !py::isinstance<py::sequence>(list[0]) &&
         PyNumber_Check(py::object(list[0]).ptr());
}

py::object moved(const Value& shape, const std::function<Vec3(const Vec3&)>& point,
                 const std::function<void(Solid&)>& change) {
  if (is_point(shape)) return tuple3(point(shape.vector()));
  ShapeArgument(shape).for_each(change);
  return shape.object();
}

py::object scale_shape(const Arguments& a) {
  const Vec3 factors = a["coefs"].vector();
  if (factors.prod() == 0 && !is_point(a["shape"]))
    a["coefs"].fail_value("a tuple of three numbers other than 0");
  return moved(
      a["shape"], [&](const Vec3& p) -> Vec3 { return p.cwiseProduct(factors); },
      [&](Solid& s) { scale(s, factors); });
}

py::object translate_shape(const Arguments& a) {
  const Vec3 vector = a["vector"].vector();
  return moved(
      a["shape"], [&](const Vec3& p) -> Vec3 { return p + vector; },
      [&](Solid& s) { translate(s, vector); });
}

py::object rotate_shape(const Arguments& a) {
  const Vec3 point = a["point"].vector();
  const Mat3 R = rotation_about(a["vector"].direction(), a["angle"].real() * EIGEN_PI / 180);
  return moved(
      a["shape"], [&](const Vec3& p) -> Vec3 { return point + R * (p - point); },
      [&](Solid& s) { rotate(s, point, R); });
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
    const BodyObject& body = body_of(shape);
    return tuple3(body.simulation->domain.bodies[body_index(body, shape.where())].reference.center);
  }
  return tuple3(mass_center(ShapeArgument(shape).copy()));
}

template <class T>
const T& only_solid(const SolidObject<T>& object, const char* where) {
  return solids_of(object, where).back();
}

py::tuple numbered(const std::vector<Vec3>& points, const Value& number) {
  const int n = number.integer();
  if (n < 0 || n >= static_cast<int>(points.size()))
    number.fail_value(fmt::format("from 0 to {}", points.size() - 1));
  return tuple3(points[n]);
}

}  // namespace

void define_shapes(Commands& commands) {
  auto convex = commands.add_class<ConvexObject>("CONVEX", "vertices, faces, volid | convex",
                                                 R"(Creates a convex polyhedron.

vertices  list [x0, y0, z0, x1, y1, z1, ...] of at least 4 vertices [m]
faces     list [n, v1, ..., vn, surf, ...]: number of vertices, the vertices counter-clockwise when
          seen from outside, surface identifier; for each of at least 4 faces
volid     volume identifier (integer)
convex    CONVEX object (emptied) to which the polyhedron is appended

Returns a CONVEX object: one polyhedron or a collection of them.

Members: nver, number of vertices of the last polyhedron (read only); vertex (n), its n-th vertex as
a tuple (x, y, z).

Errors: ValueError when the faces do not close a convex solid.)",
                                                 make_convex);
  read_only(convex, "nver", "Number of vertices.",
            [](const ConvexObject& o) { return only_solid(o, "CONVEX.nver").vertices.size(); });
  convex.def(
      "vertex",
      [](const ConvexObject& o, const py::object& n) {
        return numbered(only_solid(o, "CONVEX.vertex").vertices, Value("CONVEX.vertex: 'n'", n));
      },
      "vertex (n): coordinates (x, y, z) of the n-th vertex [m].");

  auto mesh =
      commands.add_class<MeshObject>("MESH", "nodes, elements, surfids", R"(Creates a volume mesh.

nodes     list [x0, y0, z0, ...] of at least 4 nodes [m]
elements  list [k, n1, ..., nk, volid, ...]: number of nodes (4 tetrahedron, 5 pyramid, 6 wedge,
          8 hexahedron), the nodes (base first, then the apex or the opposite face), volume
          identifier; for each element
surfids   surface identifier of all boundary faces, or a list [default, k, n1, ..., nk, surf, ...] with
          exceptions for faces of 3 or 4 nodes

Returns a MESH object. Elements given inside out are turned.

Members: nnod, number of nodes (read only); node (n), coordinates of the n-th node.)",
                                     make_mesh_object);
  read_only(mesh, "nnod", "Number of nodes.",
            [](const MeshObject& o) { return only_solid(o, "MESH.nnod").nodes.size(); });
  mesh.def(
      "node",
      [](const MeshObject& o, const py::object& n) {
        return numbered(only_solid(o, "MESH.node").nodes, Value("MESH.node: 'n'", n));
      },
      "node (n): coordinates (x, y, z) of the n-th node [m].");

  auto sphere = commands.add_class<SphereObject>("SPHERE", "center, radius, volid, surfid | sphere",
                                                 R"(Creates a ball.

center  (x, y, z) [m]
radius  > 0 [m]
volid   volume identifier
surfid  surface identifier
sphere  SPHERE object (emptied) to which the ball is appended

Returns a SPHERE object: one ball or a collection of them.

Members (read only, of the last ball): center, radius.)",
                                                 make_sphere);
  read_only(sphere, "center", "Centre (x, y, z) [m].",
            [](const SphereObject& o) { return tuple3(only_solid(o, "SPHERE.center").center); });
  read_only(sphere, "radius", "Radius [m].",
            [](const SphereObject& o) { return only_solid(o, "SPHERE.radius").radius; });

  auto ellip = commands.add_class<EllipObject>(
      "ELLIP", "center, radii, volid, surfid",
      R"(Creates an ellipsoid with semi-axes along x, y, z (ROTATE turns it).

center  (x, y, z) [m]
radii   (rx, ry, rz), each > 0 [m]
volid   volume identifier
surfid  surface identifier

Returns an ELLIP object.

Members (read only): center, radii, rot (nine numbers, column-wise: directions of the semi-axes).)",
      make_ellip);
  read_only(ellip, "center", "Centre (x, y, z) [m].",
            [](const EllipObject& o) { return tuple3(only_solid(o, "ELLIP.center").center); });
  read_only(ellip, "radii", "Semi-axes (rx, ry, rz) [m].",
            [](const EllipObject& o) { return tuple3(only_solid(o, "ELLIP.radii").radii); });
  read_only(ellip, "rot", "Directions of the semi-axes, column-wise.", [](const EllipObject& o) {
    const Mat3& R = only_solid(o, "ELLIP.rot").rotation;
    py::tuple result(9);
    for (int k = 0; k < 9; k++) result[k] = R.data()[k];
    return result;
  });

  commands.add("HULL", "points, volid, surfid | convex", R"(Creates the convex hull of points.

points  list [x0, y0, z0, ...] of at least 4 points [m]
volid   volume identifier
surfid  surface identifier of all faces
convex  CONVEX object (emptied) to which the hull is appended

Returns a CONVEX object. RuntimeError when the hull has no volume.)",
               [](const Arguments& a) { return py::cast(make_hull(a)); });

  commands.add("HEX", "nodes, i, j, k, volid, surfids/surids | dx, dy, dz",
               R"(Creates a mesh of hexahedra between eight corners.

nodes    list of 24 numbers: bottom corners 0 to 3 counter-clockwise seen from the top, then the top
         corners 4 to 7 above them [m]; when the volume comes out negative the two are exchanged
i, j, k  numbers of elements along the local axes 0->1, 0->3, 0->4
volid    volume identifier
surfids  six surface identifiers: bottom, i-, j+, i+, j-, top
dx, dy, dz  relative sizes of the elements along the axes (default: equal)

Returns a MESH object.)",
               make_hex);

  commands.add("ROUGH_HEX", "shape, i, j, k | dx, dy, dz",
               R"(Creates a mesh of hexahedra that fills a box around a shape.

shape       CONVEX, MESH, SPHERE or ELLIP object, or a list of them; it is not emptied
i, j, k     elements along the first, second and third axis
dx, dy, dz  relative sizes of the elements along the axes (default: equal ones)

The edges of the box are along the principal axes of inertia of the shape, as near to x, y and z as they can
be; it is the least one that holds the shape. Volume and surface identifiers are 0.

Returns a MESH object.)",
               make_rough_hexahedra);

  commands.add("PIPE", "pnt, dir, rin, thi, ndir/ndri, nrad, nthi, volid, surfids/surids",
               R"(Creates a mesh of hexahedra in the shape of a pipe.

pnt      centre of the bottom (x, y, z) [m]
dir      axis; its length is that of the pipe [m]
rin      inner radius [m]
thi      thickness of the wall [m]
ndir     elements along the axis
nrad     elements round the circumference, at least 3
nthi     elements through the wall
volid    volume identifier
surfids  six surface identifiers as for HEX with i through the wall (bottom, inner, -, outer, -, top:
         the third and the fifth are not used), or four (bottom, top, inner, outer)

Returns a MESH object.)",
               make_pipe);

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
angle   in degrees, by the right hand rule

Returns the same shape; of a point a new tuple.)",
               rotate_shape);

  commands.add("MASS_CENTER", "shape",
               R"(Mass centre of a shape of uniform density, or reference mass centre of a BODY.

shape  object, list of objects, or a BODY

Returns (x, y, z) [m].)",
               shape_mass_center);
}

}  // namespace solfec::input
