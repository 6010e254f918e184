// One step against its equation, obstacles on the way, and equilibrium after a few long steps.
#include "body/quasi_static.hpp"

#include <gtest/gtest.h>

#include "body/finite_elements.hpp"
#include "body/integration.hpp"
#include "body/pseudo_rigid.hpp"
#include "support/make_bodies.hpp"

namespace solfec::quasi_static_test {
namespace {

using testing::Random;

BulkMaterials rubber() {
  BulkMaterials materials;
  materials.store({"rubber", 1e4, 0.3, 1000});
  return materials;
}

TimeStep still(double h, double time = 0) { return {time, h, Analysis::quasi_static}; }

Gravity gravity(const Vec3& g) {
  return {{TimeSeries(g.x()), TimeSeries(g.y()), TimeSeries(g.z())}};
}

PointForce force_at(const Vec3& point, const Vec3& direction, double value) {
  return {Frame::spatial, point, direction, TimeSeries(value)};
}

// Two forces at the ends of a box along x that pull it apart.
void pull_apart(Body& body, const Vec3& center, double half, double force) {
  for (double sign : {-1.0, 1.0}) {
    body.loads.emplace_back(
        force_at(center + sign * half * Vec3::UnitX(), sign * Vec3::UnitX(), force));
  }
}

TEST(QuasiStatic, RigidBodyCreepsWithTheForce) {
  const BulkMaterials materials = rubber();
  BodyStore bodies;
  const int i =
      testing::add_body(bodies, BodyKind::rigid, testing::box_shape({1, 2, 3}, {0.5, 0.3, 0.2}));
  Random random(1);
  for (int k = 0; k < 6; k++) bodies.u(i)[k] = random.uniform(-1, 1);  // forgotten
  const double h = 0.1;
  begin_step(bodies, materials, gravity({0, 0, -10}), still(h));
  EXPECT_NEAR((bodies.center(i) - Vec3(1, 2, 3)).norm(), 0, 1e-15) << "does not move before";
  end_step(bodies, materials, still(h));
  EXPECT_NEAR((Eigen::Map<const Vec3>(bodies.u(i) + 3) - Vec3(0, 0, -1)).norm(), 0, 1e-12);
  EXPECT_NEAR((bodies.center(i) - Vec3(1, 2, 2.9)).norm(), 0, 1e-12);
  EXPECT_EQ(energy(bodies, materials, i).external, 0);
}

TEST(QuasiStatic, RigidBodyTurnsToEquilibrium) {
  // Pulled at one end, it swings round to the direction of the force and stays there.
  const BulkMaterials materials = rubber();
  BodyStore bodies;
  const int i = testing::add_body(bodies, BodyKind::rigid,
                                  testing::box_shape({0, 0, 0}, {0.5, 0.1, 0.1}, 0), 100);
  const Vec3 direction = Vec3(1, 1, 1).normalized();
  for (double sign : {-1.0, 1.0}) {
    bodies[i].loads.emplace_back(force_at(sign * 0.5 * Vec3::UnitX(), sign * direction, 1));
  }
  for (int k = 0; k < 200; k++) {
    begin_step(bodies, materials, Gravity(), still(0.5));
    end_step(bodies, materials, still(0.5));
  }
  EXPECT_NEAR((bodies.gradient(i).col(0) - direction).norm(), 0, 1e-9);
  EXPECT_NEAR(bodies.center(i).norm(), 0, 1e-12);
  EXPECT_NEAR((bodies.gradient(i).transpose() * bodies.gradient(i) - Mat3::Identity()).norm(), 0,
              1e-12);
}

TEST(QuasiStatic, PseudoRigidBodyComesToRest) {
  // V P = sum f xi^T, whatever the step.
  const BulkMaterials materials = rubber();
  for (double h : {1.0, 100.0}) {
    BodyStore bodies;
    const int i = testing::add_body(bodies, BodyKind::pseudo_rigid,
                                    testing::box_shape({1, 1, 1}, {0.5, 0.1, 0.1}));
    pull_apart(bodies[i], {1, 1, 1}, 0.5, 100);
    for (int k = 0; k < 30; k++) {
      begin_step(bodies, materials, Gravity(), still(h));
      end_step(bodies, materials, still(h));
    }
    const Mat3 P = first_piola_stress(bodies.gradient(i), materials[0]);
    Mat3 wanted = Mat3::Zero();
    wanted(0, 0) = 100 / 0.04;  // force over area
    EXPECT_NEAR((P - wanted).norm(), 0, 1e-6) << h;
    EXPECT_NEAR((bodies.center(i) - Vec3(1, 1, 1)).norm(), 0, 1e-10);
    EXPECT_GT(energy(bodies, materials, i).internal, 1);
  }
}

TEST(QuasiStatic, FiniteElementsComeToRest) {
  const BulkMaterials materials = rubber();
  for (Form form : {Form::total_lagrangian, Form::body_corotational}) {
    BodyStore bodies;
    const int i = testing::add_body(bodies, BodyKind::finite_element,
                                    testing::meshed_box({1, 1, 1}, {0.5, 0.1, 0.1}, 2));
    bodies[i].form = form;
    pull_apart(bodies[i], {1, 1, 1}, 0.5, 20);
    for (int k = 0; k < 40; k++) {
      begin_step(bodies, materials, Gravity(), still(0.5));
      end_step(bodies, materials, still(0.5));
    }
    // External and internal forces balance at every node.
    const int n = bodies.dofs(i);
    begin_step(bodies, materials, Gravity(), still(0.5));
    Eigen::VectorXd f = Eigen::Map<const Eigen::VectorXd>(bodies.f(i), n);
    const double size = f.norm();
    bodies.finite_elements(i).subtract_internal_force(bodies.q(i), bodies.x(i), bodies.u(i), 0,
                                                      f.data());
    EXPECT_GT(size, 20);
    EXPECT_LT(f.norm(), 1e-8 * size);
    EXPECT_GT(energy(bodies, materials, i).internal, 0.01);
  }
}

TEST(QuasiStatic, ReactionsAreAddedThroughTheSameOperator) {
  // u = h A^-1 (f + r), by the symmetry of A: f as a load or as a reaction gives the same u.
  const BulkMaterials materials = rubber();
  Random random(4);
  for (BodyKind kind : {BodyKind::rigid, BodyKind::pseudo_rigid, BodyKind::finite_element}) {
    BodyStore loaded, pushed;
    std::vector<double> r;
    for (BodyStore* bodies : {&loaded, &pushed}) {
      const int i =
          testing::add_body(*bodies, kind, testing::meshed_box({1, 1, 1}, {0.5, 0.2, 0.1}, 1));
      r.resize(static_cast<std::size_t>(bodies->dofs(i)));
      if (kind == BodyKind::finite_element) bodies->finite_elements(i, materials);
      std::fill(bodies->f(i), bodies->f(i) + bodies->dofs(i), 0.0);
      std::fill(bodies->u(i), bodies->u(i) + bodies->dofs(i), 0.0);
    }
    for (double& value : r) value = random.uniform(-1, 1);
    std::ranges::copy(r, loaded.f(0));
    const std::vector<double> none(r.size(), 0.0);
    const double h = 0.01;
    quasi_static_free_velocity(loaded, materials, 0, h);
    quasi_static_end_step(loaded, 0, h, none.data());
    quasi_static_free_velocity(pushed, materials, 0, h);
    quasi_static_end_step(pushed, 0, h, r.data());
    for (std::size_t k = 0; k < r.size(); k++)
      EXPECT_NEAR(loaded.u(0)[k], pushed.u(0)[k], 1e-12 * (1 + std::abs(pushed.u(0)[k])));
    for (int k = 0; k < BodyStore::kConfiguration; k++)
      EXPECT_NEAR(loaded.q(0)[k], pushed.q(0)[k], 1e-13);
  }
}

TEST(QuasiStatic, ObstacleIsWhereItsMotionSays) {
  const BulkMaterials materials = rubber();
  BodyStore bodies;
  const int i =
      testing::add_body(bodies, BodyKind::obstacle, testing::box_shape({0, 0, 0}, {1, 1, 1}));
  Joint joint;
  joint.kind = ConstraintKind::prescribed_motion;
  joint.direction = Vec3::UnitX();
  joint.motion = Motion(Motion::Given::displacement, TimeSeries({0, 1, 2}, {0, 1, 1}), 0.1);
  bodies[i].joints.push_back(joint);
  Eigen::Map<Vec3>(bodies.u(i) + 3) = Vec3(0, 0, 0.5);  // its own velocity
  const double h = 0.4;
  for (int k = 0; k < 4; k++) {
    const double t = k * h, moved = std::min(t + h, 1.0) - std::min(t, 1.0);
    begin_step(bodies, materials, Gravity(), still(h, t));
    EXPECT_NEAR((bodies.center(i) - Vec3(std::min(t, 1.0), 0, 0.5 * t)).norm(), 0, 1e-12);
    EXPECT_NEAR((Eigen::Map<const Vec3>(bodies.b(i) + 3) - Vec3(moved / h, 0, 0.5)).norm(), 0,
                1e-12)
        << "the mean velocity of the step";
    end_step(bodies, materials, still(h, t));
  }
  EXPECT_NEAR((bodies.center(i) - Vec3(1, 0, 0.8)).norm(), 0, 1e-12);
}

}  // namespace
}  // namespace solfec::quasi_static_test
