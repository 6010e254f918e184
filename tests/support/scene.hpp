// A model in a few lines: a Simulation built in C++ as the input language would build it, stepped
// without writing results.
#pragma once

#include <gtest/gtest.h>

#include "body/integration.hpp"
#include "math/rotation.hpp"
#include "simulation/simulation.hpp"
#include "solver/gauss_seidel.hpp"
#include "support/on_ranks.hpp"
#include "support/random_solids.hpp"

namespace solfec::testing {

/// Gauss-Seidel settings that solve a small problem to `epsilon` relative to the velocities of its
/// free motion (the merit is a square).
inline GaussSeidelSettings accurate_to(double epsilon) {
  GaussSeidelSettings settings;
  settings.epsilon = epsilon;
  settings.merit_value = epsilon * epsilon;
  settings.max_iterations = 20000;
  settings.diagonal_epsilon = 1e-15;
  return settings;
}

inline Sphere make_ball(const Vec3& center, double radius) { return {center, radius, 1, 1}; }

/// A box of hexahedra with `divisions` elements along its axes.
inline Mesh make_brick(const Vec3& center, const Vec3& half, const std::array<int, 3>& divisions,
                       const Mat3& rotation = Mat3::Identity()) {
  const int sign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                          {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
  std::array<Vec3, 8> corners;
  for (int i = 0; i < 8; i++)
    corners[i] = center + rotation * half.cwiseProduct(Vec3(sign[i][0], sign[i][1], sign[i][2]));
  std::array<std::vector<double>, 3> sizes;
  for (int d = 0; d < 3; d++) sizes[d].assign(static_cast<std::size_t>(divisions[d]), 1.0);
  return make_hexahedral_mesh(corners, sizes, 1, {1, 1, 1, 1, 1, 1});
}

/// Momentum of a set of bodies: linear, and angular about the origin.
struct Momentum {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};

/// Bodies are known by their index, which is the order of their creation.
class Scene {
 public:
  explicit Scene(double step, const Vec3& gravity = Vec3::Zero()) {
    simulation.settings.step = step;
    simulation.settings.verbosity = Verbosity::off;
    set_gravity(gravity);
    domain().bulk_materials.store({"bulk", 1e7, 0.25, 1e3});
  }

  Simulation simulation;
  GaussSeidel solver{accurate_to(1e-10)};

  Domain& domain() { return simulation.domain; }
  const Domain& domain() const { return simulation.domain; }
  BodyStore& bodies() { return domain().bodies; }
  const BodyStore& bodies() const { return domain().bodies; }
  const std::vector<Constraint>& contacts() const { return domain().constraints.all(); }

  /// The material of all bodies; its density counts when a body is added.
  BulkMaterial& bulk() { return domain().bulk_materials[0]; }
  /// The material of all surfaces.
  SurfaceMaterial& surface() { return domain().surface_materials[0]; }
  void set_gravity(const Vec3& g) {
    for (int d = 0; d < 3; d++) domain().gravity.component[d] = TimeSeries(g[d]);
  }
  /// One contact point per pair of polyhedra, so that a one-piece box tilts freely.
  void use_one_point() { domain().detection_settings.mode = ContactMode::one; }

  int add_obstacle(Solid solid) { return add(BodyKind::obstacle, Scheme::none, std::move(solid)); }
  int add_rigid(Solid solid, Scheme scheme = Scheme::rig_neg) {
    return add(BodyKind::rigid, scheme, std::move(solid));
  }
  int add_pseudo_rigid(Solid solid, Scheme scheme = Scheme::def_lim, double damping = 0) {
    const int i = add(BodyKind::pseudo_rigid, scheme, std::move(solid));
    bodies()[i].damping = damping;
    return i;
  }
  /// The ground: a large obstacle whose upper face is z = 0, turned about the origin.
  int add_ground(const Mat3& rotation = Mat3::Identity()) {
    return add_obstacle(make_box(rotation * Vec3(0, 0, -1), Vec3(1000, 1000, 1), rotation));
  }

  /// Gives a body the velocity of its centre and a spatial angular velocity.
  void set_velocity(int i, const Vec3& linear, const Vec3& angular = Vec3::Zero()) {
    double* u = bodies().u(i);
    const bool rigid = bodies().kind(i) != BodyKind::pseudo_rigid;
    const Mat3 rate = skew(angular) * gradient(i);
    const Vec3 spin = gradient(i).transpose() * angular;
    u = rigid ? std::copy_n(spin.data(), 3, u) : std::copy_n(rate.data(), 9, u);
    std::copy_n(linear.data(), 3, u);
  }

  double mass(int i) const { return bodies()[i].reference.mass; }
  Vec3 center(int i) const { return bodies().center(i); }
  Mat3 gradient(int i) const { return bodies().gradient(i); }
  Vec3 velocity(int i) const {
    return Eigen::Map<const Vec3>(bodies().u(i) + bodies().dofs(i) - 3);
  }
  /// Angular velocity of a rigid body or obstacle, in its own axes.
  Vec3 referential_spin(int i) const { return Eigen::Map<const Vec3>(bodies().u(i)); }
  /// The same in space.
  Vec3 spin(int i) const { return gradient(i) * referential_spin(i); }

  /// Angular momentum of a body about its own centre, in space.
  Vec3 spin_momentum(int i) const {
    const Inertia& inertia = bodies().inertia(i);
    if (bodies().kind(i) != BodyKind::pseudo_rigid)
      return gradient(i) * (inertia.tensor * referential_spin(i));
    // int rho (x - c) x v dV is the axial vector of int rho v (x - c)^T dV = Fdot E F^T.
    const Mat3 M = Eigen::Map<const Mat3>(bodies().u(i)) * inertia.tensor * gradient(i).transpose();
    return {M(2, 1) - M(1, 2), M(0, 2) - M(2, 0), M(1, 0) - M(0, 1)};
  }
  Momentum momentum() const {
    Momentum sum;
    for (int i = 0; i < bodies().total(); i++) {
      if (bodies().kind(i) == BodyKind::obstacle) continue;
      const Vec3 p = mass(i) * velocity(i);
      sum.linear += p;
      sum.angular += center(i).cross(p) + spin_momentum(i);
    }
    return sum;
  }
  Energy energy(int i) const { return solfec::energy(bodies(), domain().bulk_materials, i); }
  Energy energy() const {
    Energy sum;
    for (int i = 0; i < bodies().total(); i++) sum += energy(i);
    return sum;
  }

  /// Force of all contacts on a body over the last step, in space [N].
  Vec3 contact_force(int i) const {
    Vec3 force = Vec3::Zero();
    for (const Constraint& c : contacts()) {
      if (c.body1 == i) force += c.base() * c.R;
      if (c.body2 == i) force -= c.base() * c.R;
    }
    return force;
  }

  /// One step by any solver; on many ranks they share the work.
  void advance(Solver& by) {
    spread(domain());
    make_step(simulation, by);
    collect(domain());
  }
  /// One step by the scene's solver, which has to converge.
  void step() {
    advance(solver);
    ASSERT_EQ(simulation.last.solution.status, SolveStatus::ok)
        << "at time " << simulation.clock.time << ", merit " << simulation.last.solution.merit;
  }
  void steps(int count) {
    for (int k = 0; k < count && !::testing::Test::HasFatalFailure(); k++) step();
  }
  /// Steps of the full length up to a time that is a multiple of it.
  void run_to(double time) {
    const double h = simulation.settings.step;
    while (time - simulation.clock.time > 0.5 * h && !::testing::Test::HasFatalFailure()) step();
    ASSERT_NEAR(simulation.clock.time, time, 1e-6 * simulation.settings.step);
  }

 private:
  int add(BodyKind kind, Scheme scheme, Solid solid) {
    Body body;
    body.kind = kind;
    body.scheme = scheme;
    body.material = 0;
    Shape shape;
    shape.push_back(std::move(solid));
    body.reference = reference_mass(shape, bulk().density, kind);
    body.shape = std::make_shared<const Shape>(std::move(shape));
    body.id = BodyId{simulation.script.next_body++};  // every rank has all bodies between the steps
    return bodies().add(std::move(body));
  }
};

/// Asserts that an error falls with the second power of the step: `error(h)` at h, h/2, h/4.
template <class Error>
void expect_second_order(const Error& error, double h, double slack = 0.1) {
  const double e0 = error(h), e1 = error(h / 2), e2 = error(h / 4);
  ASSERT_GT(e2, 0);
  EXPECT_NEAR(std::log2(e0 / e1), 2, slack) << "errors " << e0 << " " << e1 << " " << e2;
  EXPECT_NEAR(std::log2(e1 / e2), 2, slack) << "errors " << e0 << " " << e1 << " " << e2;
}

}  // namespace solfec::testing
