// A ball and a deformable cube that fall on an obstacle, with everything a step can meet.
#pragma once

#include "support/random_solids.hpp"
#include "synchronisation/scripted_model.hpp"

namespace solfec::testing {

inline Body small_body(BodyKind kind, Shape shape, const std::string& label) {
  Body body;
  body.kind = kind;
  body.scheme = kind == BodyKind::rigid          ? Scheme::rig_neg
                : kind == BodyKind::pseudo_rigid ? Scheme::def_lim
                                                 : Scheme::none;
  body.label = label;
  body.material = 0;
  body.reference = reference_mass(shape, 1000, kind);
  body.shape = std::make_shared<const Shape>(std::move(shape));
  return body;
}

inline BodyId add(ScriptedModel& s, BodyKind kind, Shape shape, const std::string& label) {
  return add_body(s, small_body(kind, std::move(shape), label));
}

inline void make_model(ScriptedModel& s) {
  s.domain.bulk_materials.store({"stuff", 1e6, 0.25, 1000});
  SurfaceMaterial skin;
  skin.friction = 0.4;
  skin.restitution = 0.3;
  s.domain.surface_materials.store(skin);
  s.domain.gravity.component[2] = TimeSeries(-10);
  add(s, BodyKind::obstacle, {make_box({0, 0, -1}, {5, 5, 1}, Mat3::Identity())}, "floor");
  add(s, BodyKind::rigid, {Sphere{{0, 0, 1.01}, 1, 1, 1}}, "ball");
  add(s, BodyKind::pseudo_rigid, {make_box({3, 0, 0.51}, {0.5, 0.5, 0.5}, Mat3::Identity())},
      "cube");
  s.domain.bodies.u(1)[0] = 2;
  s.domain.bodies.u(1)[3] = 1;
  s.domain.bodies.u(2)[1] = 0.5;
}

/// All numbers of the state, for comparison to the last bit.
inline std::vector<double> state_of(const ScriptedModel& s) {
  std::vector<double> state = {s.clock.time, static_cast<double>(s.clock.steps)};
  const BodyStore& bodies = s.domain.bodies;
  for (int i = 0; i < bodies.total(); i++) {
    state.insert(state.end(), bodies.q(i), bodies.q(i) + BodyStore::kConfiguration);
    state.insert(state.end(), bodies.u(i), bodies.u(i) + bodies.dofs(i));
    state.insert(state.end(), {bodies.work(i).external, bodies.work(i).contact});
  }
  for (const Constraint& c : s.domain.constraints.all())
    state.insert(state.end(), {c.R[0], c.R[1], c.R[2], c.gap});
  return state;
}

}  // namespace solfec::testing
