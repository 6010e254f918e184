// Joints are closed in position and in velocity at the end of each step, whatever turns; steps run
// backwards lead back; rows that follow from others share the load.
#include "domain/joint_closure.hpp"

#include <gtest/gtest.h>

#include "body/integration.hpp"
#include "domain/domain.hpp"
#include "domain/joints.hpp"

namespace solfec::joint_closure_test {
namespace {

constexpr double kStep = 1e-2;

struct Chain {
  Domain domain;
  double time = 0;

  // Rigid or pseudo-rigid balls at distance 3, each joined to the one before (the first to space).
  Chain(int count, BodyKind kind, int repeat = 1) {
    BulkMaterial material;
    material.young = 1e5;
    material.density = 1000;
    domain.bulk_materials.store(material);
    domain.surface_materials.store({});
    for (int k = 0; k < count; k++) {
      Body body;
      body.id = BodyId{static_cast<std::uint32_t>(k)};
      body.kind = kind;
      body.scheme = kind == BodyKind::rigid ? Scheme::rig_imp : Scheme::def_lim;
      body.material = 0;
      Ellipsoid ellipsoid;
      ellipsoid.center = Vec3(3.0 * k, 0, 0);
      ellipsoid.radii = Vec3(1, 0.7, 0.5);
      ellipsoid.rotation.setIdentity();
      auto shape = std::make_shared<Shape>();
      shape->push_back(ellipsoid);
      body.reference = reference_mass(*shape, 1000, body.kind);
      body.shape = shape;
      domain.bodies.add(std::move(body));
      for (int n = 0; n < repeat; n++) {
        Joint joint;
        joint.point = joint.other_point = Vec3(3.0 * k - 1.5, 0.1 * n, 0);
        if (k > 0) joint.other = BodyId{static_cast<std::uint32_t>(k - 1)};
        add_joint(domain, k, joint);
      }
    }
  }
  void turn(double omega) {
    for (int i = 0; i < domain.bodies.owned(); i++) {
      Eigen::Map<Vec3> w(domain.bodies.u(i)), v(domain.bodies.u(i) + 3);
      w = Vec3(0, omega, 0);
      v = w.cross(Vec3(3.0 * i + 1.5, 0, 0));
    }
  }
  void step() {
    const TimeStep s{time, kStep};
    domain.bodies.save();
    domain.joint_closure.start(domain, s);
    begin_step(domain.bodies, domain.bulk_materials, domain.gravity, s);
    detect_contacts(domain, false);
    assemble(domain, s);
    domain.joint_closure.middle(domain, s, true);
    update_velocities(domain.local_dynamics, domain.local_solution);
    apply_reactions(domain);
    end_step(domain.bodies, domain.bulk_materials, s);
    domain.joint_closure.end(domain, s);
    time += kStep;
  }
  // Largest distance and relative velocity of joined points.
  std::pair<double, double> open() const {
    double gap = 0, speed = 0;
    for (const Constraint& c : domain.constraints.all()) {
      Vec3 x = Vec3::Zero(), v = Vec3::Zero();
      const Joint& joint = *find_joint(domain.bodies, c);
      for (int side : {0, 1}) {
        const int i = c.body(side);
        const double sign = side == 0 ? 1 : -1;
        const Vec3 X = side == 0 ? joint.point : joint.other_point;
        const Vec3 at = i < 0 ? X : current_point(domain.bodies, i, X);
        x += sign * at;
        if (i >= 0) v += sign * velocity_at(domain.bodies, i, at, domain.bodies.u(i));
      }
      gap = std::max(gap, x.norm());
      speed = std::max(speed, v.norm());
    }
    return {gap, speed};
  }
  double kinetic() const {
    double sum = 0;
    for (int i = 0; i < domain.bodies.owned(); i++)
      sum += energy(domain.bodies, domain.bulk_materials, i).kinetic;
    return sum;
  }
};

TEST(JointClosure, PositionsAndVelocitiesFitAtTheEndsOfSteps) {
  for (double omega : {0.1, 5.0, 30.0}) {
    Chain chain(4, BodyKind::rigid);
    chain.turn(omega);
    const double before = chain.kinetic();
    for (int k = 0; k < 200; k++) {
      chain.step();
      const auto [gap, speed] = chain.open();
      ASSERT_LT(gap, 1e-10) << omega;
      ASSERT_LT(speed, 1e-9 * omega) << omega;
    }
    // It turns as one, and goes on so.
    EXPECT_NEAR(chain.kinetic(), before, 1e-7 * before) << omega;
  }
}

// A velocity that no joint allows is gone after the first step.
TEST(JointClosure, VelocitiesThatDoNotFitAreTakenBack) {
  for (BodyKind kind : {BodyKind::rigid, BodyKind::pseudo_rigid}) {
    Chain chain(3, kind);
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < chain.domain.bodies.dofs(i); k++)
        chain.domain.bodies.u(i)[k] = std::sin(1.0 + k + 5 * i);
    const double before = chain.kinetic();
    for (int k = 0; k < 20; k++) {
      chain.step();
      const auto [gap, speed] = chain.open();
      EXPECT_LT(gap, 1e-12) << k;
      EXPECT_LT(speed, 1e-9) << k;
    }
    EXPECT_LT(chain.kinetic(), before);
  }
}

TEST(JointClosure, StepsRunBackwards) {
  Chain chain(3, BodyKind::rigid);
  chain.domain.gravity.component[2] = TimeSeries(-10.0);
  chain.turn(1);
  BodyStore& bodies = chain.domain.bodies;
  chain.step();  // joints are measured, velocities fit
  std::vector<double> start(bodies.q(0), bodies.q(0) + 36);
  const auto turn_round = [&] {
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 6; k++) bodies.u(i)[k] *= -1;
  };
  for (int k = 0; k < 100; k++) chain.step();
  EXPECT_GT((Eigen::Map<Vec3>(&start[33]) - bodies.center(2)).norm(), 1);
  turn_round();
  for (int k = 0; k < 100; k++) chain.step();
  for (int k = 0; k < 36; k++) EXPECT_NEAR(bodies.q(0)[k], start[k], 1e-7) << k;
}

