#include <fmt/format.h>
#include <pybind11/stl.h>

#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {
namespace {

const Contact& contact_of(const ConstraintObject& o, const char* member) {
  const int row = o.emptied ? -1 : o.simulation->domain.contacts.find(o.key);
  if (row < 0) throw value_error(fmt::format("CONSTRAINT.{}: this contact has ended", member));
  return o.simulation->domain.contacts.contacts()[row];
}

void define_constraint_class(Commands& commands) {
  py::class_<ConstraintObject> constraint(
      commands.module(), "CONSTRAINT",
      R"(A constraint; found in SOLFEC.constraints and BODY.constraints.

Members, read only:
kind    'CONTACT'
R       average reaction over the last step (T1, T2, N) in the local base [N]; it acts on the first
        adjacent body, -R on the second
U       relative velocity (first minus second body) at the end of the step, same base [m/s]
V       the same at its start
base    local base row by row: (eT1x, eT2x, eNx, eT1y, eT2y, eNy, eT1z, eT2z, eNz); right-handed, the
        normal is outward of the second body
point   (x, y, z) where the reaction acts [m]
area    contact area [m^2]
gap     negative in penetration [m]
merit   share in the merit function
adjbod  tuple of the two bodies
matlab  label of the surface material
spair   surface identifiers (surf1, surf2)

A CONSTRAINT object of a contact that has ended raises ValueError.)");
  constraint.def(py::init([](const py::args&, const py::kwargs&) -> ConstraintObject {
    throw RunError("CONSTRAINT objects cannot be made directly");
  }));
  constraint.def(
      "__eq__",
      [](const ConstraintObject& x, const ConstraintObject& y) {
        return x.simulation == y.simulation && x.key == y.key;
      },
      py::is_operator());
  constraint.def("__hash__", [](const ConstraintObject& o) {
    std::size_t hash = 0;
    for (std::uint32_t part :
         {o.key.body1.value, o.key.body2.value, o.key.feature1, o.key.feature2, o.key.point})
      hash = hash * 0x9E3779B97F4A7C15u + part;
    return hash;
  });
  read_only(constraint, "kind", "'CONTACT'.", [](const ConstraintObject& o) {
    contact_of(o, "kind");
    return "CONTACT";
  });
  read_only(constraint, "R", "Average reaction (T1, T2, N) [N].",
            [](const ConstraintObject& o) { return tuple3(contact_of(o, "R").R); });
  read_only(constraint, "U", "Relative velocity at the end of the step (T1, T2, N) [m/s].",
            [](const ConstraintObject& o) { return tuple3(contact_of(o, "U").U); });
  read_only(constraint, "V", "Relative velocity at the start of the step (T1, T2, N) [m/s].",
            [](const ConstraintObject& o) { return tuple3(contact_of(o, "V").V); });
  read_only(constraint, "base", "Local base, row by row.", [](const ConstraintObject& o) {
    const Mat3& base = contact_of(o, "base").base;
    py::tuple rows(9);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) rows[3 * i + j] = base(i, j);
    return rows;
  });
  read_only(constraint, "point", "Point where the reaction acts [m].",
            [](const ConstraintObject& o) { return tuple3(contact_of(o, "point").point); });
  read_only(constraint, "area", "Contact area [m^2].",
            [](const ConstraintObject& o) { return contact_of(o, "area").area; });
  read_only(constraint, "gap", "Gap, negative in penetration [m].",
            [](const ConstraintObject& o) { return contact_of(o, "gap").gap; });
  read_only(constraint, "merit", "Share in the merit function.",
            [](const ConstraintObject& o) { return contact_of(o, "merit").merit; });
  read_only(constraint, "adjbod", "The two bodies.", [](const ConstraintObject& o) {
    const Contact& c = contact_of(o, "adjbod");
    return py::make_tuple(BodyObject{o.simulation, c.key.body1},
                          BodyObject{o.simulation, c.key.body2});
  });
  read_only(constraint, "matlab", "Label of the surface material.", [](const ConstraintObject& o) {
    return o.simulation->domain.surface_materials[contact_of(o, "matlab").material].label;
  });
  read_only(constraint, "spair", "Surface identifiers.", [](const ConstraintObject& o) {
    const Contact& c = contact_of(o, "spair");
    return py::make_tuple(c.surface1, c.surface2);
  });
}

