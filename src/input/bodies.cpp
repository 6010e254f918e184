#include <fmt/format.h>
#include <pybind11/stl.h>

#include "body/kinematics.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {
namespace {

const std::vector<std::pair<const char*, BodyKind>> kKinds = {
    {"OBSTACLE", BodyKind::obstacle},
    {"RIGID", BodyKind::rigid},
    {"PSEUDO_RIGID", BodyKind::pseudo_rigid}};

const std::vector<std::pair<const char*, Scheme>> kRigidSchemes = {{"DEFAULT", Scheme::rig_neg},
                                                                   {"RIG_POS", Scheme::rig_pos},
                                                                   {"RIG_NEG", Scheme::rig_neg},
                                                                   {"RIG_IMP", Scheme::rig_imp}};
const std::vector<std::pair<const char*, Scheme>> kDeformableSchemes = {
    {"DEFAULT", Scheme::def_exp}, {"DEF_EXP", Scheme::def_exp}, {"DEF_LIM", Scheme::def_lim}};

const char* scheme_name(Scheme scheme) {
  for (const auto* list : {&kRigidSchemes, &kDeformableSchemes})
    for (const auto& [name, value] : *list)
      if (value == scheme && std::string(name) != "DEFAULT") return name;
  return "DEFAULT";
}

int material_index(const Value& value, const Simulation& simulation) {
  if (py::isinstance<BulkMaterialObject>(value.object())) {
    const auto& material = value.object().cast<BulkMaterialObject&>();
    if (material.simulation.get() != &simulation)
      value.fail_value_saying("this material belongs to another SOLFEC object");
    return material.index;
  }
  if (!py::isinstance<py::str>(value.object()))
    value.fail_type("a BULK_MATERIAL object or its label");
  const int index = simulation.domain.bulk_materials.find(value.text());
  if (index < 0) value.fail_value("the label of a BULK_MATERIAL");
  return index;
}

BodyObject make_body(const Arguments& a) {
  const auto simulation = shared_simulation_of(a["solfec"]);
  const Value kind = a["kind"];
  if (py::isinstance<py::str>(kind.object()) && kind.text() == "FINITE_ELEMENT")
    kind.fail_value_saying("'FINITE_ELEMENT' bodies are not available in this version");
  Body body;
  body.kind = kind.choice(kKinds);
  ShapeArgument shape(a["shape"]);
  body.material = material_index(a["material"], *simulation);
  if (a["label"].given()) body.label = a["label"].text();
  // For FINITE_ELEMENT bodies only, ignored otherwise; still they must be what they say.
  if (a["form"].given()) a["form"].choice<int>({{"TL", 0}, {"BC", 1}});
  if (a["mesh"].given()) a["mesh"].instance<MeshObject>("MESH");

  const double density = simulation->domain.bulk_materials[body.material].density;
  body.reference = reference_mass(shape.copy(), density, body.kind);
  if (!(body.reference.volume > 0)) a["shape"].fail_value("a shape with positive volume");
  switch (body.kind) {
    case BodyKind::obstacle:
      body.scheme = Scheme::none;
      break;
    case BodyKind::rigid:
      body.scheme = Scheme::rig_neg;
      break;
    case BodyKind::pseudo_rigid:
      body.scheme = Scheme::def_exp;
      break;
  }
  body.shape = std::make_shared<const Shape>(shape.take());
  return {simulation, add_body(*simulation, std::move(body))};
}

// Accessors of one body; ValueError when it is gone.
struct Access {
  Access(const BodyObject& object, const char* where)
      : domain(object.simulation->domain), index(body_index(object, where)) {}
  Body& record() { return domain.bodies[index]; }

