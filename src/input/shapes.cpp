#include <fmt/format.h>

#include <set>

#include "core/log.hpp"
#include "geometry/prism.hpp"
#include "geometry/rough_hex.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {
namespace {

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
  solid.vertices = a["vertices"].points(4);
  const Value faces = a["faces"];
  const std::vector<int> list = faces.grouped_integers(20);
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
  solid.volume = a["volid"].integer_or(0);
  charged_to(faces, [&] { check_convex(solid); });
  return joined(std::move(solid), a["convex"], "CONVEX");
}

ConvexObject make_hull(const Arguments& a) {
  const std::vector<Vec3> points = a["points"].points(4);
  const int volume = a["volid"].integer_or(0), surface = a["surfid"].integer_or(0);
  Polyhedron hull = convex_hull(points, volume, surface);
  return joined(std::move(hull), a["convex"], "CONVEX");
}

ConvexObject make_box_object(const Arguments& a) {
  const Vec3 center = a["center"].vector(), sizes = a["sizes"].vector();
  if (!(sizes.minCoeff() > 0)) a["sizes"].fail_value("a tuple of three numbers > 0");
  const std::vector<int> ids = a["surfids"].surfaces({6});
  std::array<int, 6> surfaces;
  std::ranges::copy(ids, surfaces.begin());
  Polyhedron box = make_box(center, sizes, a["volid"].integer_or(0), surfaces);
  charged_to(a["sizes"], [&] { check_convex(box); });  // round-off far from the origin
  return joined(std::move(box), a["convex"], "CONVEX");
}

ConvexObject make_cylinder_object(const Arguments& a) {
  constexpr int kMostSides = 1000;
  const Vec3 base = a["pnt"].vector(), axis = a["dir"].vector();
  if (!(axis.norm() > 0)) a["dir"].fail_value("a vector of non-zero length");
  const double radius = a["radius"].length();
  const int sides = a["nrad"].integer_or(24);
  if (sides < 3 || sides > kMostSides)
    a["nrad"].fail_value(fmt::format("an integer from 3 to {}", kMostSides));
  const std::vector<int> ids = a["surfids"].surfaces({3});
  Polyhedron prism =
      make_cylinder(base, axis, radius, sides, a["volid"].integer_or(0), {ids[0], ids[1], ids[2]});
  charged_to(a["radius"], [&] { check_convex(prism); });  // round-off far from the origin
  return joined(std::move(prism), a["convex"], "CONVEX");
}

