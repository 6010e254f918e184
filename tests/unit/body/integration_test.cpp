#include "body/integration.hpp"

#include <gtest/gtest.h>

#include "body/kinematics.hpp"
#include "body/pseudo_rigid.hpp"
#include "support/make_bodies.hpp"

namespace solfec::integration_test {
namespace {

using testing::Random;

BulkMaterials some_material() {
  BulkMaterials materials;
  materials.store({"rubber", 1e5, 0.3, 1000});
  return materials;
}

Gravity gravity(const Vec3& g) {
  return {{TimeSeries(g.x()), TimeSeries(g.y()), TimeSeries(g.z())}};
}

const TimeSeries kRamp({0, 10}, {0, 100});  // 10 t

// The external force of a body at the middle of a step that starts at time `t`.
Eigen::VectorXd force(BodyStore& bodies, int i, const Gravity& g, double t, double h) {
  const BulkMaterials materials = some_material();
  begin_step(bodies, materials, g, {t, h});
  return Eigen::Map<Eigen::VectorXd>(bodies.f(i), bodies.dofs(i));
}

TEST(Integration, GravityIsTakenAtTheMiddleOfTheStep) {
  for (BodyKind kind : {BodyKind::rigid, BodyKind::pseudo_rigid}) {
    BodyStore bodies;
    const int i = testing::add_body(bodies, kind, testing::ball_shape({0, 0, 0}, 1));
    const Gravity ramp{{TimeSeries(1), TimeSeries(-2), kRamp}};
    const Eigen::VectorXd f = force(bodies, i, ramp, 3, 0.5);
    EXPECT_NEAR((f.tail<3>() - bodies[i].reference.mass * Vec3(1, -2, 32.5)).norm(), 0, 1e-9);
    EXPECT_EQ(f.head(f.size() - 3).norm(), 0) << "no torque";
  }
}

TEST(Integration, PointForcesActAtTheirMaterialPoint) {
  Random random(1);
  for (BodyKind kind : {BodyKind::rigid, BodyKind::pseudo_rigid})
    for (Frame frame : {Frame::spatial, Frame::convected}) {
      BodyStore bodies;
      const int i = testing::add_body(bodies, kind, testing::ball_shape({1, 2, 3}, 1));
      testing::move_at_random(random, bodies, i);
      const Vec3 X(1.5, 2.2, 2.9), d = random.direction();
      bodies[i].loads.push_back(PointForce{frame, X, d, kRamp});
      const double t = 1, h = 0.01;
      const Eigen::VectorXd f = force(bodies, i, gravity({0, 0, 0}), t, h);
      // Virtual work at the mid-step configuration.
      Vec3 direction = d;
      if (frame == Frame::convected) direction = (bodies.gradient(i) * d).normalized();
      const Vec3 F = 10 * (t + 0.5 * h) * direction;
      const Vec3 x = current_point(bodies, i, X);
      for (int k = 0; k < bodies.dofs(i); k++) {
        const Eigen::VectorXd unit = Eigen::VectorXd::Unit(bodies.dofs(i), k);
        EXPECT_NEAR(f[k], F.dot(velocity_at(bodies, i, x, unit.data())), 1e-12);
      }
    }
}

TEST(Integration, TorquesAndUserForcesOfRigidBodies) {
  Random random(2);
  BodyStore bodies;
  const int i = testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, 0}, 1));
  testing::move_at_random(random, bodies, i);
  const Vec3 d = random.direction();
  bodies[i].loads = {Torque{Frame::spatial, d, TimeSeries(2)},
                     Torque{Frame::convected, d, TimeSeries(3)}};
  // Spatial force, spatial torque, referential torque, all of the state and time they are given.
  double seen_time = 0, seen_step = 0;
  std::vector<double> seen_q, seen_u;
  bodies[i].loads.push_back(UserForce{0, [&](auto q, auto u, double t, double h, auto out) {
                                        seen_q.assign(q.begin(), q.end());
                                        seen_u.assign(u.begin(), u.end());
                                        seen_time = t;
                                        seen_step = h;
                                        for (int k = 0; k < 9; k++) out[k] = k + 1;
                                      }});
  const Eigen::VectorXd f = force(bodies, i, gravity({0, 0, 0}), 1, 0.02);
  const Mat3 R = bodies.gradient(i);
  EXPECT_NEAR(
      (f.head<3>() - R.transpose() * (2 * d + Vec3(4, 5, 6)) - 3 * d - Vec3(7, 8, 9)).norm(), 0,
      1e-12);
  EXPECT_NEAR((f.tail<3>() - Vec3(1, 2, 3)).norm(), 0, 1e-14);
  EXPECT_EQ(seen_time, 1.01);
  EXPECT_EQ(seen_step, 0.02);
  EXPECT_EQ(seen_q, std::vector<double>(bodies.q(i), bodies.q(i) + 12));
  EXPECT_EQ(seen_u, std::vector<double>(bodies.u(i), bodies.u(i) + 6));
}