  Domain& domain;
  int index;
};

py::object numbers(const double* first, int count) {
  py::tuple result(count);
  for (int k = 0; k < count; k++) result[k] = first[k];
  return result;
}

py::object configuration(const BodyObject& o) {
  ensure_results_shown(*o.simulation);  // a state, unlike masses and the like
  Access body(o, "BODY.conf");
  if (body.domain.bodies.kind(body.index) == BodyKind::obstacle) return py::none();
  return numbers(body.domain.bodies.q(body.index), BodyStore::kConfiguration);
}

py::object velocity(const BodyObject& o) {
  ensure_results_shown(*o.simulation);  // a state, unlike masses and the like
  Access body(o, "BODY.velo");
  if (body.domain.bodies.kind(body.index) == BodyKind::obstacle) return py::none();
  return numbers(body.domain.bodies.u(body.index), body.domain.bodies.freedom(body.index));
}

void set_scheme(const BodyObject& o, const Value& value) {
  if (shows_results(*o.simulation)) return;
  Access body(o, "BODY.scheme");
  Body& record = body.record();
  switch (record.kind) {
    case BodyKind::obstacle:
      value.choice<int>({{"DEFAULT", 0}});
      return;
    case BodyKind::rigid:
      record.scheme = value.choice(kRigidSchemes);
      break;
    case BodyKind::pseudo_rigid:
      record.scheme = value.choice(kDeformableSchemes);
      break;
  }
  record.changes++;
}

void define_body_class(Commands& commands) {
  auto body = commands.add_class<BodyObject>(
      "BODY", "solfec, kind, shape, material | label, form, mesh", R"(Creates a body.

solfec    SOLFEC object
kind      'OBSTACLE' (moves only as INITIAL_VELOCITY says), 'RIGID' or 'PSEUDO_RIGID' (one
          deformation gradient for the whole body)
shape     (emptied) CONVEX, MESH, SPHERE or ELLIP object, or a list of them
material  BULK_MATERIAL object or its label
label     string (default: none)
form, mesh  concern FINITE_ELEMENT bodies and are ignored for the others

Returns a BODY object.

Members, read only: kind, label, mass [kg], volume [m^3], center [m], tensor (nine numbers column-wise:
inertia tensor of a RIGID body or OBSTACLE, Euler tensor of a PSEUDO_RIGID one [kg m^2]), material
(label), id, constraints (list), ncon; conf and velo:

  kind          conf                                        velo
  RIGID         rotation column-wise (9), mass centre (3)   referential angular velocity (3), velocity
                                                            of the mass centre (3)
  PSEUDO_RIGID  deformation gradient column-wise (9),       its rate column-wise (9), velocity of the
                mass centre (3)                             mass centre (3)
  OBSTACLE      None                                        None

Members, read and write: scheme, 'RIG_POS', 'RIG_NEG' (default) or 'RIG_IMP' of a RIGID body, 'DEF_EXP'
(default) or 'DEF_LIM' of a PSEUDO_RIGID one, 'DEFAULT'; damping, stiffness-proportional, >= 0 (default:
0) [s]; selfcontact and nodecontact, 'OFF': they concern FINITE_ELEMENT bodies only.)",
      make_body);
  body.def(
      "__eq__",
      [](const BodyObject& x, const BodyObject& y) {
        return x.simulation == y.simulation && x.id == y.id;
      },
      py::is_operator());
  body.def("__hash__", [](const BodyObject& o) {
    return std::hash<const void*>()(o.simulation.get()) ^ (o.id.value * 0x9E3779B9u);
  });
  body.def("__repr__", [](const BodyObject& o) {
    return fmt::format("<BODY {}{}>", o.id.value, o.emptied ? ", emptied" : "");
  });
  const auto kind = [](const BodyObject& o) {
    Access b(o, "BODY.kind");
    for (const auto& [name, value] : kKinds)
      if (value == b.record().kind) return name;
    return "";
  };
  read_only(body, "kind", "Kind of body.", kind);
  read_only(body, "label", "Label ('' if none).",
            [](const BodyObject& o) { return Access(o, "BODY.label").record().label; });
  read_only(body, "id", "Number of the body, never given again.", [](const BodyObject& o) {
    ensure_not_emptied(o, "BODY.id");
    return o.id.value;
  });
  read_only(body, "material", "Label of the bulk material.", [](const BodyObject& o) {
    Access b(o, "BODY.material");
    return b.domain.bulk_materials[b.record().material].label;
  });
  read_only(body, "mass", "Mass [kg].",
            [](const BodyObject& o) { return Access(o, "BODY.mass").record().reference.mass; });
  read_only(body, "volume", "Reference volume [m^3].",
            [](const BodyObject& o) { return Access(o, "BODY.volume").record().reference.volume; });
  read_only(body, "center", "Reference mass centre [m].", [](const BodyObject& o) {
    return tuple3(Access(o, "BODY.center").record().reference.center);
  });
  read_only(body, "tensor", "Inertia or Euler tensor, column-wise [kg m^2].",
            [](const BodyObject& o) {
              return numbers(Access(o, "BODY.tensor").record().reference.tensor.data(), 9);
            });
  read_only(body, "conf", "Configuration.", configuration);
  read_only(body, "velo", "Velocity.", velocity);
  read_only(body, "constraints", "List of the constraints on this body.", [](const BodyObject& o) {
    Access b(o, "BODY.constraints");
    return constraint_list(o.simulation, o.id);
  });
  read_only(body, "ncon", "Number of constraints on this body.", [](const BodyObject& o) {
    Access b(o, "BODY.ncon");
    return constraint_list(o.simulation, o.id).size();
  });
  read_write(
      body, "scheme", "Time integration scheme.",
      [](const BodyObject& o) { return scheme_name(Access(o, "BODY.scheme").record().scheme); },
      set_scheme);
  read_write(
      body, "damping", "Stiffness-proportional damping [s].",
      [](const BodyObject& o) { return Access(o, "BODY.damping").record().damping; },
      [](BodyObject& o, const Value& v) {
        const double damping = v.non_negative();
        if (shows_results(*o.simulation)) return;
        Body& record = Access(o, "BODY.damping").record();
        record.damping = damping;
        record.changes++;
      });
  const auto switched_off = [&](const char* name, const char* documentation) {
    const std::string where = std::string("BODY.") + name;
    read_write(
        body, name, documentation,
        [where](const BodyObject& o) {
          ensure_not_emptied(o, where);
          return "OFF";
        },
        [where](BodyObject& o, const Value& v) {
          ensure_not_emptied(o, where);
          if (v.flag()) v.fail_value("'OFF' (it concerns FINITE_ELEMENT bodies only)");
        });
  };
  switched_off("selfcontact", "'OFF': contact of a body with itself (FINITE_ELEMENT bodies only).");
  switched_off("nodecontact", "'OFF': node-based contact (FINITE_ELEMENT bodies only).");
}

