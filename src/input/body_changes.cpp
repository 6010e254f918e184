// Commands that change or delete a body: BODY_CHARS, MATERIAL, INITIAL_VELOCITY, DELETE.
#include <algorithm>

#include "body/dof_views.hpp"
#include "body/finite_elements.hpp"
#include "body/integration.hpp"
#include "body/kinematics.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"
#include "math/decompositions.hpp"

namespace solfec::input {
namespace {

// The material stays where it is, and moves as it does: the new centre is the image of the new
// reference centre, with the velocity of the point there.
void take_characteristics(BodyStore& bodies, int i, const ReferenceMass& reference) {
  if (!is_meshed(bodies.kind(i))) {
    const Place center = place_of(bodies, i, reference.center);
    const Vec3 velocity = velocity_at(bodies, i, center, bodies.u(i));
    linear_part(bodies.u(i), bodies.dofs(i)) = velocity;
    bodies.center(i) = center.x;
  }
  bodies[i].reference = reference;
  bodies[i].changes++;
  bodies.update_inertia(i);
}

void set_characteristics(const Arguments& a) {
  BodyObject& object = body_of(a["body"]);
  const double mass = a["mass"].positive(), volume = a["volume"].positive();
  const Vec3 center = a["center"].vector();
  const std::vector<double> t = a["tensor"].numbers(9);
  const Mat3 tensor = Eigen::Map<const Mat3>(t.data());
  constexpr double kSymmetric = 1e-9;  // of its norm
  if (!tensor.isApprox(tensor.transpose(), kSymmetric))
    a["tensor"].fail_value("the nine entries of a symmetric matrix");
  if (shows_results(*object.simulation)) return;
  const std::string where = a["body"].where();
  const Vec3 moments = symmetric_eigen(tensor).values;
  const bool positive = moments.minCoeff() > 0;
  const Body* record = body_record(object, where);
  if (record && is_meshed(record->kind))
    a["body"].fail_value_saying(
        "a FINITE_ELEMENT body has the characteristics of its mesh and its materials");
  if (record && !is_obstacle(record->kind) && !positive)
    a["tensor"].fail_value("the nine entries of a positive definite matrix");
  constexpr double kRounded = 1e-6;
  if (record && record->kind == BodyKind::rigid &&
      moments.maxCoeff() > (1 + kRounded) * (moments.sum() - moments.maxCoeff()))
    a["tensor"].fail_value(
        "an inertia tensor: none of its principal moments is larger than the sum of the others");
  const ReferenceMass reference{mass, volume, center, 0.5 * (tensor + tensor.transpose())};
  change_body(object, where, a.command(), fingerprint_of(reference),
              [&](BodyStore& bodies, int i) { take_characteristics(bodies, i, reference); });
}

// The material of one volume of a body.
void set_material(const Arguments& a) {
  Simulation& s = simulation_of(a["solfec"]);
  const BodyObject& object = body_of(a["body"]);
  if (object.simulation.get() != &s)
    a["body"].fail_value_saying("this BODY belongs to another SOLFEC object");
  const int material = material_index(a["material"], s);
  const VolumeMaterial given{a["volid"].integer(), material,
                             s.domain.bulk_materials[material].density};
  if (shows_results(s)) return;
  const std::string where = a["body"].where();
  const Body* record = body_record(object, where);
  if (record && is_obstacle(record->kind))
    a["body"].fail_value_saying("an OBSTACLE moves as it is told, whatever its material");
  const bool deforms = record && is_meshed(record->kind);
  if (deforms) check_deforms(a["material"], s.domain.bulk_materials[material]);
  const int index = find_here(s, object.id());
  if (index >= 0 && !has_volume(*s.domain.bodies[index].shape, given.volume))
    a["volid"].fail_value("a volume identifier of the body's shape");
  if (deforms) s.script.deforming.insert(material);
  change_body(object, where, a.command(), fingerprint_of(given), [&](BodyStore& bodies, int i) {
    Body& body = bodies[i];
    std::erase_if(body.volume_materials,
                  [&](const VolumeMaterial& known) { return known.volume == given.volume; });
    body.volume_materials.push_back(given);
    body.changes++;
    take_characteristics(bodies, i, reference_mass(body));
    if (is_meshed(body.kind))
      bodies.finite_elements(i, s.domain.bulk_materials).fit(bodies.x(i), bodies.q(i));
  });
}

void set_velocity(const Arguments& a) {
  const BodyObject& object = body_of(a["body"]);
  const Vec3 velocity = a["linear"].vector(), spin = a["angular"].vector();
  if (shows_results(*object.simulation)) return;
  const Body* record = body_record(object, a["body"].where());
  if (record && !is_obstacle(record->kind) && is_of_no_use(*object.simulation, a.command())) return;
  change_body(object, a["body"].where(), a.command(), fingerprint_of(velocity, spin),
              [&](BodyStore& bodies, int i) {
                if (is_meshed(bodies.kind(i))) {
                  for (int n = 0; n < bodies[i].nodes; n++)
                    node_part(bodies.u(i), n) =
                        velocity + spin.cross(node_part(bodies.x(i), n) - bodies.center(i));
                } else if (is_affine(bodies.kind(i))) {
                  affine_rate_part(bodies.u(i)) = skew(spin) * bodies.gradient(i);
                  affine_linear_part(bodies.u(i)) = velocity;
                } else {
                  angular_part(bodies.u(i)) = spin;
                  rigid_linear_part(bodies.u(i)) = velocity;
                  if (is_obstacle(bodies.kind(i)))
                    rigid_linear_part(bodies.u(i)) +=
                        prescribed_velocity(bodies[i], object.simulation->clock.time);
                }
              });
}

void delete_body_object(BodyObject& body, const Value& value) {
  Simulation& s = *body.simulation;
  if (!shows_results(s)) {
    body_index(body, value.where());
    if (!collects_changes(s)) record_common(s, "DELETE", fingerprint_of(body.id()));
    delete_body(s, body.id());
  }
  body.emptied = true;
}

// On several ranks a contact that is not here may be elsewhere: all ranks are told of it.
void delete_constraint_object(ConstraintObject& constraint, const Value& value) {
  Simulation& s = *constraint.simulation;
  const ContactKey key = constraint.key();
  const bool here = s.domain.constraints.find(key) >= 0 || is_obstacle_joint(s.domain.bodies, key);
  if (constraint.emptied || (!here && s.communicator.size() == 1))
    value.fail_value_saying("this CONSTRAINT is gone");
  if (!shows_results(s)) {
    if (!collects_changes(s) && is_obstacle_joint(s.domain.bodies, key))
      record_common(s, "DELETE", fingerprint_of(key));
    delete_constraint(s, key);
  }
  constraint.emptied = true;
}

void delete_object(const Arguments& a) {
  const auto simulation = shared_simulation_of(a["solfec"]);
  const Value object = a["object"];
  if (py::isinstance<BodyObject>(object.object())) {
    BodyObject& body = body_of(object);
    if (body.simulation != simulation)
      object.fail_value_saying("this BODY belongs to another SOLFEC object");
    delete_body_object(body, object);
  } else if (py::isinstance<ConstraintObject>(object.object())) {
    auto& constraint = object.object().cast<ConstraintObject&>();
    if (constraint.simulation != simulation)
      object.fail_value_saying("this CONSTRAINT belongs to another SOLFEC object");
    delete_constraint_object(constraint, object);
  } else {
    object.fail_type("a BODY or a CONSTRAINT object");
  }
}

}  // namespace

void define_body_changes(Commands& commands) {
  commands.add("BODY_CHARS", "body, mass, volume, center, tensor",
               R"(Overwrites the reference characteristics of a body.

body    BODY object
mass    > 0 [kg]
volume  > 0 [m^3]
center  mass centre (x, y, z) [m]
tensor  nine numbers column-wise: inertia tensor of a RIGID body, whose principal moments are no larger
        than the sum of the other two, Euler tensor otherwise; symmetric, positive definite [kg m^2]

A FINITE_ELEMENT body is an error: its characteristics are those of its mesh and its materials.

Acts from the next step on, whenever it is called. The body goes on as it moved: its new centre has the velocity of
the point there.)",
               [](const Arguments& a) {
                 set_characteristics(a);
                 return py::none();
               });

  commands.add("MATERIAL", "solfec, body, volid, material",
               R"(Assigns a bulk material to a volume of a body.

solfec    SOLFEC object
body      BODY object, not an OBSTACLE
volid     volume identifier, of solids or of elements of its shape
material  BULK_MATERIAL object or its label

Elements of a FINITE_ELEMENT body take density and elastic constants. Of other bodies mass, centre and tensor are
computed anew from the densities (values set by BODY_CHARS are lost), and a PSEUDO_RIGID body keeps the elastic
constants with which it was created. Acts from the next step on.)",
               [](const Arguments& a) {
                 set_material(a);
                 return py::none();
               });

  commands.add("INITIAL_VELOCITY", "body, linear, angular", R"(Sets the velocity of a body.

body     BODY object
linear   velocity of the mass centre (vx, vy, vz) [m/s]
angular  angular velocity (wx, wy, wz) [1/s]: in the body's own axes for RIGID bodies and obstacles
         (they coincide with the spatial ones until the body turns), spatial for PSEUDO_RIGID and
         FINITE_ELEMENT bodies

It acts whenever it is called, during a run too. An OBSTACLE keeps this velocity.)",
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
}

}  // namespace solfec::input
