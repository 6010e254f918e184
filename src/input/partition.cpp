// PARTITION: a finite-element body becomes glued parts.
#include <fmt/format.h>

#include <algorithm>

#include "body/body_partition.hpp"
#include "domain/joints.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"
#include "parallel/collective_errors.hpp"
#include "synchronisation/reconciliation.hpp"

namespace solfec::input {
namespace {

// All ranks know the exclusions of all afterwards. Collective.
void synchronise_partition(Simulation& s, BodyId body, int parts) {
  SyncRequest request;
  request.point = SyncPoint::partition;
  request.settings = {{"PARTITION", fingerprint_of(body, parts)}};
  request.changed = !s.script.changes.empty();
  if (synchronise_alike(s.communicator, request, *s.script.command_log).changed)
    reconcile_changes(s, false);
}

// What the owner knows of a body, on all ranks.
BodyState state_on_all_ranks(const Simulation& s, BodyId id) {
  const Communicator& ranks = s.communicator;
  const int i = find_here(s, id);
  const int owner = static_cast<int>(ranks.max(i >= 0 ? ranks.rank() : -1));
  ArchiveWriter archive;
  if (ranks.rank() == owner) archive(s.domain.bodies.state(i));
  const Bytes bytes = ranks.broadcast(archive.take(), owner);
  return ArchiveReader(bytes).get<BodyState>();
}

bool is_part(const Simulation& s, BodyId id) {
  const auto glues_it = [&](const Constraint& c) {
    return c.kind == ConstraintKind::glue && (c.key.body1 == id || c.key.body2 == id);
  };
  return s.communicator.any(std::ranges::any_of(s.domain.constraints.all(), glues_it));
}

// A part at rest comes into the motion of the whole, where it lives and in its record.
void set_in_motion(const BodyObject& part, const BodyState& state) {
  BodyStore& bodies = part.simulation->domain.bodies;
  if (const int i = find_here(*part.simulation, part.id()); i >= 0) {
    std::ranges::copy(state.q, bodies.q(i));
    std::ranges::copy(state.u, bodies.u(i));
    std::ranges::copy(state.x, bodies.x(i));
  }
  if (const auto& record = part.handle->record) {
    record->q = state.q;
    record->u = state.u;
    record->x = state.x;
  }
}

// Elements behind the pieces of a mesh, by feature: those at its surface, in their order.
std::vector<int> elements_of_pieces(const Mesh& mesh) {
  std::vector<int> elements;
  for (const BoundaryFace& face : mesh.boundary)
    if (elements.empty() || elements.back() != face.element) elements.push_back(face.element);
  return elements;
}

// Surface elements by node.
std::vector<std::vector<int>> elements_at_nodes(const Mesh& mesh,
                                                const std::vector<int>& elements) {
  std::vector<std::vector<int>> at(mesh.nodes.size());
  for (int e : elements)
    for (int node : mesh.elements[e].used()) at[node].push_back(e);
  return at;
}

// The parts do not touch each other where the whole does not touch itself (at common nodes, or at
// all), nor what the whole must not touch.
void pass_exclusions(ContactExclusions& exclusions, const BodyState& whole,
                     const MeshPartition& partition, const std::vector<BodyId>& parts) {
  const Mesh& mesh = mesh_of(whole.body);
  const std::vector<int> of_whole = elements_of_pieces(mesh);
  std::vector<std::vector<int>> of_parts;
  for (const MeshPart& part : partition.parts) of_parts.push_back(elements_of_pieces(part.mesh));
  const auto piece = [&](int element) {
    const int p = partition.part[element];
    const auto at = std::ranges::lower_bound(of_parts[p], partition.number[element]);
    return ContactExclusions::Piece{parts[p], static_cast<int>(at - of_parts[p].begin())};
  };
  if (whole.body.self_contact) {
    for (const std::vector<int>& elements : elements_at_nodes(mesh, of_whole))
      for (std::size_t j = 0; j < elements.size(); j++)
        for (std::size_t i = 0; i < j; i++) {
          const auto [a, feature_a] = piece(elements[i]);
          const auto [b, feature_b] = piece(elements[j]);
          if (a != b) exclusions.exclude_pieces(a, feature_a, b, feature_b);
        }
  } else {
    for (std::size_t j = 0; j < parts.size(); j++)
      for (std::size_t i = 0; i < j; i++) exclusions.exclude_bodies(parts[i], parts[j]);
  }
  exclusions.inherit(whole.body.id, parts, [&](int feature) { return piece(of_whole[feature]); });
}

// Joints that other bodies hold with the whole go to the part whose element holds the point.
void pass_joints(Domain& domain, const BodyState& whole, const MeshPartition& partition,
                 const std::vector<BodyId>& parts) {
  BodyStore& bodies = domain.bodies;
  for (int i = 0; i < bodies.owned(); i++) {
    const std::vector<Joint> joints = bodies[i].joints;
    for (Joint joint : joints) {
      if (joint.other != whole.body.id) continue;
      remove_constraint(domain, joint_key(bodies.id(i), joint));
      joint.other = parts[part_at(whole.body, partition, joint.other_point)];
      add_joint(domain, i, joint);
    }
  }
}

py::object make_parts(const Arguments& a) {
  BodyObject& object = body_of(a["body"]);
  const Value body = a["body"];
  const int count = a["parts"].integer();
  if (count < 2) a["parts"].fail_value("an integer of at least 2");
  Simulation& s = *object.simulation;
  if (s.running || s.clock.runs > 0 || shows_results(s))
    body.fail_value_saying(
        "a body is divided before the first RUN (in READ mode: before a look at the results)");
  body_index(object, body.where());
  synchronise_partition(s, object.id(), count);
  const BodyState whole = state_on_all_ranks(s, object.id());
  if (const std::string obstacle = partition_obstacle(whole.body); !obstacle.empty())
    body.fail_value_saying(obstacle);
  if (is_part(s, object.id()))
    body.fail_value_saying("this BODY is a part already; divide the whole into more of them");
  const Mesh& mesh = mesh_of(whole.body);
  if (std::cmp_less(mesh.elements.size(), count))
    a["parts"].fail_value(
        fmt::format("at most {}, the number of elements of the mesh", mesh.elements.size()));

  const MeshPartition partition = partition_mesh(mesh, count);
  py::list objects;
  std::vector<BodyId> parts;
  for (const BodyState& state :
       divide_body(whole, partition, s.domain.bulk_materials, BodyId{s.script.next_body})) {
    const BodyObject part = new_body(object.simulation, a.command(), state.body);
    DEMAND(part.id() == state.body.id);  // glue names it
    set_in_motion(part, state);
    parts.push_back(part.id());
    objects.append(part);
  }
  pass_exclusions(s.domain.exclusions, whole, partition, parts);
  pass_joints(s.domain, whole, partition, parts);
  delete_body(s, object.id());
  make_joint_constraints(s.domain);
  if (s.script.state_replaced) s.totals.energy.reset();  // in the frames of the parts
  object.emptied = true;
  return objects;
}

}  // namespace

void define_partition(Commands& commands) {
  commands.add("PARTITION", "body, parts", R"(Divides a finite-element body into glued parts.

body   (emptied) BODY object of kind 'FINITE_ELEMENT' whose shape is its mesh; no part of an earlier PARTITION
parts  number of parts, at least 2, at most the number of elements of the mesh

A large mesh is one body on one rank; its parts are spread over the ranks. On one rank they cost more than they
save. The parts have about the same number of elements. They move like the whole: in the form 'TL' to the tolerance
of the solver; in the form 'BC' each part turns by itself, so that large bending is nearer to that of 'TL'. Large
steps take many sweeps of Gauss-Seidel (theory, section 9).

A node that k parts have is glued by k - 1 CONSTRAINTs of kind 'GLUE'. The parts do not touch each other; where
`selfcontact` of the body was 'ON', all but elements with a common node do. Masses, materials of volumes, scheme,
damping, form, elements, selfcontact, nodecontact, velocities, forces at points (a 'CONVECTED' one turns with its
part), joints and exclusions of contact are those of the whole; a load or a joint goes to a part whose element holds
its point, a PRESSURE to all parts that have faces of its surface. CONSTRAINT objects of joints that the body had
have ended: make joints on the parts to keep them. A FORCE by a callback is an error: give it to the parts.

Call it before the first RUN, in READ mode before results are read; on several ranks it waits for all. The
bodies are numbered from 1 on in their labels: those of a body 'beam' are 'beam_PART1', 'beam_PART2', ...; those
of a body without label have none.

Returns the list of BODY objects.)",
               make_parts);
}

}  // namespace solfec::input