void set_characteristics(const Arguments& a) {
  BodyObject& object = body_of(a["body"]);
  const double mass = a["mass"].positive(), volume = a["volume"].positive();
  const Vec3 center = a["center"].vector();
  const std::vector<double> t = a["tensor"].reals(9, 9);
  if (t.size() != 9) a["tensor"].fail_value("a list of nine numbers");
  const Mat3 tensor = Eigen::Map<const Mat3>(t.data());
  if (!tensor.isApprox(tensor.transpose(), 1e-9))
    a["tensor"].fail_value("the nine entries of a symmetric matrix");
  if (shows_results(*object.simulation)) return;
  Access body(object, "BODY_CHARS: 'body'");
  const bool positive = Eigen::SelfAdjointEigenSolver<Mat3>(tensor).eigenvalues().minCoeff() > 0;
  if (body.record().kind != BodyKind::obstacle && !positive)
    a["tensor"].fail_value("the nine entries of a positive definite matrix");
  BodyStore& bodies = body.domain.bodies;
  const int i = body.index;
  // The material stays where it is: the new centre is the image of the new reference centre.
  bodies.center(i) = current_point(bodies, i, center);
  bodies[i].reference = {mass, volume, center, 0.5 * (tensor + tensor.transpose())};
  bodies[i].changes++;
  bodies.update_inertia(i);
}

void set_velocity(const Arguments& a) {
  BodyObject& object = body_of(a["body"]);
  const Vec3 linear = a["linear"].vector(), angular = a["angular"].vector();
  if (shows_results(*object.simulation)) return;
  Access body(object, "INITIAL_VELOCITY: 'body'");
  BodyStore& bodies = body.domain.bodies;
  const int i = body.index;
  if (bodies.kind(i) == BodyKind::pseudo_rigid) {
    Eigen::Map<Mat3>(bodies.u(i)) = skew(angular) * bodies.gradient(i);
    Eigen::Map<Vec3>(bodies.u(i) + 9) = linear;
  } else {
    Eigen::Map<Vec3>(bodies.u(i)) = angular;
    Eigen::Map<Vec3>(bodies.u(i) + 3) = linear;
  }
}

