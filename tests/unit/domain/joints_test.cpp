// Joints as rows: what they bind at the end of a step, and how they come and go.
#include "domain/joints.hpp"

#include <gtest/gtest.h>

#include "body/integration.hpp"
#include "body/kinematics.hpp"
#include "local_dynamics/joint_law.hpp"

namespace solfec::joints_test {
namespace {

constexpr double kStep = 1e-3;

// Row by row, until nothing changes any more.
void solve(Domain& domain) {
  const LocalDynamics& p = domain.local_dynamics;
  LocalSolution& s = domain.local_solution;
  for (int sweep = 0; sweep < 500; sweep++)
    for (int row = 0; row < p.rows(); row++) {
      Vec3 free = p.B[row];
      for (int column = 0; column < p.rows(); column++)
        if (column != row) free += p.W.block(row, column) * s.R[column];
      s.R[row] = joint_reaction(p.law[row], p.W.diagonal(row), p.W.diagonal_inverse(row), free);
    }
  update_velocities(p, s);
}

struct Bodies {
  Domain domain;

  explicit Bodies(int count) {
    BulkMaterial material;
    material.density = 1000;
    domain.bulk_materials.store(material);
    domain.surface_materials.store({});
    for (int k = 0; k < count; k++) {
      Body body;
      body.id = BodyId{static_cast<std::uint32_t>(k)};
      body.kind = k % 2 == 0 ? BodyKind::rigid : BodyKind::pseudo_rigid;
      body.scheme = k % 2 == 0 ? Scheme::rig_neg : Scheme::def_lim;
      body.material = 0;
      Sphere sphere;
      sphere.center = Vec3(3.0 * k, 0, 0);
      sphere.radius = 1;
      auto shape = std::make_shared<Shape>();
      shape->push_back(sphere);
      body.reference = reference_mass(*shape, 1000, body.kind);
      body.shape = shape;
      domain.bodies.add(std::move(body));
    }
  }
  BodyStore& bodies() { return domain.bodies; }