// Piece of a body that holds a reference point.
int piece_at(const BodyObject& body, const Value& point) {
  Domain& domain = body.simulation->domain;
  const int i = body_index(body, point.where());
  domain.pieces.synchronise(domain.bodies);
  const ReferencePieces& pieces = domain.pieces.reference(i);
  const Vec3 offset = point.vector() - domain.bodies[i].reference.center;
  for (int feature = 0; feature < static_cast<int>(pieces.items().size()); feature++)
    if (reference_piece_contains(pieces, feature, offset, domain.detection_settings.epsilon))
      return feature;
  point.fail_value(
      "a reference point inside of a geometric object of the body that touches its "
      "surface");
}

void check_same_model(const BodyObject& one, const BodyObject& two, const Value& second) {
  if (one.simulation != two.simulation)
    second.fail_value_saying("the two bodies belong to different SOLFEC objects");
}

}  // namespace

py::list constraint_list(const std::shared_ptr<Simulation>& simulation,
                         std::optional<BodyId> of_body) {
  py::list list;
  for (const Contact& c : simulation->domain.contacts.contacts())
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
                 one.simulation->domain.exclusions.exclude_bodies(one.id, two.id);
                 return py::none();
               });

  commands.add("CONTACT_EXCLUDE_SURFACES", "solfec, surf1, surf2",
               R"(Switches contact off between two surfaces.

solfec        SOLFEC object
surf1, surf2  surface identifiers)",
               [](const Arguments& a) -> py::object {
                 Simulation& simulation = simulation_of(a["solfec"]);
                 const int surf1 = a["surf1"].integer(), surf2 = a["surf2"].integer();
                 simulation.domain.exclusions.exclude_surfaces(surf1, surf2);
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
        const int piece1 = piece_at(one, a["point1"]), piece2 = piece_at(two, a["point2"]);
        one.simulation->domain.exclusions.exclude_pieces(one.id, piece1, two.id, piece2);
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
                 return py::none();
               });

  commands.add("UNPHYSICAL_PENETRATION", "solfec, depth", R"(Bounds the depth of contacts.

solfec  SOLFEC object
depth   > 0 [m]; a deeper contact ends the run with RuntimeError (default: no bound))",
               [](const Arguments& a) -> py::object {
                 Simulation& simulation = simulation_of(a["solfec"]);
                 simulation.domain.unphysical_penetration = a["depth"].positive();
                 return py::none();
               });

  const auto session = commands.session();
  commands.add("GEOMETRIC_EPSILON", "epsilon",
               R"(Sets the distance below which two points are taken as one.

epsilon  > 0 (default: 1E-6) [m]; holds for all SOLFEC objects)",
               [session](const Arguments& a) -> py::object {
                 session->geometric_epsilon = a["epsilon"].positive();
                 for (const auto& one : session->simulations)
                   if (const auto simulation = one.lock())
                     simulation->domain.detection_settings.epsilon = session->geometric_epsilon;
                 return py::none();
               });

  commands.add(
      "LOCDYN_DUMP", "solfec, path",
      R"(Writes the local dynamics of the last step as text: per constraint B, V, U, R and the blocks of W.

solfec  SOLFEC object
path    file path)",
      [](const Arguments& a) -> py::object {
        Simulation& simulation = simulation_of(a["solfec"]);
        const std::string path = a["path"].path();
        if (simulation.steps == 0 || simulation.mode == Mode::read)
          a["solfec"].fail_value_saying("no step has been made yet");
        if (simulation.domain.local_dynamics.rows() != simulation.domain.contacts.count())
          a["solfec"].fail_value_saying("bodies or constraints were deleted since the last step");
        try {
          std::vector<std::string> names;
          for (const ContactKey& key : row_keys(simulation.domain)) names.push_back(name(key));
          dump(simulation.domain.local_dynamics, names, path);
        } catch (const std::system_error& error) {
          throw RunError(fmt::format("cannot write '{}': {}", path, error.code().message()));
        }
        return py::none();
      });
}

}  // namespace solfec::input