std::vector<Element> elements_of(const Value& value, std::size_t nodes) {
  const std::vector<int> list = value.grouped_integers(6);
  std::vector<Element> elements;
  for (std::size_t k = 0; k < list.size();) {
    Element e;
    e.nodes = list[k++];
    if (!is_element(e.nodes))
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

// Nodes at one place are not one node: the parts of a deformable body come apart there.
void warn_of_parts(const Mesh& mesh) {
  const int parts = count_parts(mesh);
  if (parts > 1)
    log::warning(fmt::format(
        "MESH: its elements make {} parts without a common node, which nothing holds together",
        parts));
}

// Faces of a mesh with surface identifiers of their own, after the one of all others.
std::vector<FaceSurface> faces_of(const Value& surfids, std::size_t nodes) {
  std::vector<FaceSurface> exceptions;
  if (!surfids.is_list()) return exceptions;
  const std::vector<int> list = surfids.grouped_integers(1, 1);
  for (std::size_t k = 1; k < list.size();) {
    const int n = list[k++];
    if (n != 3 && n != 4)
      surfids.fail_value_saying(fmt::format("a face with {} nodes; faces have 3 or 4", n));
    if (k + static_cast<std::size_t>(n) >= list.size())
      surfids.fail_value_saying(fmt::format("the list ends within face {}", exceptions.size()));
    FaceSurface face;
    for (int i = 0; i < n; i++) face.nodes.push_back(list[k++]);
    check_nodes(surfids, face.nodes, nodes);
    face.surface = list[k++];
    exceptions.push_back(std::move(face));
  }
  return exceptions;
}

// Nodes that no element has are left out: -1 among the new numbers of all. The others keep their
// order.
std::vector<int> drop_orphans(std::vector<Vec3>& nodes, std::vector<Element>& elements) {
  std::vector<int> number(nodes.size(), -1);
  for (const Element& element : elements)
    for (int node : element.used()) number[node] = 0;
  std::size_t kept = 0;
  for (std::size_t node = 0; node < nodes.size(); node++) {
    if (number[node] < 0) continue;
    nodes[kept] = nodes[node];
    number[node] = static_cast<int>(kept++);
  }
  if (kept < nodes.size())
    log::warning(
        fmt::format("MESH: {} of the {} nodes belong to no element; they are left out, "
                    "and those that follow have new numbers",
                    nodes.size() - kept, nodes.size()));
  nodes.resize(kept);
  for (Element& element : elements)
    for (int n = 0; n < element.nodes; n++) element.node[n] = number[element.node[n]];
  return number;
}

MeshObject make_mesh_object(const Arguments& a) {
  std::vector<Vec3> nodes = a["nodes"].points(4);
  std::vector<Element> elements = elements_of(a["elements"], nodes.size());
  const Value surfids = a["surfids"];
  std::vector<FaceSurface> exceptions = faces_of(surfids, nodes.size());
  const int surface =
      surfids.is_list() ? surfids.grouped_integers(1, 1)[0] : surfids.surfaces({1})[0];
  const std::vector<int> number = drop_orphans(nodes, elements);
  for (FaceSurface& face : exceptions)
    for (int& node : face.nodes) {
      if (number[node] < 0)
        surfids.fail_value_saying(fmt::format("node {} of a face belongs to no element", node));
      node = number[node];
    }
  // Complaints about faces of the input concern `surfids`, the others the elements.
  const Mesh plain =
      charged_to(a["elements"], [&] { return make_mesh(nodes, elements, surface, {}); });
  warn_of_parts(plain);
  if (exceptions.empty()) return {{plain}};
  return {{charged_to(surfids, [&] {
    return make_mesh(std::move(nodes), std::move(elements), surface, exceptions);
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
  const std::vector<Vec3> nodes = a["nodes"].points(8);
  if (nodes.size() != 8) a["nodes"].fail_value("a list of 24 numbers, or of 8 points");
  std::array<Vec3, 8> corners;
  std::ranges::copy(nodes, corners.begin());
  const std::array<int, 3> divisions = {a["i"].positive_integer(), a["j"].positive_integer(),
                                        a["k"].positive_integer()};
  check_number_of_elements(a["i"], divisions);
  const std::array<std::vector<double>, 3> sizes = {
      layers(a["dx"], divisions[0]), layers(a["dy"], divisions[1]), layers(a["dz"], divisions[2])};
  const int volume = a["volid"].integer_or(0);
  const std::vector<int> ids = a["surfids"].surfaces({6});
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
  const double inner = a["rin"].length(), thickness = a["thi"].length();
  const int along = a["ndir"].positive_integer(), around = a["nrad"].positive_integer(),
            through = a["nthi"].positive_integer();
  if (around < 3) a["nrad"].fail_value("an integer >= 3");
  check_number_of_elements(a["nrad"], {along, around, through});
  const int volume = a["volid"].integer_or(0);
  const std::vector<int> ids = a["surfids"].surfaces({6, 4});
  std::array<int, 4> surfaces = {ids[0], ids[1], ids[2], ids[3]};
  if (ids.size() == 6)  // as HEX: bottom, i-, j+, i+, j-, top
    surfaces = {ids[0], ids[5], ids[1], ids[3]};
  return py::cast(MeshObject{{charged_to(a["rin"], [&] {
    return make_pipe_mesh(base, axis, inner, thickness, {along, around, through}, volume, surfaces);
  })}});
}

SphereObject make_sphere(const Arguments& a) {
  Sphere sphere{a["center"].vector(), a["radius"].length(), a["volid"].integer_or(0),
                a["surfid"].integer_or(0)};
  return joined(sphere, a["sphere"], "SPHERE");
}

EllipObject make_ellip(const Arguments& a) {
  const Vec3 center = a["center"].vector(), radii = a["radii"].vector();
  if (!(radii.minCoeff() > 0)) a["radii"].fail_value("a tuple of three numbers > 0");
  return {{{center, radii, Mat3::Identity(), a["volid"].integer_or(0), a["surfid"].integer_or(0)}}};
}

template <class T>
const T& only_solid(const SolidObject<T>& object, const char* where) {
  return solids_of(object, where).back();
}

// What repr says: of one solid some of its figures, of a collection how many there are.
template <class T, class Tell>
void tell_solids(py::class_<SolidObject<T>>& type, const char* many, Tell tell) {
  const std::string kind = type.attr("__name__").template cast<std::string>();
  type.def("__repr__", [kind, many, tell](const SolidObject<T>& object) {
    if (object.emptied) return fmt::format("<{}, emptied>", kind);
    if (object.solids.size() != 1)
      return fmt::format("<{}, {} {}>", kind, object.solids.size(), many);
    return fmt::format("<{}, {}>", kind, tell(object.solids.front()));
  });
}

std::string told(const Vec3& v) { return fmt::format("({:g}, {:g}, {:g})", v.x(), v.y(), v.z()); }

py::object nodes_on_surface(const MeshObject& object, const Value& surfid) {
  const Mesh& mesh = only_solid(object, "MESH.nodes_on_surface");
  const int surface = surfid.integer();
  std::set<int> nodes;
  for (const BoundaryFace& face : mesh.boundary) {
    if (face.surface != surface) continue;
    const Element& element = mesh.elements[face.element];
    for (int corner : element_faces(element.nodes).loop(face.side))
      nodes.insert(element.node[corner]);
  }
  if (nodes.empty()) return py::none();
  py::list list;
  for (int node : nodes) list.append(node);
  return list;
}

py::tuple numbered(const std::vector<Vec3>& points, const Value& number) {
  const int n = number.integer();
  if (n < 0 || n >= static_cast<int>(points.size()))
    number.fail_value(fmt::format("from 0 to {}", points.size() - 1));
  return tuple3(points[n]);
}

}  // namespace

void define_shapes(Commands& commands) {
  auto convex = commands.add_class<ConvexObject>("CONVEX", "vertices, faces | volid, convex",
                                                 R"(Creates a convex polyhedron.

vertices  list [x0, y0, z0, x1, y1, z1, ...] or [(x0, y0, z0), ...] of at least 4 vertices [m]
faces     list [n, v1, ..., vn, surf, ...] or [[n, v1, ..., vn, surf], ...]: number of vertices, the vertices
          counter-clockwise when seen from outside, surface identifier; for each of at least 4 faces
volid     volume identifier (integer; default: 0)
convex    CONVEX object (emptied) to which the polyhedron is appended

Returns a CONVEX object: one polyhedron or a collection of them.

Members: nver, number of vertices of the last polyhedron (read only); vertex (n), its n-th vertex as
a tuple (x, y, z).

Errors: ValueError when the faces do not close a convex solid.)",
                                                 make_convex);
  tell_solids(convex, "polyhedra", [](const Polyhedron& p) {
    return fmt::format("{} vertices, {} faces", p.vertices.size(), p.faces.count());
  });
  read_only(convex, "nver", "Number of vertices.",
            [](const ConvexObject& o) { return only_solid(o, "CONVEX.nver").vertices.size(); });
  add_method<SolidObject<Polyhedron>>(
      convex, "vertex", "n", "vertex (n): coordinates (x, y, z) of the n-th vertex [m].",
      [](const ConvexObject& o, const Arguments& a) {
        return numbered(only_solid(o, "CONVEX.vertex").vertices, a["n"]);
      });

  auto mesh =
      commands.add_class<MeshObject>("MESH", "nodes, elements | surfids", R"(Creates a volume mesh.

nodes     list [x0, y0, z0, ...] or [(x0, y0, z0), ...] of at least 4 nodes [m]
elements  list [k, n1, ..., nk, volid, ...] or [[k, n1, ..., nk, volid], ...]: number of nodes (4 tetrahedron,
          5 pyramid, 6 wedge, 8 hexahedron), the nodes (base first, then the apex or the opposite face), volume
          identifier; for each element
surfids   surface identifier of all boundary faces (default: 0), or a list [surf, k, n1, ..., nk, surf, ...] or
          [surf, [k, n1, ..., nk, surf], ...] that begins with it and has exceptions for faces of 3 or 4 nodes

Returns a MESH object. Elements given inside out are turned; one with a face of four nodes that crosses itself or is
twisted by more than 80 degrees is an error: its nodes are not in order. So is one with a notch at a node: divide it.
Nodes that belong to no element are left out, with a warning: those that follow have new numbers. There is a warning,
too, where elements make several parts without a common node: nodes at one place are not one.

Members: nnod, number of nodes (read only); node (n), coordinates of the n-th node; nodes_on_surface (surfid),
list of the numbers of the nodes of all faces with this surface identifier, or None when there are none.)",
                                     make_mesh_object);
  tell_solids(mesh, "meshes", [](const Mesh& m) {
    return fmt::format("{} nodes, {} elements", m.nodes.size(), m.elements.size());
  });
  read_only(mesh, "nnod", "Number of nodes.",
            [](const MeshObject& o) { return only_solid(o, "MESH.nnod").nodes.size(); });
  add_method<SolidObject<Mesh>>(mesh, "node", "n",
                                "node (n): coordinates (x, y, z) of the n-th node [m].",
                                [](const MeshObject& o, const Arguments& a) {
                                  return numbered(only_solid(o, "MESH.node").nodes, a["n"]);
                                });
  add_method<SolidObject<Mesh>>(
      mesh, "nodes_on_surface", "surfid",
      "nodes_on_surface (surfid): list of the nodes of the faces with this surface identifier.",
      [](const MeshObject& o, const Arguments& a) { return nodes_on_surface(o, a["surfid"]); });

  auto sphere = commands.add_class<SphereObject>("SPHERE", "center, radius | volid, surfid, sphere",
                                                 R"(Creates a ball.

center  (x, y, z) [m]
radius  > 0 [m]
volid   volume identifier (default: 0)
surfid  surface identifier (default: 0)
sphere  SPHERE object (emptied) to which the ball is appended

Balls roll without resistance: friction holds a heap of them on a rough floor, not on a flat one.

Returns a SPHERE object: one ball or a collection of them.

Members (read only, of the last ball): center, radius.)",
                                                 make_sphere);
  tell_solids(sphere, "balls", [](const Sphere& s) {
    return fmt::format("center {}, radius {:g}", told(s.center), s.radius);
  });
  read_only(sphere, "center", "Centre (x, y, z) [m].",
            [](const SphereObject& o) { return tuple3(only_solid(o, "SPHERE.center").center); });
  read_only(sphere, "radius", "Radius [m].",
            [](const SphereObject& o) { return only_solid(o, "SPHERE.radius").radius; });

  auto ellip = commands.add_class<EllipObject>(
      "ELLIP", "center, radii | volid, surfid",
      R"(Creates an ellipsoid with semi-axes along x, y, z (ROTATE turns it).

center  (x, y, z) [m]
radii   (rx, ry, rz), each > 0 [m]
volid   volume identifier (default: 0)
surfid  surface identifier (default: 0)

Returns an ELLIP object.

Members (read only): center, radii, rot (nine numbers, column-wise: directions of the semi-axes).)",
      make_ellip);
  tell_solids(ellip, "ellipsoids", [](const Ellipsoid& e) {
    return fmt::format("center {}, radii {}", told(e.center), told(e.radii));
  });
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

  commands.add("HULL", "points | volid, surfid, convex", R"(Creates the convex hull of points.

points  list [x0, y0, z0, ...] or [(x0, y0, z0), ...] of at least 4 points [m]
volid   volume identifier (default: 0)
surfid  surface identifier of all faces (default: 0)
convex  CONVEX object (emptied) to which the hull is appended

Returns a CONVEX object. RuntimeError when the hull has no volume.)",
               [](const Arguments& a) { return py::cast(make_hull(a)); });

  commands.add("BOX", "center, sizes | volid, surfids/surids, convex",
               R"(Creates a box with edges along x, y, z (ROTATE turns it).

center   (x, y, z) [m]
sizes    lengths of its edges (a, b, c), each > 0 [m]
volid    volume identifier (default: 0)
surfids  six surface identifiers as for HEX, bottom (z-), x-, y+, x+, y-, top (z+), or one for all faces (default: 0)
convex   CONVEX object (emptied) to which the box is appended

Returns a CONVEX object.)",
               [](const Arguments& a) { return py::cast(make_box_object(a)); });

  commands.add("CYLINDER", "pnt, dir, radius | nrad, volid, surfids/surids, convex",
               R"(Creates a cylinder with flat sides: a convex prism.

pnt      centre of the bottom (x, y, z) [m]
dir      axis; its length is that of the cylinder [m]
radius   of its corners, > 0 [m]
nrad     number of sides, from 3 to 1000 (default: 24, which have 0.989 of the volume of the round cylinder)
volid    volume identifier (default: 0)
surfids  three surface identifiers (bottom, top, side), or one for all faces (default: 0)
convex   CONVEX object (emptied) to which the cylinder is appended

Returns a CONVEX object. PIPE makes hollow ones, of hexahedra.)",
               [](const Arguments& a) { return py::cast(make_cylinder_object(a)); });

  commands.add("HEX", "nodes, i, j, k | volid, surfids/surids, dx, dy, dz",
               R"(Creates a mesh of hexahedra between eight corners.

nodes    list of 24 numbers, or of 8 points (x, y, z): bottom corners 0 to 3 counter-clockwise seen
         from the top, then the top corners 4 to 7 above them [m]; when the volume comes out negative the two are
         exchanged
i, j, k  numbers of elements along the local axes 0->1, 0->3, 0->4
volid    volume identifier (default: 0)
surfids  six surface identifiers, bottom, i-, j+, i+, j-, top, or one for all faces (default: 0)
dx, dy, dz  relative sizes of the elements along the axes (default: equal)

Returns a MESH object. A face that crosses itself or is twisted by more than 80 degrees is an error; so is a notch.)",
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

  commands.add("PIPE", "pnt, dir, rin, thi, ndir/ndri, nrad, nthi | volid, surfids/surids",
               R"(Creates a mesh of hexahedra in the shape of a pipe.

pnt      centre of the bottom (x, y, z) [m]
dir      axis; its length is that of the pipe [m]
rin      inner radius [m]
thi      thickness of the wall [m]
ndir     elements along the axis
nrad     elements round the circumference, at least 3
nthi     elements through the wall
volid    volume identifier (default: 0)
surfids  six surface identifiers as for HEX with i through the wall (bottom, inner, -, outer, -, top:
         the third and the fifth are not used), or four (bottom, top, inner, outer), or one for all faces
         (default: 0)

Returns a MESH object.)",
               make_pipe);
}

}  // namespace solfec::input
