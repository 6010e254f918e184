#include <fmt/format.h>
#include <pybind11/stl.h>

#include <optional>

#include "body/kinematics.hpp"
#include "constraint/joint_kinds.hpp"
#include "input/objects.hpp"
#include "input/python_value.hpp"
#include "input/session.hpp"
#include "simulation/locdyn_dump.hpp"

namespace solfec::input {
namespace {

// The joint of an obstacle prescribes its motion and makes no row: there is no reaction.
std::optional<Constraint> constraint_of_obstacle(const Simulation& s, const ContactKey& key) {
  const int i = is_joint(key) ? s.domain.bodies.find(key.body1) : -1;
  if (i < 0 || !is_obstacle(s.domain.bodies.kind(i))) return std::nullopt;
  for (const Joint& joint : s.domain.bodies[i].joints) {
    if (joint.number != key.feature2 || joint.other.valid()) continue;
    Constraint c;
    c.kind = joint.kind;
    c.key = key;
    c.point = current_point(s.domain.bodies, i, joint.point);
    c.set_base(joint_base(joint, joint.direction));
    return c;
  }
  return std::nullopt;
}

// A member of a constraint that is here. On several ranks one that is not may be elsewhere: None.
template <class Get>
py::object of_constraint(const ConstraintObject& o, const char* member, Get get) {
  const Simulation& s = *o.simulation;
  const ContactKey key = o.key();
  const int row = o.emptied ? -1 : s.domain.constraints.find(key);
  if (row >= 0) return to_python(get(s.domain.constraints.all()[row]));
  if (!o.emptied) {
    if (const auto c = constraint_of_obstacle(s, key)) return to_python(get(*c));
    if (s.communicator.size() > 1) return py::none();
  }
  throw value_error(fmt::format("CONSTRAINT.{}: this constraint has ended", member));
}

// What repr says, also of a constraint that has ended or is on another rank.
std::string constraint_text(const ConstraintObject& o) {
  const Simulation& s = *o.simulation;
  const ContactKey key = o.key();
  const std::string bodies = key.body2.valid()
                                 ? fmt::format("bodies {} and {}", key.body1.value, key.body2.value)
                                 : fmt::format("body {}", key.body1.value);
  const int row = o.emptied ? -1 : s.domain.constraints.find(key);
  if (row >= 0)
    return fmt::format("<CONSTRAINT {} of {}>",
                       traits_of(s.domain.constraints.all()[row].kind).name, bodies);
  if (!o.emptied)
    if (const auto c = constraint_of_obstacle(s, key))
      return fmt::format("<CONSTRAINT {} of {}>", traits_of(c->kind).name, bodies);
  const bool alone = o.emptied || s.communicator.size() == 1;
  return fmt::format("<CONSTRAINT of {}, {}>", bodies, alone ? "ended" : "not on this rank");
}

void define_constraint_class(Commands& commands) {
  py::class_<ConstraintObject> constraint(
      commands.module(), "CONSTRAINT",
      R"(A constraint: a contact, found in SOLFEC.constraints and BODY.constraints, or a joint, which is what
the commands that make joints return.

Members, read only:
kind    'CONTACT', 'FIXPNT' (fixed point), 'FIXDIR' (fixed direction), 'VELODIR' (prescribed motion),
        'VELODIR3' (the same along three directions), 'RIGLNK' (rigid link), 'SPRING' or 'GLUE' (nodes of
        two parts, see PARTITION)
R       average reaction over the last step (T1, T2, N) in the local base [N]; it acts on the first
        adjacent body, -R on the second
U       relative velocity (first minus second body) at the end of the step, same base [m/s]
V       the same at its start
base    local base row by row: (eT1x, eT2x, eNx, eT1y, eT2y, eNy, eT1z, eT2z, eNz); right-handed, the
        normal is outward of the second body. That of a FIXPNT and of GLUE are the axes of space, the
        normal of FIXDIR and VELODIR is their direction, that of a RIGLNK points from its second point to
        the first, so does that of a SPRING without direction. That of a VELODIR3 is the given one.
point   (x, y, z) where the reaction acts [m]; RIGLNK and SPRING: six numbers, both points
area    contact area [m^2]
gap     negative in penetration [m]
merit   share in the merit function
adjbod  tuple of the two bodies, or the body that is joined to space
matlab  label of the surface material
spair   surface identifiers (surf1, surf2)
damage  of a contact that is glued: the share of its fracture energy that is used up, from 0 to 1; of all
        others None

Of a joint area and gap are zero, matlab and spair None. A CONSTRAINT object of a contact or joint that
has ended raises ValueError.)");
  constraint.def(py::init([](const py::args&, const py::kwargs&) -> ConstraintObject {
    throw RunError("CONSTRAINT objects cannot be made directly");
  }));
  constraint.def(
      "__eq__",
      [](const ConstraintObject& x, const ConstraintObject& y) {
        return x.simulation == y.simulation && x.key() == y.key();
      },
      py::is_operator());
  constraint.def("__repr__", constraint_text);
  constraint.def("__hash__", [](const ConstraintObject& o) {
    const ContactKey key = o.key();
    std::size_t hash = 0;
    for (std::uint32_t part :
         {key.body1.value, key.body2.value, key.feature1, key.feature2, key.point})
      hash = hash * 0x9E3779B97F4A7C15u + part;
    return hash;
  });
  const auto member = [&](const char* name, const char* documentation, auto get) {
    read_only(constraint, name, documentation,
              [name, get](const ConstraintObject& o) { return of_constraint(o, name, get); });
  };
  member("kind",
         "'CONTACT', 'FIXPNT', 'FIXDIR', 'VELODIR', 'VELODIR3', 'RIGLNK', 'SPRING' or 'GLUE'.",
         [](const Constraint& c) { return traits_of(c.kind).name; });
  member("R", "Average reaction (T1, T2, N) [N].", [](const Constraint& c) { return tuple3(c.R); });
  member("U", "Relative velocity at the end of the step (T1, T2, N) [m/s].",
         [](const Constraint& c) { return tuple3(c.U); });
  member("V", "Relative velocity at the start of the step (T1, T2, N) [m/s].",
         [](const Constraint& c) { return tuple3(c.V); });
  member("base", "Local base, row by row.", [](const Constraint& c) {
    const Mat3 base = c.base();
    py::tuple rows(9);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) rows[3 * i + j] = base(i, j);
    return rows;
  });
  member(
      "point",
      "Point where the reaction acts (on the first body, if they do not touch yet); of a link or "
      "spring both points [m].",
      [](const Constraint& c) -> py::tuple {
        if (!joins_two_points(c.kind)) return tuple3(c.point);
        return tuple3(c.point) + tuple3(c.point_of(1));
      });
  member("area", "Contact area [m^2].", [](const Constraint& c) { return c.area; });
  member("gap", "Gap, negative in penetration [m].", [](const Constraint& c) { return c.gap; });
  member("merit", "Share in the merit function.", [](const Constraint& c) { return c.merit; });
  read_only(constraint, "adjbod", "The two bodies, or the one.", [](const ConstraintObject& o) {
    return of_constraint(o, "adjbod", [&](const Constraint& c) -> py::object {
      if (!c.key.body2.valid()) return py::cast(body_object(o.simulation, c.key.body1));
      return py::make_tuple(body_object(o.simulation, c.key.body1),
                            body_object(o.simulation, c.key.body2));
    });
  });
  read_only(constraint, "matlab", "Label of the surface material.", [](const ConstraintObject& o) {
    return of_constraint(o, "matlab", [&](const Constraint& c) -> py::object {
      if (!c.is_contact()) return py::none();
      return py::cast(o.simulation->domain.surface_materials[c.material].label);
    });
  });
  read_only(constraint, "damage", "Share of the fracture energy that glue has used up, or None.",
            [](const ConstraintObject& o) {
              return of_constraint(o, "damage", [&](const Constraint& c) -> py::object {
                if (!c.bond) return py::none();
                const SurfaceMaterials& materials = o.simulation->domain.surface_materials;
                const double energy = materials[c.material].fracture_energy * c.area;
                return py::float_(energy > 0 ? c.bond->work / energy : 0.0);
              });
            });
  member("spair", "Surface identifiers.", [](const Constraint& c) -> py::object {
    if (!c.is_contact()) return py::none();
    return py::make_tuple(c.surface1, c.surface2);
  });
}

// Where the body lives it is known whether a point is inside of it.
void check_piece_at(const BodyObject& body, const Value& point) {
  Domain& domain = body.simulation->domain;
  const int i = body_index(body, point.where());
  const Vec3 x = point.vector();
  if (i >= 0 && piece_at(domain, i, x) < 0)
    point.fail_value(
        "a reference point inside of a geometric object of the body that touches its surface");
}

void check_same_model(const BodyObject& one, const BodyObject& two, const Value& second) {
  if (one.simulation != two.simulation)
    second.fail_value_saying("the two bodies belong to different SOLFEC objects");
}

}  // namespace

