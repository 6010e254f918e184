// The convective velocity of contacts is the change of H u in half a step, found here from contacts
// that are detected there; and where there is none.
#include "domain/contact_motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "body/dof_views.hpp"
#include "body/integration.hpp"
#include "body/kinematics.hpp"
#include "support/make_bodies.hpp"

namespace solfec::contact_motion_test {
namespace {

using testing::Random;

constexpr double kHalf = 1e-3;

Shape curved(bool ball, const Vec3& center, const Vec3& radii) {
  if (ball) return testing::ball_shape(center, radii.x());
  return {Ellipsoid{center, radii, Mat3::Identity(), 0, 0}};
}

// Two bodies that touch at the origin, with any velocities.
struct Pair {
  Domain domain;

  Pair(Random& random, BodyKind lower_kind, Shape lower, BodyKind upper_kind, Shape upper) {
    domain.surface_materials.store({});
    domain.bulk_materials.store({"rubber", 1e5, 0.3, 1000});
    testing::add_body(domain.bodies, lower_kind, std::move(lower));
    testing::add_body(domain.bodies, upper_kind, std::move(upper));
    for (int i : {0, 1})
      for (int k = 0; k < domain.bodies.dofs(i); k++) domain.bodies.u(i)[k] = random.uniform(-1, 1);
    detect_contacts(domain, false);
    move_along();
  }
  // Takes the velocity along the normal.
  void move_along() {
    const Vec3 n = contact().normal;
    Eigen::Map<Vec3>(domain.bodies.u(1) + domain.bodies.dofs(1) - 3) -=
        (contact().body1 == 1 ? 1 : -1) * n.dot(velocity(contact().point)) * n;
  }
  Constraint& contact() { return domain.constraints.all().at(0); }
  Vec3 velocity(const Vec3& x) const {
    Vec3 v = Vec3::Zero();
    const Constraint& c = domain.constraints.all()[0];
    for (int side : {0, 1}) {
      const int i = c.body(side);
      v += (side == 0 ? 1 : -1) * velocity_at(domain.bodies, i, x, domain.bodies.u(i));
    }
    return v;
  }
  Vec3 convective(double noise = 0, bool jointed = false) {
    std::array<BodyMotion, 2> motion;
    for (int side : {0, 1}) {
      const int i = contact().body(side);
      motion[side] = {velocity_at(domain.bodies, i, contact().point, domain.bodies.u(i)),
                      velocity_gradient(domain.bodies, i, domain.bodies.u(i))};
    }
    return convective_velocity(domain, contact(), motion, kHalf, noise, jointed);
  }
  // Moves the bodies by their velocities, and finds their contacts.
  void move() {
    move_bodies();
    domain.detection_settings.epsilon = 1;
    detect_contacts(domain, false);
  }
  void move_bodies() {
    for (int i : {0, 1}) {
      BodyStore& bodies = domain.bodies;
      const double* u = bodies.u(i);
      bodies.center(i) += kHalf * Eigen::Map<const Vec3>(u + bodies.dofs(i) - 3);
      if (bodies.kind(i) == BodyKind::pseudo_rigid)
        bodies.gradient(i) += kHalf * Eigen::Map<const Mat3>(u);
      else
        bodies.gradient(i) *= exponential(kHalf * Eigen::Map<const Vec3>(u));
    }
  }
};

TEST(ContactMotion, IsTheChangeOfVelocityInHalfAStep) {
  Random random(1);
  using enum BodyKind;
  const Shape box = testing::box_shape({0, 0, -0.999}, {2, 2, 1});
  for (bool ball : {false, true}) {
    const Shape upper = curved(ball, {0, 0, 0.4}, {0.4, 0.7, 0.4}),
                lower = curved(!ball, {0, 0, -0.599}, {0.6, 0.5, 0.6});
    const std::tuple<BodyKind, Shape, BodyKind, Shape> pairs[] = {
        {obstacle, box, rigid, upper},       {rigid, box, rigid, upper},
        {rigid, upper, rigid, box},          {rigid, lower, rigid, upper},
        {rigid, lower, pseudo_rigid, upper}, {obstacle, box, pseudo_rigid, upper}};
    for (int k = 0; k < 6; k++) {
      Shape first = std::get<1>(pairs[k]), second = std::get<3>(pairs[k]);
      if (k == 2) second = testing::box_shape({0, 0, -0.999}, {2, 2, 1});
      Pair pair(random, std::get<0>(pairs[k]), first, std::get<2>(pairs[k]), second);
      ASSERT_EQ(pair.domain.constraints.count(), 1) << k;
      const Constraint now = pair.contact();
      const Vec3 v = pair.velocity(now.point), c = pair.convective();
      EXPECT_GT(c.norm(), 1e-5) << k;
      pair.move();
      ASSERT_EQ(pair.domain.constraints.count(), 1) << k;
      const Constraint then = pair.contact();
      const Vec3 v2 = pair.velocity(then.point);
      // The normal component says all of the turned normal; speeds, of the rest.
      EXPECT_NEAR(c.z(), then.normal.dot(v2) - now.normal.dot(v), 1e-9) << k;
      EXPECT_NEAR((now.base().transpose() * v + c).norm(), v2.norm(), 1e-9) << k;
    }
  }
}

TEST(ContactMotion, LeavesOutTheApproach) {
  Random random(2);
  Pair pair(random, BodyKind::obstacle, testing::box_shape({0, 0, -0.999}, {2, 2, 1}),
            BodyKind::rigid, curved(false, {0, 0, 0.4}, {0.4, 0.7, 0.4}));
  const Vec3 along = pair.convective();
  EXPECT_GT(along.norm(), 1e-5);
  for (double speed : {-3, 5}) {
    Eigen::Map<Vec3>(pair.domain.bodies.u(1) + 3) += speed * pair.contact().normal;
    EXPECT_NEAR((pair.convective() - along).norm(), 0, 1e-12) << speed;
  }
}

// A box on its corner.
Shape corner_down() {
  const Vec3 diagonal = Vec3::Ones().normalized();
  const Mat3 turn = Eigen::Quaterniond::FromTwoVectors(diagonal, Vec3::UnitZ()).toRotationMatrix();
  return {testing::make_box({0, 0, 0.3 * std::sqrt(3.0) - 1e-4}, Vec3::Constant(0.3), turn)};
}

TEST(ContactMotion, OfAVertexIsThatOfItsPointAndOfTheFace) {
  Random random(3);
  using enum BodyKind;
  const Shape floor = testing::box_shape({0, 0, -1}, {2, 2, 1});
  const std::tuple<BodyKind, Shape, BodyKind, Shape> pairs[] = {
      {obstacle, floor, rigid, corner_down()},
      {rigid, floor, rigid, corner_down()},
      {rigid, corner_down(), rigid, floor},
      {rigid, corner_down(), obstacle, floor},
      {obstacle, floor, pseudo_rigid, corner_down()}};
  for (const auto& [kind1, shape1, kind2, shape2] : pairs) {
    Pair pair(random, kind1, shape1, kind2, shape2);
    ASSERT_EQ(pair.domain.constraints.count(), 1);
    const BodyStore& bodies = pair.domain.bodies;
    const Constraint now = pair.contact();
    ASSERT_NE(now.vertex, Vertex::none);
    const int holder = now.body(now.vertex == Vertex::first ? 0 : 1),
              face = now.body1 + now.body2 - holder;
    const Vec3 offset = bodies.gradient(holder).inverse() * (now.point - bodies.center(holder));
    const Vec3 normal = bodies.gradient(face).transpose() * now.normal;
    const Vec3 v = pair.velocity(now.point), c = pair.convective();
    EXPECT_GT(c.norm(), 1e-5);
    pair.move_bodies();
    const Vec3 v2 = pair.velocity(bodies.center(holder) + bodies.gradient(holder) * offset);
    EXPECT_NEAR(c.z(), (bodies.gradient(face) * normal).dot(v2) - now.normal.dot(v), 1e-5);
    EXPECT_NEAR((now.base().transpose() * v + c).norm(), v2.norm(), 1e-5);
  }
}

TEST(ContactMotion, BodiesThatGoRoundTogetherHaveOneMotionForAllContacts) {
  Random random(4);
  Pair pair(random, BodyKind::rigid, testing::box_shape({0, 0, -0.999}, {2, 2, 1}), BodyKind::rigid,
            testing::box_shape({0.5, 0, 0.4}, {0.4, 0.4, 0.4}));
  ASSERT_EQ(pair.domain.constraints.count(), 4);
  BodyStore& bodies = pair.domain.bodies;
  const Vec3 omega(0.5, -1, 2), v(1, 2, 3), centre = bodies.center(0);
  Vec3 acceleration = Vec3::Zero();
  const auto all = [&](double noise) {
    std::vector<Vec3> found;
    for (const Constraint& c : pair.domain.constraints.all()) {
      std::array<BodyMotion, 2> motion;
      for (int side : {0, 1}) {
        const int i = c.body(side);
        motion[side] = {velocity_at(bodies, i, c.point, bodies.u(i)),
                        velocity_gradient(bodies, i, bodies.u(i))};
      }
      found.push_back(c.base() * convective_velocity(pair.domain, c, motion, kHalf, noise, false));
    }
    return found;
  };
  // The bodies have gone straight on since the start of the step.
  const Mat3 back = (Mat3::Identity() + kHalf * skew(omega)).inverse();
  for (int i : {0, 1}) {
    const Vec3 of_centre = v + back * omega.cross(bodies.center(i) - centre);
    angular_part(bodies.u(i)) = omega;
    rigid_linear_part(bodies.u(i)) = of_centre;
    const int side = pair.contact().body1 == i ? 0 : 1;
    acceleration += (side == 0 ? 1 : -1) * omega.cross(of_centre);
  }
  for (const Vec3& c : all(0)) EXPECT_NEAR((c + kHalf * acceleration).norm(), 0, 1e-12);
  // One of them turns a little faster: of noise, or in earnest.
  angular_part(bodies.u(1)) += Vec3(0, 1e-4, 0);
  rigid_linear_part(bodies.u(1)) += v;
  rigid_linear_part(bodies.u(0)) += v;
  const auto spread = [](const std::vector<Vec3>& c) {
    double most = 0;
    for (const Vec3& other : c) most = std::max(most, (other - c[0]).norm());
    return most;
  };
  EXPECT_GT(spread(all(0)), 1e-9);
  EXPECT_LT(spread(all(1e-5)), 1e-15);
  for (Constraint& c : pair.domain.constraints.all()) c.bond = Bond{};
  EXPECT_LT(spread(all(0)), 1e-15) << "glue";
}

TEST(ContactMotion, JointedBodiesHaveNoneOfTheirOwn) {
  Random random(5);
  Pair pair(random, BodyKind::obstacle, testing::box_shape({0, 0, -1}, {2, 2, 1}), BodyKind::rigid,
            corner_down());
  EXPECT_EQ(pair.convective(0, true), Vec3::Zero());
}

TEST(ContactMotion, ForcesTurnWithWhatBothTurn) {
  const Vec3 force(1, 2, 3), omega(0.5, -1, 2);
  constexpr double h = 0.01;
  const auto after = [&](const Vec3& first, const Vec3& second) {
    std::array<BodyMotion, 2> motion;
    motion[0].rate = skew(first);
    motion[1].rate = skew(second) + 3 * Mat3::Identity();  // strains do not turn
    return turned(force, motion, h);
  };
  const Vec3 along = exponential(h * omega) * force;
  EXPECT_NEAR((after(omega, omega) - along).norm(), 0, 1e-15);
  EXPECT_NEAR((after(omega, 3 * omega) - along).norm(), 0, 1e-15) << "the slower one";
  EXPECT_NEAR((after(2 * omega + omega.unitOrthogonal(), omega.normalized()) -
               after(omega.normalized(), 2 * omega + omega.unitOrthogonal()))
                  .norm(),
              0, 1e-15);
  EXPECT_EQ(after(omega, -omega), force) << "they roll on each other";
  EXPECT_EQ(after(omega, Vec3::Zero()), force);
}

TEST(ContactMotion, EndsOfTheStepHaveItInBothVelocities) {
  Random random(3);
  Pair pair(random, BodyKind::obstacle, testing::box_shape({0, 0, -0.999}, {2, 2, 1}),
            BodyKind::rigid, curved(false, {0, 0, 0.4}, {0.4, 0.7, 0.4}));
  Domain& domain = pair.domain;
  const TimeStep step{0, 2 * kHalf};
  const Vec3 c = pair.convective();
  assemble(domain, step);
  const Vec3 B = domain.local_dynamics.B[0], V = domain.local_dynamics.V[0];
  domain.contact_correction = ContactCorrection::off;
  assemble(domain, step);
  EXPECT_NEAR((B - domain.local_dynamics.B[0] - c).norm(), 0, 1e-14);
  EXPECT_NEAR((V - domain.local_dynamics.V[0] + c).norm(), 0, 1e-14);
  domain.contact_correction = ContactCorrection::on;
  assemble(domain, step, ContactLaws::springs);
  EXPECT_EQ(V + c, domain.local_dynamics.V[0]) << "springs";
}

}  // namespace
}  // namespace solfec::contact_motion_test
