// A domain with one of everything that results hold: all kinds of bodies, solids and loads,
// contacts with and without bonds.
#pragma once

#include <array>
#include <cmath>
#include <limits>

#include "domain/domain.hpp"

namespace solfec::testing {

inline Polyhedron sample_polyhedron() {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 1, 1}};
  return convex_hull(points, 11, 12);
}

inline Mesh sample_mesh() {
  const std::array<Vec3, 8> corners = {Vec3(5, 0, 0), Vec3(6, 0, 0), Vec3(6, 1, 0), Vec3(5, 1, 0),
                                       Vec3(5, 0, 1), Vec3(6, 0, 1), Vec3(6, 1, 1), Vec3(5, 1, 1)};
  return make_hexahedral_mesh(corners, {std::vector<double>{1, 2}, {1}, {1}}, 13,
                              {21, 22, 23, 24, 25, 26});
}

inline Body sample_body(std::uint32_t id, BodyKind kind, Shape shape) {
  Body body;
  body.id = BodyId{id};
  body.kind = kind;
  body.scheme = kind == BodyKind::rigid          ? Scheme::rig_imp
                : kind == BodyKind::pseudo_rigid ? Scheme::def_lim
                                                 : Scheme::none;
  body.label = "body \xc3\xa9 " + std::to_string(id);
  body.material = 0;
  body.damping = 0.25 * id;
  body.reference = reference_mass(shape, 1000, kind);
  body.shape = std::make_shared<const Shape>(std::move(shape));
  return body;
}

inline std::vector<Joint> sample_joints() {
  const auto motion = [](std::vector<double> values) {
    std::vector<double> times;
    for (std::size_t k = 0; k < values.size(); k++) times.push_back(static_cast<double>(k));
    return Motion(Motion::Given::velocity, TimeSeries(times, values));
  };
  Joint path;
  path.kind = ConstraintKind::prescribed_motion3;
  path.across = {{Vec3::UnitY(), motion({1, 2, 3})}, {Vec3::UnitZ(), motion({4, 5})}};
  path.direction = Vec3::UnitX();
  path.motion = motion({7, 8});
  Joint spring;
  spring.kind = ConstraintKind::spring;
  spring.number = 1;
  spring.spring = {4, SpringAxis::body2, -0.5, std::numeric_limits<double>::infinity()};
  Joint line;
  line.kind = ConstraintKind::prescribed_motion;
  line.number = 2;
  line.motion = motion({9, 10});
  return {path, spring, line};
}

inline void fill_state(BodyStore& bodies, double seed) {
  for (int i = 0; i < bodies.total(); i++) {
    for (int k = 0; k < BodyStore::kConfiguration; k++)
      bodies.q(i)[k] = std::sin(seed + 7 * i + k) + (k % 4 == 0 ? 2 : 0);
    for (int k = 0; k < bodies.dofs(i); k++) bodies.u(i)[k] = std::cos(seed + 5 * i + k);
    Work& work = bodies.work(i);
    work.external = seed + i;
    work.contact = 2 * seed + i;
    work.friction = 3 * seed + i;
  }
}

inline void fill_contacts(Domain& domain, int count, double seed) {
  auto& contacts = domain.constraints.all();
  contacts.clear();
  contacts.resize(static_cast<std::size_t>(count));
  for (int k = 0; k < count; k++) {
    Constraint& c = contacts[k];
    const auto feature = static_cast<std::uint32_t>(k);
    c.key = {domain.bodies.id(1), domain.bodies.id(0), feature, 2 * feature, feature % 3};
    c.body1 = 1;
    c.body2 = 0;
    const double s = seed + k;
    c.point = {s, 2 * s, 3 * s};
    c.set_base(local_base(Vec3(std::sin(s), std::cos(s), 1).normalized()));
    c.gap = -1e-3 * s;
    c.area = s;
    c.R = {4 * s, 5 * s, 6 * s};
    c.U = {7 * s, 8 * s, 9 * s};
    c.V = {-7 * s, -8 * s, -9 * s};
    c.merit = 1e-9 * s;
    c.surface1 = k;
    c.surface2 = k + 1;
    if (k % 2) c.bond = Bond{c.point, -c.point, Vec3::UnitX(), -s, 2 * s};
  }
}

inline void fill_domain(Domain& domain) {
  domain.bulk_materials.store({"stuff", 1e6, 0.25, 1000});
  domain.bodies.add(sample_body(0, BodyKind::obstacle, {sample_mesh()}));
  domain.bodies.add(sample_body(
      1, BodyKind::rigid, {sample_polyhedron(), Sphere{{1, 2, 3}, 0.5, 14, 15}, sample_mesh()}));
  const Mat3 turned = Eigen::AngleAxisd(0.3, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  domain.bodies.add(
      sample_body(3, BodyKind::pseudo_rigid, {Ellipsoid{{9, 8, 7}, {1, 2, 3}, turned, 16, 17}}));
  domain.bodies[1].loads = {
      PointForce{Frame::convected, {1, 2, 3}, Vec3::UnitX(), TimeSeries({0, 1, 3}, {5, 6, 7})},
      Torque{Frame::spatial, Vec3::UnitZ(), TimeSeries(4.5)}, UserForce{3, nullptr},
      Pressure{21, TimeSeries({0, 2}, {3, 4}), {}}};
  domain.bodies[1].joints = sample_joints();
  fill_state(domain.bodies, 0.5);
  fill_contacts(domain, 5, 1);
  domain.sparsified = 4;
}

}  // namespace solfec::testing
