#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>

#include "body/kinematics.hpp"
#include "geometry/cut_mesh.hpp"
#include "geometry/element.hpp"
#include "input/objects.hpp"
#include "input/python_value.hpp"
#include "input/session.hpp"
#include "math/decompositions.hpp"

namespace solfec::input {
namespace {

const std::vector<std::pair<const char*, BodyKind>> kKinds = {
    {"OBSTACLE", BodyKind::obstacle},
    {"RIGID", BodyKind::rigid},
    {"PSEUDO_RIGID", BodyKind::pseudo_rigid},
    {"FINITE_ELEMENT", BodyKind::finite_element}};

const std::vector<std::pair<const char*, Form>> kForms = {{"TL", Form::total_lagrangian},
                                                          {"BC", Form::body_corotational}};

const std::vector<std::pair<const char*, Scheme>> kRigidSchemes = {{"DEFAULT", Scheme::rig_imp},
                                                                   {"RIG_POS", Scheme::rig_pos},
                                                                   {"RIG_NEG", Scheme::rig_neg},
                                                                   {"RIG_IMP", Scheme::rig_imp}};
const std::vector<std::pair<const char*, Scheme>> kDeformableSchemes = {
    {"DEFAULT", Scheme::def_exp},
    {"DEF_EXP", Scheme::def_exp},
    {"DEF_LIM", Scheme::def_lim},
    {"DEF_LIM2", Scheme::def_lim2},
    {"DEF_IMP", Scheme::def_imp}};

const char* scheme_name(Scheme scheme) {
  for (const auto* list : {&kRigidSchemes, &kDeformableSchemes})
    for (const auto& [name, value] : *list)
      if (value == scheme && std::string(name) != "DEFAULT") return name;
  return "DEFAULT";
}

// The shape of a FINITE_ELEMENT body that is its mesh.
void check_meshed_shape(const Value& argument, const Shape& solids) {
  if (solids.size() != 1 || !std::holds_alternative<Mesh>(solids.front()))
    argument.fail_value("one MESH object, for a FINITE_ELEMENT body without 'mesh'");
  const Mesh& mesh = std::get<Mesh>(solids.front());
  std::vector<bool> used(mesh.nodes.size());
  for (const Element& element : mesh.elements)
    for (int node : element.used()) used[node] = true;
  if (std::ranges::count(used, false) > 0)
    argument.fail_value("a MESH in which every node belongs to an element");
  for (std::size_t e = 0; e < mesh.elements.size(); e++) {
    std::vector<Vec3> corners;
    for (int node : mesh.elements[e].used()) corners.push_back(mesh.nodes[node]);
    for (const MaterialPoint& point : standard_points(corners))
      if (!(point.volume > 0))
        argument.fail_value(
            fmt::format("a MESH that can be computed with (element {} is too distorted)", e));
  }
}

std::vector<Polyhedron> convexes_of(const Value& argument, const Shape& solids) {
  std::vector<Polyhedron> convexes;
  for (const Solid& solid : solids) {
    if (!std::holds_alternative<Polyhedron>(solid))
      argument.fail_value("CONVEX objects only, for a FINITE_ELEMENT body with 'mesh'");
    convexes.push_back(std::get<Polyhedron>(solid));
  }
  return convexes;
}

// The elements must cover the shape, once.
void check_cover(const Value& argument, const CutMesh& cut) {
  constexpr double kRoundOff = 1e-6;  // of the volume
  if (cut.missing > kRoundOff * cut.volume)
    argument.fail_value_saying(fmt::format(
        "the mesh does not hold the whole of the shape: {:.3g} of its {:.3g} m^3 are outside, "
        "and so is the point ({:g}, {:g}, {:g})",
        cut.missing, cut.volume, cut.missing_point.x(), cut.missing_point.y(),
        cut.missing_point.z()));
  if (cut.found > (1 + kRoundOff) * cut.volume)
    argument.fail_value_saying(
        fmt::format("elements of the mesh overlap: they hold {:.6g} m^3 of a shape of {:.6g} m^3",
                    cut.found, cut.volume));
}

void check_points(const Value& argument, const CutMesh& cut) {
  for (const CutMesh::Part& part : cut.parts) {
    std::vector<Vec3> corners;
    for (int node : cut.mesh.elements[part.element].used()) corners.push_back(cut.mesh.nodes[node]);
    for (const MaterialPoint& point : cut.points_of(part))
      if (!(jacobian(corners, point.local).determinant() > 0))
        argument.fail_value_saying(
            fmt::format("element {} is too distorted", cut.element[part.element]));
  }
}

// The mesh around the shape of a FINITE_ELEMENT body, without the elements that hold nothing of it.
Mesh background_of(const Arguments& a, const Shape& solids) {
  const Value argument = a["mesh"];
  const Shape mesh = ShapeArgument(argument).copy();
  if (mesh.size() != 1) argument.fail_value("a MESH object that holds one mesh");
  const std::vector<Polyhedron> convexes = convexes_of(a["shape"], solids);
  CutMesh cut =
      charged_to(argument, [&] { return cut_mesh(std::get<Mesh>(mesh.front()), convexes); });
  check_cover(argument, cut);
  check_points(argument, cut);
  return std::move(cut.mesh);
}

// The body can be moved: round-off leaves its tensor positive definite.
void check_reference(const Value& shape, const Body& body) {
  constexpr double kLeast = 1e-14;  // of the largest eigenvalue: twice 1E-7^2, of a needle
  const ReferenceMass& m = body.reference;
  if (!(m.volume > 0)) shape.fail_value("a shape with positive volume");
  if (!(std::isfinite(m.mass) && m.center.allFinite() && m.tensor.allFinite()))
    shape.fail_value("a shape whose mass and inertia are finite numbers");
  if (is_obstacle(body.kind) || is_meshed(body.kind)) return;
  const Vec3 e = symmetric_eigen(m.tensor).values;
  if (!(e.minCoeff() > kLeast * e.maxCoeff()))
    shape.fail_value(fmt::format(
        "a shape whose inertia is not singular (it is too long and thin: its principal moments go "
        "from {:.3g} to {:.3g} kg m^2)",
        e.minCoeff(), e.maxCoeff()));
}

BodyObject make_body(const Arguments& a) {
  const auto simulation = shared_simulation_of(a["solfec"]);
  Body body;
  body.kind = a["kind"].choice(kKinds);
  ShapeArgument shape(a["shape"]);
  const Shape solids = shape.copy();
  body.material = material_index(a["material"], *simulation);
  if (a["label"].given()) body.label = a["label"].text();
  // For FINITE_ELEMENT bodies only, ignored otherwise; still they must be what they say.
  if (a["form"].given()) body.form = a["form"].choice(kForms);
  if (a["mesh"].given()) a["mesh"].instance<MeshObject>("MESH");
  if (a["elements"].given())
    body.plain_elements = a["elements"].choice<bool>({{"ENHANCED", false}, {"PLAIN", true}});
  if (is_meshed(body.kind) && a["mesh"].given())
    body.background = std::make_shared<const Mesh>(background_of(a, solids));
  else if (is_meshed(body.kind))
    check_meshed_shape(a["shape"], solids);

  const BulkMaterial& material = simulation->domain.bulk_materials[body.material];
  if (is_deformable(body.kind)) check_deforms(a["material"], material);
  body.density = material.density;
  body.reference = reference_mass(solids, body.density, body.kind);
  check_reference(a["shape"], body);
  switch (body.kind) {
    case BodyKind::obstacle:
      body.scheme = Scheme::none;
      break;
    case BodyKind::rigid:
      body.scheme = Scheme::rig_imp;
      break;
    case BodyKind::pseudo_rigid:
    case BodyKind::finite_element:
      body.scheme =
          simulation->domain.analysis == Analysis::dynamic ? Scheme::def_exp : Scheme::def_lim;
      break;
  }
  if (is_deformable(body.kind)) simulation->script.deforming.insert(body.material);
  body.shape = std::make_shared<const Shape>(shape.take());
  if (body.background) ShapeArgument(a["mesh"]).take();
  if (is_meshed(body.kind)) body.nodes = static_cast<int>(mesh_of(body).nodes.size());
  return new_body(simulation, a.command(), std::move(body));
}

// A member that answers where a body is known, else None.
template <class Get>
py::object of_record(const BodyObject& o, const char* where, Get get) {
  const Body* body = body_record(o, where);
  return body ? to_python(get(*body)) : py::none();
}

py::object numbers(const double* first, int count) {
  py::tuple result(count);
  for (int k = 0; k < count; k++) result[k] = first[k];
  return result;
}

// A state is known to its owner only; obstacles have none.
template <class Get>
py::object of_state(const BodyObject& o, const char* where, Get get) {
  ensure_results_shown(*o.simulation);  // a state, unlike masses and the like
  const int i = body_index(o, where);
  const BodyStore& bodies = o.simulation->domain.bodies;
  if (i < 0 || is_obstacle(bodies.kind(i))) return py::none();
  return get(bodies, i);
}

py::object configuration(const BodyObject& o) {
  return of_state(o, "BODY.conf", [](const BodyStore& bodies, int i) {
    if (is_meshed(bodies.kind(i))) return numbers(bodies.x(i), bodies.x.count(i));
    return numbers(bodies.q(i), BodyStore::kConfiguration);
  });
}

py::object velocity(const BodyObject& o) {
  return of_state(o, "BODY.velo", [](const BodyStore& bodies, int i) {
    return numbers(bodies.u(i), bodies.dofs(i));
  });
}

// The shape of a body is known to its owner only.
py::object mesh_of_body(const BodyObject& o) {
  const int i = body_index(o, "BODY.mesh");
  const BodyStore& bodies = o.simulation->domain.bodies;
  if (i < 0 || !is_meshed(bodies.kind(i))) return py::none();
  return py::cast(MeshObject{{mesh_of(bodies[i])}});
}

const char* kind_name(BodyKind kind) {
  return std::ranges::find(kKinds, kind, &decltype(kKinds)::value_type::second)->first;
}

// What repr says, whatever has become of the body.
std::string body_text(const BodyObject& o) {
  const Simulation& s = *o.simulation;
  const std::string number = fmt::format("<BODY {}", o.id().value);
  if (o.emptied) return number + ", emptied>";
  const int i = find_here(s, o.id());
  const bool elsewhere = i < 0 && lives_elsewhere(s, o.id());
  if (i < 0 && !elsewhere) return number + ", not there>";
  const auto& record = o.handle->record;
  const char* where = elsewhere ? ", on another rank>" : ">";
  const Body* body = i >= 0 ? &s.domain.bodies[i] : record ? &record->body : nullptr;
  if (!body) return number + where;
  return fmt::format("{}{}, {}, mass {:g} kg{}", number,
                     body->label.empty() ? "" : " " + quoted(body->label), kind_name(body->kind),
                     body->reference.mass, where);
}

Scheme scheme_of(BodyKind kind, const Value& value) {
  switch (kind) {
    case BodyKind::obstacle:
      value.choice<int>({{"DEFAULT", 0}});
      return Scheme::none;
    case BodyKind::rigid:
      return value.choice(kRigidSchemes);
    case BodyKind::pseudo_rigid:
    case BodyKind::finite_element:
      return value.choice(kDeformableSchemes);
  }
  return Scheme::none;
}

void set_scheme(const BodyObject& o, const Value& value) {
  if (shows_results(*o.simulation)) return;
  const std::string text = value.text();
  const Body* body = body_record(o, value.where());
  const Scheme scheme = body ? scheme_of(body->kind, value) : Scheme::none;
  if (body && is_meshed(body->kind) && body->form == Form::body_corotational &&
      scheme == Scheme::def_imp)
    value.fail_value_saying("'DEF_IMP' is a scheme of the form 'TL'; this body has the form 'BC'");
  if (is_of_no_use(*o.simulation, value.where())) return;
  change_body(o, value.where(), "BODY.scheme", fingerprint_of(text), [&](BodyStore& bodies, int i) {
    if (is_obstacle(bodies.kind(i))) return;
    bodies[i].scheme = scheme;
    bodies[i].changes++;
  });
}

void set_damping(const BodyObject& o, const Value& value) {
  const double damping = value.non_negative();
  if (shows_results(*o.simulation) || is_of_no_use(*o.simulation, value.where())) return;
  change_body(o, value.where(), "BODY.damping", fingerprint_of(damping),
              [&](BodyStore& bodies, int i) {
                bodies[i].damping = damping;
                bodies[i].changes++;
              });
}

// A member 'ON' or 'OFF' of finite-element bodies; `unfit` tells why a body cannot have it.
void set_contact_flag(const BodyObject& o, const Value& value, const char* member, bool Body::*flag,
                      const char* (*unfit)(const Body&)) {
  const bool on = value.flag();
  ensure_not_emptied(o, value.where());
  if (shows_results(*o.simulation)) return;
  const Body* body = body_record(o, value.where());
  if (const char* reason = on && body ? unfit(*body) : nullptr)
    value.fail_value(fmt::format("'OFF' ({})", reason));
  change_body(o, value.where(), member, fingerprint_of(on), [&](BodyStore& bodies, int i) {
    bodies[i].*flag = on;
    bodies[i].changes++;
  });
}

void set_self_contact(const BodyObject& o, const Value& value) {
  set_contact_flag(o, value, "BODY.selfcontact", &Body::self_contact, [](const Body& body) {
    return is_meshed(body.kind) ? nullptr : "only a FINITE_ELEMENT body touches itself";
  });
}

void set_node_contact(const BodyObject& o, const Value& value) {
  set_contact_flag(
      o, value, "BODY.nodecontact", &Body::node_contact, [](const Body& body) -> const char* {
        if (!is_meshed(body.kind)) return "only a FINITE_ELEMENT body has nodes";
        return body.background ? "the nodes of a background mesh are not on the surface" : nullptr;
      });
}

void define_body_class(Commands& commands) {
  auto body = commands.add_class<BodyObject>(
      "BODY", "solfec, kind, shape, material | label, form, mesh, elements", R"(Creates a body.

solfec    SOLFEC object
kind      'OBSTACLE' (moves as prescribed by INITIAL_VELOCITY and SET_*), 'RIGID', 'PSEUDO_RIGID' (one
          deformation gradient for the whole body) or 'FINITE_ELEMENT'
shape     (emptied) CONVEX, MESH, SPHERE or ELLIP object, or a list of them; of a FINITE_ELEMENT body one
          MESH object, or CONVEX objects in `mesh`. Mass is that of all objects: where they overlap it counts twice
material  BULK_MATERIAL object or its label
label     string (default: none)

Of a FINITE_ELEMENT body (checked and ignored for the others):

form      'TL' (default): large strain, Saint Venant-Kirchhoff; 'BC': small strain in axes that turn with the
          body, much cheaper per step
mesh      (emptied) MESH object, as ROUGH_HEX makes it: elements that move the convexes of `shape`. They must
          contain all of it, and may be larger; the part of the shape inside an element defines its mass and
          stiffness. Elements that contain nothing of the shape are left out, with their nodes; the others keep
          their order in conf and velo. Volume and surface identifiers are those of `shape`. Two convexes touch in
          eight points at most: make what is pressed over an area of several. Default: `shape` is the mesh itself
elements  'ENHANCED' (default): elements that do not lock when they are nearly incompressible, nor hexahedra and
          wedges in bending; 'PLAIN': fully integrated displacement elements. Elements of `mesh` that the
          shape does not fill are always plain

Returns a BODY object.

Members, read only: kind, label, mass [kg], volume [m^3], center [m], tensor (nine numbers column-wise:
inertia tensor of a RIGID body or OBSTACLE, Euler tensor of a PSEUDO_RIGID one [kg m^2]), material
(label), id, constraints (list), ncon; mesh, of a FINITE_ELEMENT body a copy of its mesh as it was made (a MESH
object with nodes in the order of conf), None of others; conf and velo:

  kind          conf                                        velo
  RIGID         rotation column-wise (9), mass centre (3)   referential angular velocity (3), velocity
                                                            of the mass centre (3)
  PSEUDO_RIGID  deformation gradient column-wise (9),       its rate column-wise (9), velocity of the
                mass centre (3)                             mass centre (3)
  FINITE_ELEMENT  coordinates of the nodes                  their velocities
  OBSTACLE      None                                        None

Members, read and write: scheme, 'RIG_POS', 'RIG_NEG' or 'RIG_IMP' (default) of a RIGID body, 'DEF_EXP' (default),
'DEF_LIM' (damps what the step does not resolve, of held bodies more), 'DEF_LIM2' (damps more) or 'DEF_IMP'
(conserves energy; not of the form 'BC') of a PSEUDO_RIGID or FINITE_ELEMENT one, 'DEFAULT'; damping,
stiffness-proportional, >= 0 (default: 0) [s] (a QUASI_STATIC analysis needs neither, and ignores them with a
warning); selfcontact, 'OFF' (default) or 'ON': surface elements of a FINITE_ELEMENT body that share no node (or
convexes that share no vertex) touch each other; nodecontact, 'OFF' (default) or 'ON': contact with a
FINITE_ELEMENT body whose shape is its mesh is at the nodes of its surface, each against the nearest face of the
other body that faces it, with the node's share of the faces at it as area, in place of one contact per pair of
elements. It suits flat or fine meshes on larger bodies: objects smaller than the node spacing can pass undetected.
If both bodies have it, the nodes of both are used.

On several ranks a body lives on one of them, an OBSTACLE on all. conf, velo, mesh, constraints and ncon are None
elsewhere; the other members have their values on every rank in objects that BODY has returned (in others, such
as those of BYLABEL, they may be None). Commands on a body act where it lives.)",
      make_body);
  body.def(
      "__eq__",
      [](const BodyObject& x, const BodyObject& y) {
        return x.simulation == y.simulation && x.id() == y.id();
      },
      py::is_operator());
  body.def("__hash__", [](const BodyObject& o) {
    return std::hash<const void*>()(o.simulation.get()) ^ (o.id().value * 0x9E3779B9u);
  });
  body.def("__repr__", body_text);
  read_only(body, "kind", "Kind of body.", [](const BodyObject& o) {
    return of_record(o, "BODY.kind", [](const Body& b) { return kind_name(b.kind); });
  });
  read_only(body, "label", "Label ('' if none).", [](const BodyObject& o) {
    return of_record(o, "BODY.label", [](const Body& b) { return b.label; });
  });
  read_only(body, "id", "Number of the body, never given again.", [](const BodyObject& o) {
    ensure_not_emptied(o, "BODY.id");
    return o.id().value;
  });
  read_only(body, "material",
            "Label of the bulk material that it was created with (MATERIAL gives volumes others).",
            [](const BodyObject& o) {
              return of_record(o, "BODY.material", [&](const Body& b) {
                return o.simulation->domain.bulk_materials[b.material].label;
              });
            });
  read_only(body, "mass", "Mass [kg].", [](const BodyObject& o) {
    return of_record(o, "BODY.mass", [](const Body& b) { return b.reference.mass; });
  });
  read_only(body, "volume", "Reference volume [m^3].", [](const BodyObject& o) {
    return of_record(o, "BODY.volume", [](const Body& b) { return b.reference.volume; });
  });
  read_only(body, "center", "Reference mass centre [m].", [](const BodyObject& o) {
    return of_record(o, "BODY.center", [](const Body& b) { return tuple3(b.reference.center); });
  });
  read_only(body, "tensor", "Inertia or Euler tensor, column-wise [kg m^2].",
            [](const BodyObject& o) {
              return of_record(o, "BODY.tensor",
                               [](const Body& b) { return numbers(b.reference.tensor.data(), 9); });
            });
  read_only(body, "conf", "Configuration.", configuration);
  read_only(body, "velo", "Velocity.", velocity);
  read_only(body, "mesh", "Copy of the mesh of a FINITE_ELEMENT body.", mesh_of_body);
  read_only(body, "constraints", "List of the constraints on this body.",
            [](const BodyObject& o) -> py::object {
              if (body_index(o, "BODY.constraints") < 0) return py::none();
              return constraint_list(o.simulation, o.id());
            });
  read_only(body, "ncon", "Number of constraints on this body.",
            [](const BodyObject& o) -> py::object {
              if (body_index(o, "BODY.ncon") < 0) return py::none();
              return py::int_(constraint_list(o.simulation, o.id()).size());
            });
  read_write(
      body, "scheme", "Time integration scheme.",
      [](const BodyObject& o) {
        return of_record(o, "BODY.scheme", [](const Body& b) { return scheme_name(b.scheme); });
      },
      set_scheme);
  read_write(
      body, "damping", "Stiffness-proportional damping [s].",
      [](const BodyObject& o) {
        return of_record(o, "BODY.damping", [](const Body& b) { return b.damping; });
      },
      set_damping);
  read_write(
      body, "selfcontact", "'ON' or 'OFF': contact of a FINITE_ELEMENT body with itself.",
      [](const BodyObject& o) {
        return of_record(o, "BODY.selfcontact",
                         [](const Body& b) { return b.self_contact ? "ON" : "OFF"; });
      },
      set_self_contact);
  read_write(
      body, "nodecontact", "'ON' or 'OFF': contact at the nodes of a FINITE_ELEMENT body.",
      [](const BodyObject& o) {
        return of_record(o, "BODY.nodecontact",
                         [](const Body& b) { return b.node_contact ? "ON" : "OFF"; });
      },
      set_node_contact);
}

// The labelled body with the lowest number: of those here, of all that the script has made.
py::object body_by_label(const std::shared_ptr<Simulation>& simulation, const std::string& label) {
  const BodyStore& bodies = simulation->domain.bodies;
  auto handle = simulation->script.labels.find(label, simulation->script.gone);
  for (int i = 0; i < bodies.owned() && (!handle || bodies.id(i) < handle->id); i++)
    if (bodies[i].label == label) return py::cast(body_object(simulation, bodies.id(i)));
  return handle ? py::cast(BodyObject{simulation, handle}) : py::none();
}

py::object by_label(const Arguments& a) {
  const auto simulation = shared_simulation_of(a["solfec"]);
  const Domain& domain = simulation->domain;
  enum class Kind { surface, bulk, body };
  const Kind kind = a["kind"].choice<Kind>(
      {{"SURFACE_MATERIAL", Kind::surface}, {"BULK_MATERIAL", Kind::bulk}, {"BODY", Kind::body}});
  const std::string label = a["label"].text();
  if (kind == Kind::surface) {
    const int i = domain.surface_materials.find_label(label);
    if (i >= 0) return py::cast(SurfaceMaterialObject{simulation, i});
  } else if (kind == Kind::bulk) {
    const int i = domain.bulk_materials.find(label);
    if (i >= 0) return py::cast(BulkMaterialObject{simulation, i});
  } else {
    return body_by_label(simulation, label);
  }
  return py::none();
}

}  // namespace

void define_bodies(Commands& commands) {
  define_body_class(commands);

  commands.add_query("BYLABEL", "solfec, kind, label", R"(Finds a labelled object.

solfec  SOLFEC object
kind    'SURFACE_MATERIAL', 'BULK_MATERIAL' or 'BODY'
label   string

Returns the object, or None.)",
                     by_label);
}

}  // namespace solfec::input