py::list constraint_list(const std::shared_ptr<Simulation>& simulation,
                         std::optional<BodyId> of_body) {
  py::list list;
  for (const Constraint& c : simulation->domain.constraints.all())
    if (!of_body || c.key.body1 == *of_body || c.key.body2 == *of_body)
      list.append(ConstraintObject{simulation, c.key});
  return list;
}

void define_contacts(Commands& commands) {
  define_constraint_class(commands);

  commands.add("CONTACT_EXCLUDE_BODIES", "body1, body2", R"(Switches contact off between two bodies.

body1, body2  BODY objects)",
               [](const Arguments& a) -> py::object {
                 const BodyObject &one = body_of(a["body1"]), &two = body_of(a["body2"]);
                 check_same_model(one, two, a["body2"]);
                 if (shows_results(*one.simulation)) return py::none();
                 body_index(one, a["body1"].where());
                 body_index(two, a["body2"].where());
                 Simulation& s = *one.simulation;
                 if (!collects_changes(s))
                   record_common(s, a.command(), fingerprint_of(one.id(), two.id()));
                 exclude_bodies(s, one.id(), two.id());
                 return py::none();
               });

  commands.add("CONTACT_EXCLUDE_SURFACES", "solfec, surf1, surf2",
               R"(Switches contact off between two surfaces.

solfec        SOLFEC object
surf1, surf2  surface identifiers)",
               [](const Arguments& a) -> py::object {
                 Simulation& simulation = simulation_of(a["solfec"]);
                 const int surf1 = a["surf1"].integer(), surf2 = a["surf2"].integer();
                 if (!collects_changes(simulation))
                   record_common(simulation, a.command(), fingerprint_of(surf1, surf2));
                 exclude_surfaces(simulation, surf1, surf2);
                 return py::none();
               });

  commands.add(
      "CONTACT_EXCLUDE_OBJECTS", "body1, point1, body2, point2",
      R"(Switches contact off between two geometric objects: elements, convex polyhedra, balls, ellipsoids.

body1, body2    BODY objects
point1, point2  reference points (x, y, z) inside of the two objects [m])",
      [](const Arguments& a) -> py::object {
        const BodyObject &one = body_of(a["body1"]), &two = body_of(a["body2"]);
        check_same_model(one, two, a["body2"]);
        if (shows_results(*one.simulation)) return py::none();
        check_piece_at(one, a["point1"]);
        check_piece_at(two, a["point2"]);
        const Vec3 point1 = a["point1"].vector(), point2 = a["point2"].vector();
        Simulation& s = *one.simulation;
        if (!collects_changes(s))
          record_common(s, a.command(), fingerprint_of(one.id(), two.id(), point1, point2));
        exclude_pieces(s, {one.id(), two.id(), point1, point2});
        return py::none();
      });

  commands.add("CONTACT_SPARSIFY", "solfec | threshold, minarea, mindist",
               R"(Sets how redundant contact points are filtered out.

solfec     SOLFEC object
threshold  from 0 to 1 (default: 0.01). Of two contacts of one pair of bodies, between the same or
           neighbouring geometric objects (elements or polyhedra that share a vertex), the one is dropped
           whose area is below threshold times the other's. 0 keeps all.
minarea    contacts of smaller area are dropped (default: 0) [m^2]
mindist    contacts of one pair of bodies nearer than twice this distance are one (default:
           GEOMETRIC_EPSILON) [m])",
               [](const Arguments& a) -> py::object {
                 Simulation& simulation = simulation_of(a["solfec"]);
                 Sparsification s;
                 if (a["threshold"].given()) s.threshold = a["threshold"].between(0, 1);
                 if (a["minarea"].given()) s.min_area = a["minarea"].non_negative();
                 if (a["mindist"].given()) s.min_distance = a["mindist"].non_negative();
                 simulation.domain.detection_settings.sparsification = s;
                 record_common(simulation, a.command(),
                               fingerprint_of(s.threshold, s.min_area, s.min_distance));
                 return py::none();
               });

  commands.add("UNPHYSICAL_PENETRATION", "solfec, depth", R"(Bounds the depth of contacts.

solfec  SOLFEC object
depth   > 0 [m]; a deeper contact ends the run with RuntimeError (default: no bound))",
               [](const Arguments& a) -> py::object {
                 Simulation& simulation = simulation_of(a["solfec"]);
                 simulation.domain.unphysical_penetration = a["depth"].positive();
                 record_common(simulation, a.command(),
                               fingerprint_of(simulation.domain.unphysical_penetration));
                 return py::none();
               });

  const auto session = commands.session();
  commands.add("GEOMETRIC_EPSILON", "epsilon",
               R"(Sets the distance below which two points are taken as one.

epsilon  > 0 (default: 1E-6) [m]; holds for all SOLFEC objects)",
               [session](const Arguments& a) -> py::object {
                 const double epsilon = a["epsilon"].positive();
                 for (const auto& one : session->simulations)
                   if (const auto simulation = one.lock(); simulation && simulation->stepping)
                     fail_in_step("cannot be called");
                 session->geometric_epsilon = epsilon;
                 for (const auto& one : session->simulations)
                   if (const auto simulation = one.lock())
                     simulation->domain.detection_settings.epsilon = session->geometric_epsilon;
                 return py::none();
               });

  commands.add(
      "LOCDYN_DUMP", "solfec, path",
      R"(Writes the local dynamics of the last step as text: per constraint B, V, U, R and the blocks of W.

solfec  SOLFEC object
path    file path; a file that is there is replaced

ValueError before the first step, and in 'READ' mode: results do not hold the local dynamics.)",
      [](const Arguments& a) -> py::object {
        Simulation& simulation = simulation_of(a["solfec"]);
        const std::string path = a["path"].path();
        try {
          dump_local_dynamics(simulation, path);
        } catch (const InputError& error) {
          a["solfec"].fail_value_saying(error.what());
        }
        return py::none();
      });
}

}  // namespace solfec::input