TEST(Integration, UserForcesOfPseudoRigidBodiesAreGeneralised) {
  BodyStore bodies;
  const int i =
      testing::add_body(bodies, BodyKind::pseudo_rigid, testing::ball_shape({0, 0, 0}, 1));
  bodies[i].loads.push_back(UserForce{0, [](auto, auto, double, double, auto out) {
                                        for (int k = 0; k < 12; k++) out[k] = k + 1;
                                      }});
  const Eigen::VectorXd f = force(bodies, i, gravity({0, 0, -1}), 0, 0.01);
  for (int k = 0; k < 11; k++) EXPECT_EQ(f[k], k + 1);
  EXPECT_NEAR(f[11], 12 - bodies[i].reference.mass, 1e-10);
}

TEST(Integration, FreeFallIsExact) {
  // Parabolas are met exactly by the mid-point form.
  const BulkMaterials materials = some_material();
  const Vec3 g(1, 0, -10), v(3, -2, 5);
  BodyStore bodies;
  for (BodyKind kind : {BodyKind::rigid, BodyKind::pseudo_rigid}) {
    const int i = testing::add_body(bodies, kind, testing::box_shape({1, 2, 3}, {0.3, 0.4, 0.5}));
    Eigen::Map<Vec3>(bodies.u(i) + bodies.dofs(i) - 3) = v;
  }
  const double h = 0.01;
  for (int k = 0; k < 100; k++) {
    begin_step(bodies, materials, gravity(g), {k * h, h});
    end_step(bodies, materials, {0, h});
  }
  for (int i = 0; i < 2; i++) {
    EXPECT_NEAR((bodies.center(i) - Vec3(1, 2, 3) - v - 0.5 * g).norm(), 0, 1e-12);
    const Energy e = energy(bodies, materials, i);
    const double m = bodies[i].reference.mass;
    EXPECT_NEAR(e.kinetic, 0.5 * m * (v + g).squaredNorm(), 1e-9 * e.kinetic);
    EXPECT_NEAR(e.external, m * g.dot(v + 0.5 * g), 1e-9 * e.kinetic) << "work of the weight";
    EXPECT_EQ(e.contact, 0);
  }
}

TEST(Integration, ObstaclesMoveAsTheirVelocitySays) {
  const BulkMaterials materials = some_material();
  BodyStore bodies;
  const int i = testing::add_body(bodies, BodyKind::obstacle, testing::ball_shape({1, 0, 0}, 1));
  const double u[6] = {0, 0, 2, 1, 2, 3};
  std::copy_n(u, 6, bodies.u(i));
  const double h = 0.01;
  for (int k = 0; k < 50; k++) {
    begin_step(bodies, materials, gravity({0, 0, -10}), {k * h, h});
    EXPECT_TRUE(std::equal(u, u + 6, bodies.b(i))) << "its free velocity is its velocity";
    end_step(bodies, materials, {0, h});
  }
  EXPECT_TRUE(std::equal(u, u + 6, bodies.u(i))) << "nothing accelerates it";
  EXPECT_NEAR((bodies.center(i) - Vec3(1.5, 1, 1.5)).norm(), 0, 1e-13);
  EXPECT_NEAR((bodies.gradient(i) - rotation_about(Vec3::UnitZ(), 1)).norm(), 0, 1e-13);
  EXPECT_EQ(energy(bodies, materials, i).kinetic, 0);
}

TEST(Integration, WorkOfReactionsIsTheChangeOfEnergy) {
  // Kinetic energy changes by exactly (u + u') / 2 . h r for translations.
  const BulkMaterials materials = some_material();
  Random random(3);
  BodyStore bodies;
  const int i = testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, 0}, 1));
  Eigen::Map<Vec3>(bodies.u(i) + 3) = Vec3(1, 2, 3);
  const double before = energy(bodies, materials, i).kinetic;
  double normal = 0, tangent = 0;
  const double h = 0.01;
  for (int k = 0; k < 10; k++) {
    const Vec3 v = Eigen::Map<Vec3>(bodies.u(i) + 3);
    begin_step(bodies, materials, gravity({0, 0, 0}), {k * h, h});
    const Vec3 rn = random.in_box(1e5), rt = random.in_box(1e5);
    Eigen::Map<Vec3>(bodies.normal_reaction(i) + 3) = rn;
    Eigen::Map<Vec3>(bodies.tangent_reaction(i) + 3) = rt;
    end_step(bodies, materials, {0, h});
    const Vec3 mean = 0.5 * (v + Eigen::Map<Vec3>(bodies.u(i) + 3));
    normal += h * mean.dot(rn);
    tangent += h * mean.dot(rt);
  }
  const Energy e = energy(bodies, materials, i);
  EXPECT_NEAR(e.contact, normal, 1e-9 * std::abs(normal));
  EXPECT_NEAR(e.friction, tangent, 1e-9 * std::abs(tangent));
  EXPECT_NEAR(e.external, normal + tangent, 1e-9 * std::abs(normal));
  EXPECT_NEAR(e.kinetic - before, e.external, 1e-9 * std::abs(normal));
}