// Hinges: two or three points on a line. Reactions stay what the motion asks for.
TEST(JointClosure, RepeatedRowsShareTheLoad) {
  for (int repeat : {2, 3}) {
    Chain chain(3, BodyKind::rigid, repeat);
    chain.turn(10);
    double sum = 0;  // what the first joint has to hold: m omega^2 r of all three
    for (int i = 0; i < 3; i++)
      sum += chain.domain.bodies[i].reference.mass * 100 * (3.0 * i + 1.5);
    for (int k = 0; k < 200; k++) {
      chain.step();
      ASSERT_LT(chain.open().first, 1e-9);
      Vec3 total = Vec3::Zero();
      for (const Constraint& c : chain.domain.constraints.all()) {
        ASSERT_LT(c.R.norm(), 3 * sum);
        if (c.body2 < 0 && c.body1 == 0) total += c.R;
      }
      ASSERT_NEAR(total.norm(), sum, 2e-2 * sum) << k;
    }
  }
}

TEST(JointClosure, ContactsAndSpringsTakeNoPart) {
  Chain chain(1, BodyKind::rigid);
  Constraint c = chain.domain.constraints.all()[0];
  EXPECT_TRUE(closes_exactly(chain.domain.bodies, c));
  c.kind = ConstraintKind::spring;
  EXPECT_FALSE(closes_exactly(chain.domain.bodies, c));
  c.kind = ConstraintKind::contact;
  EXPECT_FALSE(closes_exactly(chain.domain.bodies, c));
}

}  // namespace
}  // namespace solfec::joint_closure_test