void delete_object(const Arguments& a) {
  const auto simulation = shared_simulation_of(a["solfec"]);
  const Value object = a["object"];
  if (py::isinstance<BodyObject>(object.object())) {
    BodyObject& body = body_of(object);
    if (body.simulation != simulation)
      object.fail_value_saying("this BODY belongs to another SOLFEC object");
    if (!shows_results(*simulation)) {
      body_index(body, object.where());
      delete_body(*simulation, body.id);
    }
    body.emptied = true;
  } else if (py::isinstance<ConstraintObject>(object.object())) {
    auto& constraint = object.object().cast<ConstraintObject&>();
    if (constraint.simulation != simulation)
      object.fail_value_saying("this CONSTRAINT belongs to another SOLFEC object");
    const int row = constraint.emptied ? -1 : simulation->domain.contacts.find(constraint.key);
    if (row < 0) object.fail_value_saying("this CONSTRAINT is gone");
    if (!shows_results(*simulation)) simulation->domain.contacts.remove(row);
    constraint.emptied = true;
  } else {
    object.fail_type("a BODY or a CONSTRAINT object");
  }
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
    for (int i = 0; i < domain.bodies.total(); i++)
      if (domain.bodies[i].label == label)
        return py::cast(BodyObject{simulation, domain.bodies.id(i)});
  }
  return py::none();
}

}  // namespace

void ensure_not_emptied(const BodyObject& body, const std::string& where) {
  if (body.emptied) throw value_error(where + ": this BODY object has been emptied");
}

int body_index(const BodyObject& body, const std::string& where) {
  ensure_not_emptied(body, where);
  const int i = body.simulation->domain.bodies.find(body.id);
  if (i < 0)
    throw value_error(
        fmt::format("{}: body {} is not there at time {:g} (deleted, or out of the "
                    "extents, or not made yet)",
                    where, body.id.value, body.simulation->time));
  return i;
}

BodyObject& body_of(const Value& value) {
  auto& body = value.instance<BodyObject>("BODY");
  ensure_not_emptied(body, value.where());
  return body;
}

py::list body_list(const std::shared_ptr<Simulation>& simulation) {
  py::list list;
  for (int i = 0; i < simulation->domain.bodies.total(); i++)
    list.append(BodyObject{simulation, simulation->domain.bodies.id(i)});
  return list;
}

void define_bodies(Commands& commands) {
  define_body_class(commands);

  commands.add("BODY_CHARS", "body, mass, volume, center, tensor",
               R"(Overwrites the reference characteristics of a body.

body    BODY object
mass    > 0 [kg]
volume  > 0 [m^3]
center  mass centre (x, y, z) [m]
tensor  nine numbers column-wise: inertia tensor of a RIGID body, Euler tensor otherwise; symmetric,
        positive definite [kg m^2]

Acts from the next step on, whenever it is called.)",
               [](const Arguments& a) {
                 set_characteristics(a);
                 return py::none();
               });

  commands.add("INITIAL_VELOCITY", "body, linear, angular", R"(Sets the velocity of a body.

body     BODY object
linear   velocity of the mass centre (vx, vy, vz) [m/s]
angular  angular velocity (wx, wy, wz) [1/s]: in the body's own axes for RIGID bodies and obstacles
         (they coincide with the spatial ones until the body turns), spatial for PSEUDO_RIGID bodies

It acts whenever it is called, during a run too. An OBSTACLE goes on with this velocity.)",
               [](const Arguments& a) {
                 set_velocity(a);
                 return py::none();
               });

  commands.add("DELETE", "solfec, object", R"(Deletes a body or a constraint.

solfec  SOLFEC object
object  (emptied) BODY or CONSTRAINT object. A contact that still overlaps is found again in the next step,
        without its reaction.)",
               [](const Arguments& a) {
                 delete_object(a);
                 return py::none();
               });

  commands.add("BYLABEL", "solfec, kind, label", R"(Finds a labelled object.

solfec  SOLFEC object
kind    'SURFACE_MATERIAL', 'BULK_MATERIAL' or 'BODY'
label   string

Returns the object, or None.)",
               by_label);
}

}  // namespace solfec::input