TEST(Integration, EnergiesAddUp) {
  const BulkMaterials materials = some_material();
  Random random(4);
  BodyStore bodies;
  const Vec3 half(0.3, 0.4, 0.5);
  const int rigid = testing::add_body(bodies, BodyKind::rigid, testing::box_shape({0, 0, 0}, half));
  const int soft =
      testing::add_body(bodies, BodyKind::pseudo_rigid, testing::box_shape({0, 0, 0}, half));
  for (int i : {rigid, soft}) {
    testing::move_at_random(random, bodies, i);
    // Kinetic energy by summing rho v^2 / 2 over points of Gauss' rule with two per direction,
    // exact for the square of a linear field.
    double kinetic = 0;
    const double mass = bodies[i].reference.mass / 8, p = 1 / std::sqrt(3.0);
    for (int k = 0; k < 8; k++) {
      const Vec3 X = half.cwiseProduct(Vec3(k & 1 ? p : -p, k & 2 ? p : -p, k & 4 ? p : -p));
      kinetic += 0.5 * mass *
                 velocity_at(bodies, i, current_point(bodies, i, X), bodies.u(i)).squaredNorm();
    }
    const Energy e = energy(bodies, materials, i);
    EXPECT_NEAR(e.kinetic, kinetic, 1e-10 * kinetic);
    if (i == rigid) {
      EXPECT_EQ(e.internal, 0);
    } else {
      EXPECT_NEAR(e.internal,
                  8 * half.prod() * strain_energy_density(bodies.gradient(i), materials[0]), 1e-9);
    }
  }
  Energy sum = energy(bodies, materials, rigid);
  sum += energy(bodies, materials, soft);
  EXPECT_EQ(sum.kinetic,
            energy(bodies, materials, rigid).kinetic + energy(bodies, materials, soft).kinetic);
}

// So that runs which go on, and those that start from the frame, are the same to the last bit.
TEST(Integration, StepsGoOnFromTheEnergyThatWasRecorded) {
  const BulkMaterials materials = some_material();
  Random random(5);
  for (int k = 0; k < 20; k++) {
    BodyStore bodies;
    const Shape shape = testing::meshed_box({0, 0, 0}, {1, 1, 1}, 1);
    for (int i : {0, 1}) {
      testing::add_body(bodies, BodyKind::finite_element, shape);
      bodies[i].form = Form::body_corotational;
      bodies[i].scheme = Scheme::def_lim;
    }
    for (int n = 0; n < bodies.dofs(0); n++)
      bodies.x(0)[n] += 0.01 * random.uniform(-1, 1), bodies.x(1)[n] = bodies.x(0)[n];
    bodies.work(0).frame = random.uniform(-1, 1);
    bodies.work(1).internal = energy(bodies, materials, 0).internal;  // as read from results
    record_energy(bodies, materials);
    EXPECT_EQ(energy(bodies, materials, 0).internal, energy(bodies, materials, 1).internal);
    begin_step(bodies, materials, gravity({0, 0, 0}), {0, 1e-3});
    EXPECT_EQ(bodies.work(0).frame, bodies.work(1).frame);
    EXPECT_FALSE(bodies.work(0).internal);
  }
}

TEST(Integration, StableStepIsHalfTheSmallestCriticalStep) {
  const BulkMaterials materials = some_material();
  BodyStore bodies;
  testing::add_body(bodies, BodyKind::rigid, testing::ball_shape({0, 0, 0}, 1e-6));
  EXPECT_EQ(stable_step(bodies, materials), std::numeric_limits<double>::infinity());
  const int large =
      testing::add_body(bodies, BodyKind::pseudo_rigid, testing::ball_shape({0, 0, 0}, 1));
  const int small =
      testing::add_body(bodies, BodyKind::pseudo_rigid, testing::ball_shape({0, 0, 0}, 0.1));
  EXPECT_EQ(stable_step(bodies, materials), 0.5 * critical_step(bodies, materials, small));
  bodies[small].scheme = Scheme::def_lim;
  EXPECT_EQ(stable_step(bodies, materials), 0.5 * critical_step(bodies, materials, large));
  bodies[large].scheme = Scheme::def_lim;
  EXPECT_EQ(stable_step(bodies, materials), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace solfec::integration_test