  void step(double time) {
    const TimeStep step{time, kStep};
    bodies().save();
    domain.joint_closure.start(domain, step);
    begin_step(bodies(), domain.bulk_materials, domain.gravity, step);
    detect_contacts(domain, false);
    assemble(domain, step);
    evaluate_springs(domain);
    domain.joint_closure.middle(domain, step, true);
    solve(domain);
    apply_reactions(domain);
    end_step(bodies(), domain.bulk_materials, step);
    domain.joint_closure.end(domain, step);
  }
};

Joint link(BodyId other, const Vec3& point, const Vec3& other_point) {
  Joint joint;
  joint.kind = ConstraintKind::rigid_link;
  joint.other = other;
  joint.point = point;
  joint.other_point = other_point;
  return joint;
}

TEST(Joints, AreNamedByBodyAndNumber) {
  Bodies b(2);
  const Joint joint = link(BodyId{1}, {0, 0, 0}, {3, 0, 0});
  add_joint(b.domain, 0, joint);
  add_joint(b.domain, 0, joint);
  ASSERT_EQ(b.domain.constraints.count(), 2);
  const Constraint& second = b.domain.constraints.all()[1];
  EXPECT_TRUE(is_joint(second.key));
  EXPECT_EQ(second.key.feature2, 1u);
  EXPECT_EQ(find_joint(b.bodies(), second)->number, 1u);
  const ContactKey first = b.domain.constraints.all()[0].key;
  remove_constraint(b.domain, first);
  remove_constraint(b.domain, first);  // gone: nothing happens
  EXPECT_EQ(b.bodies()[0].joints.size(), 1u);
  ASSERT_EQ(b.domain.constraints.count(), 1);
  EXPECT_EQ(add_joint(b.domain, 0, joint), 0u);
  EXPECT_EQ(add_joint(b.domain, 0, joint), 2u);
}

// Whoever holds it, and measured in the step or before.
TEST(Joints, LinkKeepsItsLength) {
  for (bool second : {false, true})
    for (bool measured : {false, true}) {
      Bodies b(2);
      Joint joint = second ? link(BodyId{0}, {3.5, 0, 0}, {0, 1, 0})
                           : link(BodyId{1}, {0, 1, 0}, {3.5, 0, 0});
      joint.second = second;
      if (measured) measure(joint, joint.point, joint.other_point, joint.direction);
      add_joint(b.domain, second ? 1 : 0, joint);
      for (int k = 0; k < 6; k++) b.bodies().u(0)[k] = 0.5 * k - 1;
      b.bodies().u(1)[11] = 2;
      const double length = (Vec3(0, 1, 0) - Vec3(3.5, 0, 0)).norm();
      for (int k = 0; k < 100; k++) {
        b.step(k * kStep);
        const Vec3 x1 = current_point(b.bodies(), 0, {0, 1, 0});
        const Vec3 x2 = current_point(b.bodies(), 1, {3.5, 0, 0});
        EXPECT_NEAR((x1 - x2).norm(), length, 1e-12);
      }
      const Constraint& c = b.domain.constraints.all()[0];
      EXPECT_NEAR((c.point_of(0) - c.point_of(1)).normalized().dot(c.normal), 1, 1e-12);
      EXPECT_EQ(c.R.head<2>(), Vec2::Zero());
    }
}

TEST(Joints, MomentumIsConserved) {
  for (ConstraintKind kind : {ConstraintKind::rigid_link, ConstraintKind::fixed_point}) {
    Bodies b(3);
    const Vec3 pin(1.5, 0.3, 0);
    for (int i : {0, 1}) {
      Joint joint =
          link(BodyId{static_cast<std::uint32_t>(i + 1)}, {3.0 * i, 1, 0}, {3.0 * (i + 1), 1, 0});
      if (kind == ConstraintKind::fixed_point)
        joint.point = joint.other_point = pin + Vec3(3.0 * i, 0, 0);
      joint.kind = kind;
      add_joint(b.domain, i, joint);
    }
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < b.bodies().dofs(i); k++) b.bodies().u(i)[k] = std::sin(k + 3 * i);
    const auto momenta = [&] {
      std::array<Vec3, 2> sum = {Vec3::Zero(), Vec3::Zero()};
      for (int i = 0; i < 3; i++) {
        const BodyStore& s = b.bodies();
        const int n = s.dofs(i);
        const Vec3 p = s[i].reference.mass * Eigen::Map<const Vec3>(s.u(i) + n - 3);
        sum[0] += p;
        sum[1] += Vec3(s.center(i)).cross(p);
        const Mat3 G = s.gradient(i), J = s[i].reference.tensor;
        if (n == 6) {
          sum[1] += G * J * Eigen::Map<const Vec3>(s.u(i));
        } else {
          const Mat3 spin = Eigen::Map<const Mat3>(s.u(i)) * J * G.transpose();
          sum[1] += Vec3(spin(2, 1) - spin(1, 2), spin(0, 2) - spin(2, 0), spin(1, 0) - spin(0, 1));
        }
      }
      return sum;
    };
    const auto before = momenta();
    for (int k = 0; k < 50; k++) b.step(k * kStep);
    const auto after = momenta();
    for (int k : {0, 1})
      EXPECT_NEAR((after[k] - before[k]).norm(), 0, 1e-9 * before[k].norm())
          << static_cast<int>(kind);
  }
}

// A motion in three directions is met along each of them, whatever the body does else.
TEST(Joints, MotionInThreeDirections) {
  for (int i : {0, 1}) {
    Bodies b(2);
    const Mat3 base = local_base(Vec3(1, 2, -2).normalized());
    Joint joint;
    joint.kind = ConstraintKind::prescribed_motion3;
    joint.point = Vec3(3.0 * i, 0.5, 0.2);
    for (int k : {0, 1})
      joint.across.push_back(
          {base.col(k), Motion(Motion::Given::acceleration, TimeSeries(k + 1.0))});
    joint.direction = base.col(2);
    joint.motion = Motion(Motion::Given::acceleration, TimeSeries(3.0));
    add_joint(b.domain, i, joint);
    b.bodies().u(i)[1] = 2;  // it turns
    double t = 0;
    for (int k = 0; k < 100; k++, t += kStep) b.step(t);
    const Vec3 displacement = current_point(b.bodies(), i, joint.point) - joint.point;
    EXPECT_NEAR((base.transpose() * displacement - 0.5 * t * t * Vec3(1, 2, 3)).norm(), 0, 1e-12)
        << i;
    const Constraint& c = b.domain.constraints.all()[0];
    EXPECT_TRUE(c.base().isApprox(base, 1e-15));
    EXPECT_GT(c.R.head<2>().norm(), 1);
  }
}

// The function is asked for the stroke of mid-step and the velocity of its start; stops bound the
// strokes of mid-steps, and the spring is at rest there.
TEST(Joints, SpringsAreAskedForTheirForces) {
  for (bool second : {false, true}) {
    Bodies b(2);
    Joint joint =
        second ? link(BodyId{0}, {3, 0, 0}, {0, 0, 0}) : link(BodyId{1}, {0, 0, 0}, {3, 0, 0});
    joint.kind = ConstraintKind::spring;
    joint.second = second;
    joint.spring = {0, SpringAxis::line, -0.01, 1};
    std::vector<std::pair<double, double>> asked;
    b.domain.spring_functions.push_back([&](double stroke, double velocity) {
      asked.emplace_back(stroke, velocity);
      return -50.0;  // held at the stop
    });
    add_joint(b.domain, second ? 1 : 0, joint);
    b.bodies().u(0)[3] = 1;  // towards the other one
    const double mass = b.bodies()[0].reference.mass;
    for (int k = 0; k < 30; k++) b.step(k * kStep);
    ASSERT_EQ(asked.size(), 30u);
    EXPECT_NEAR(asked[0].first, -0.5 * kStep, 1e-12);
    EXPECT_NEAR(asked[0].second, -1, 1e-12);
    EXPECT_NEAR(asked[1].second, -1 - 2 * 50 / mass * kStep, 1e-9);
    for (const auto& [stroke, velocity] : asked) EXPECT_GE(stroke, -0.01 - 1e-12);
    EXPECT_NEAR(asked[20].first, -0.01, 1e-12);
    EXPECT_NEAR(asked[20].second, 0, 1e-9);
    const double momentum = mass * (b.bodies().u(0)[3] + b.bodies().u(1)[9]);
    EXPECT_NEAR(momentum, mass, 1e-9 * mass);
  }
}

TEST(Joints, GoWithTheOtherBody) {
  Bodies b(3);
  add_joint(b.domain, 0, link(BodyId{1}, {0, 0, 0}, {3, 0, 0}));
  add_joint(b.domain, 0, link(BodyId{2}, {0, 0, 0}, {6, 0, 0}));
  const BodyId gone[] = {BodyId{1}};
  delete_bodies(b.domain, gone);
  ASSERT_EQ(b.bodies()[0].joints.size(), 1u);
  ASSERT_EQ(b.domain.constraints.count(), 1);
  EXPECT_EQ(b.domain.constraints.all()[0].body2, 1);
  b.step(0);
  EXPECT_EQ(b.domain.constraints.count(), 1);
}

TEST(Joints, BreakAndAreDropped) {
  Bodies b(1);
  Joint joint;
  joint.strength = 10;
  add_joint(b.domain, 0, joint);
  b.domain.gravity.component[2] = TimeSeries(-1.0);
  b.step(0);
  EXPECT_EQ(b.domain.constraints.count(), 1) << "it has acted in this step";
  EXPECT_GT(b.domain.constraints.all()[0].R.norm(), 10);
  b.step(kStep);
  EXPECT_EQ(b.domain.constraints.count(), 0);
  EXPECT_TRUE(b.bodies()[0].joints.empty());
}

TEST(Joints, ConstraintsAreMadeWhereTheyAreMissing) {
  Bodies b(2);
  add_joint(b.domain, 0, link(BodyId{1}, {0, 0, 0}, {3, 0, 0}));
  Joint joint;
  joint.point = Vec3(3, 0, 0);
  add_joint(b.domain, 1, joint);
  const auto wanted = b.domain.constraints.all();
  b.domain.constraints.remove(0);
  make_joint_constraints(b.domain);
  make_joint_constraints(b.domain);
  ASSERT_EQ(b.domain.constraints.count(), 2);
  for (int k : {0, 1}) EXPECT_EQ(b.domain.constraints.all()[k].key, wanted[k].key);
}

}  // namespace
}  // namespace solfec::joints_test
