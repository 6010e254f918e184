// What commands share about bodies: their objects, records on other ranks, materials, changes.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "body/integration.hpp"
#include "body/kinematics.hpp"
#include "core/log.hpp"
#include "input/objects.hpp"
#include "input/session.hpp"

namespace solfec::input {

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

void check_deforms(const Value& value, const BulkMaterial& material) {
  if (material.poisson < 0.5) return;
  value.fail_value_saying(fmt::format(
      "a body that deforms needs a poisson below 0.5; that of the material '{}' is {:g}",
      material.label, material.poisson));
}

bool is_of_no_use(Simulation& simulation, const std::string& where) {
  if (simulation.domain.analysis == Analysis::dynamic) return false;
  if (simulation.script.warned.insert(where).second)
    log::warning(where + " has no effect in QUASI_STATIC analysis, whose steps start from rest");
  return true;
}

void ensure_not_emptied(const BodyObject& body, const std::string& where) {
  if (body.emptied)
    throw value_error(where + ": this BODY object has been emptied, or the body was deleted");
}

BodyObject body_object(const std::shared_ptr<Simulation>& simulation, BodyId id) {
  const Simulation& s = *simulation;
  if (is_new(s, id))
    return {
        simulation,
        s.script.changes.made[id.value + s.script.changes.made.size() - s.script.next_body].handle};
  auto handle = std::make_shared<BodyHandle>();
  handle->id = id;
  return {simulation, handle};
}

// On several ranks the object holds a record of the body; its owner keeps the body. So it does in
// READ mode, where the frame that is shown may be without it.
BodyObject new_body(const std::shared_ptr<Simulation>& simulation, const std::string& command,
                    Body body) {
  Simulation& s = *simulation;
  if (s.communicator.size() == 1 && s.mode == Mode::write)
    return body_object(simulation, make_body(s, std::move(body)));
  auto handle = std::make_shared<BodyHandle>();
  const std::string label = body.label;
  BodyStore alone;
  alone.add(body);
  handle->record = std::make_unique<BodyState>(alone.state(0));
  handle->record->body.loads.clear();
  if (s.communicator.size() == 1) {
    handle->id = make_body(s, std::move(body));
    return {simulation, handle};
  }
  if (collects_changes(s)) {
    handle->id = make_body(s, std::move(body));
    s.script.changes.made.push_back({script_place(command), label, handle});
    return {simulation, handle};
  }
  record_common(s, command, fingerprint_of(body));
  handle->id = make_body(s, std::move(body));
  s.script.labels.add(label, handle);
  return {simulation, handle};
}

int body_index(const BodyObject& body, const std::string& where) {
  ensure_not_emptied(body, where);
  const int i = find_here(*body.simulation, body.id());
  if (i < 0 && !lives_elsewhere(*body.simulation, body.id()))
    throw value_error(
        fmt::format("{}: body {} is not there at time {:g} (deleted, or out of the extents, or "
                    "not made yet){}",
                    where, body.id().value, body.simulation->clock.time,
                    body.simulation->mode == Mode::read ? "; SEEK goes to another time" : ""));
  return i;
}

const Body* body_record(const BodyObject& body, const std::string& where) {
  const auto& record = body.handle->record;
  const bool suffices = record && !body.emptied && body.simulation->mode == Mode::read;
  const int i = suffices ? find_here(*body.simulation, body.id()) : body_index(body, where);
  if (i >= 0) return &body.simulation->domain.bodies[i];
  return record ? &record->body : nullptr;
}

void change_body(const BodyObject& body, const std::string& where, const std::string& command,
                 std::uint64_t what, const std::function<void(BodyStore&, int)>& change) {
  Simulation& s = *body.simulation;
  const int i = body_index(body, where);
  if (s.communicator.size() == 1) {
    change(s.domain.bodies, i);
    if (body.handle->record) *body.handle->record = s.domain.bodies.state(i);
    return;
  }
  const bool obstacle = i >= 0 && is_obstacle(s.domain.bodies.kind(i));
  if (obstacle && collects_changes(s)) {
    s.script.changes.obstacles.insert(body.id());
  } else if (!is_new(s, body.id())) {
    const auto side = obstacle ? CommandLog::Side::common
                      : i >= 0 ? CommandLog::Side::here
                               : CommandLog::Side::elsewhere;
    const std::uint64_t with_body = fingerprint_of(body.id(), what);
    s.script.command_log->record(script_place(command), side,
                                 std::as_bytes(std::span(&with_body, 1)));
  }
  // Until the first RUN every rank follows the energy of all bodies.
  const auto counted = [&](BodyStore& bodies, int index) {
    if (s.clock.runs > 0 || !s.totals.energy) return change(bodies, index);
    const double before = energy(bodies, s.domain.bulk_materials, index).kinetic;
    change(bodies, index);
    const double after = energy(bodies, s.domain.bulk_materials, index).kinetic;
    s.totals.energy->kinetic += after - before;
  };
  const auto& record = body.handle->record;
  if (i >= 0) {
    counted(s.domain.bodies, i);
    if (record) *record = s.domain.bodies.state(i);
  } else if (record) {
    BodyStore alone;
    alone.insert({*record});
    counted(alone, 0);
    *record = alone.state(0);
  }
  if (record) record->body.loads.clear();
  if (s.clock.runs == 0 && s.script.state_replaced) s.totals.energy.reset();
}

BodyObject& body_of(const Value& value) {
  auto& body = value.instance<BodyObject>("BODY");
  ensure_not_emptied(body, value.where());
  return body;
}

Vec3 point_of(const Value& value, const BodyObject& body) {
  const Vec3 point = value.vector();
  const int i = find_here(*body.simulation, body.id());
  const auto& known = body.handle->record;
  const Body* record = i >= 0 ? &body.simulation->domain.bodies[i] : known ? &known->body : nullptr;
  if (record && !may_hold(*record, point)) value.fail_value("a point of the body");
  return point;
}

py::list body_list(const std::shared_ptr<Simulation>& simulation) {
  py::list list;
  for (int i = 0; i < simulation->domain.bodies.owned(); i++)
    list.append(body_object(simulation, simulation->domain.bodies.id(i)));
  return list;
}

}  // namespace solfec::input
