#include "body/body_partition.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "body/finite_elements.hpp"
#include "body/kinematics.hpp"
#include "body/pressure.hpp"

namespace solfec {
namespace {

// Without loads and joints.
Body body_of_part(const Body& whole, const MeshPart& part, int number) {
  Body body;
  body.kind = whole.kind;
  body.scheme = whole.scheme;
  if (!whole.label.empty()) body.label = fmt::format("{}_PART{}", whole.label, number);
  body.material = whole.material;
  body.density = whole.density;
  body.damping = whole.damping;
  body.form = whole.form;
  body.plain_elements = whole.plain_elements;
  body.self_contact = whole.self_contact;
  body.node_contact = whole.node_contact;
  body.nodes = static_cast<int>(part.node.size());
  body.shape = std::make_shared<const Shape>(Shape{part.mesh});
  for (const VolumeMaterial& material : whole.volume_materials)
    if (has_volume(*body.shape, material.volume)) body.volume_materials.push_back(material);
  body.reference = reference_mass(body);
  return body;
}

std::vector<double> at_nodes(const std::vector<double>& field, const std::vector<int>& nodes) {
  std::vector<double> values;
  for (int node : nodes)
    for (int k = 0; k < 3; k++) values.push_back(field[3 * node + k]);
  return values;
}

BodyState state_of_part(const BodyState& whole, const MeshPart& part, Body body,
                        const BulkMaterials& materials) {
  BodyStore store;
  store.add(std::move(body));
  std::ranges::copy(at_nodes(whole.u, part.node), store.u(0));
  const std::vector<double> x = at_nodes(whole.x, part.node);
  const bool moved = !std::ranges::equal(x, std::span(store.x(0), x.size()));
  std::ranges::copy(x, store.x(0));
  if (moved) store.finite_elements(0, materials).fit(store.x(0), store.q(0));
  return store.state(0);
}

// Joints that a part holds have names of their own, also beside those that the whole had.
std::uint32_t number_of_glue(const Body& whole, int node, std::size_t which, std::size_t parts) {
  auto number = static_cast<std::uint32_t>(node + which * whole.nodes);
  while (std::ranges::find(whole.joints, number, &Joint::number) != whole.joints.end())
    number += static_cast<std::uint32_t>(parts * whole.nodes);
  return number;
}

// From the first part that has the node to each of the others.
void glue_node(const Body& whole, int node, const std::vector<int>& having,
               std::vector<Body>& parts) {
  for (std::size_t k = 1; k < having.size(); k++) {
    Joint joint;
    joint.kind = ConstraintKind::glue;
    joint.number = number_of_glue(whole, node, k - 1, parts.size());
    joint.other = parts[having[k]].id;
    joint.point = joint.other_point = mesh_of(whole).nodes[node];
    joint.measured = true;
    parts[having[0]].joints.push_back(std::move(joint));
  }
}

// A force goes to the part that holds its point, a pressure to all that have faces of its surface.
void divide_load(const Body& whole, const MeshPartition& partition, const Load& load,
                 std::vector<Body>& parts) {
  if (const auto* pressure = std::get_if<Pressure>(&load)) {
    for (Body& part : parts)
      if (has_surface(mesh_of(part), pressure->surface)) part.loads.emplace_back(*pressure);
    return;
  }
  PointForce force = std::get<PointForce>(load);  // no other one acts on parts
  force.element = -1;
  parts[part_at(whole, partition, force.point)].loads.emplace_back(std::move(force));
}

}  // namespace

std::string partition_obstacle(const Body& body) {
  if (!is_meshed(body.kind)) return "only a FINITE_ELEMENT body can be divided";
  if (body.background)
    return "a body with a mesh around its shape cannot be divided, only one whose shape is its "
           "mesh";
  const auto by_function = [](const Load& load) { return std::holds_alternative<UserForce>(load); };
  if (std::ranges::any_of(body.loads, by_function))
    return "the callback of a FORCE acts on the whole body; give it to the parts, after PARTITION";
  return {};
}

int part_at(const Body& whole, const MeshPartition& partition, const Vec3& point) {
  return partition.part[element_at(whole, point)];
}

std::vector<BodyState> divide_body(const BodyState& whole, const MeshPartition& partition,
                                   const BulkMaterials& materials, BodyId first) {
  const Body& body = whole.body;
  std::vector<Body> bodies;
  for (const MeshPart& part : partition.parts) {
    const auto before = static_cast<std::uint32_t>(bodies.size());
    bodies.push_back(body_of_part(body, part, static_cast<int>(before) + 1));
    bodies.back().id = BodyId{first.value + before};
  }
  for (const Load& load : body.loads) divide_load(body, partition, load, bodies);
  for (const Joint& joint : body.joints)
    bodies[part_at(body, partition, joint.point)].joints.push_back(joint);
  const auto having = parts_of_nodes(mesh_of(body), partition);
  for (int node = 0; node < body.nodes; node++) glue_node(body, node, having[node], bodies);
  std::vector<BodyState> states;
  for (std::size_t p = 0; p < bodies.size(); p++)
    states.push_back(state_of_part(whole, partition.parts[p], std::move(bodies[p]), materials));
  return states;
}

}  // namespace solfec
