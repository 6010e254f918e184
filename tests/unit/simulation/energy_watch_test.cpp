#include "simulation/energy_watch.hpp"

#include <gtest/gtest.h>

#include "body/integration.hpp"
#include "domain/domain.hpp"
#include "domain/joints.hpp"
#include "support/make_bodies.hpp"

namespace solfec::energy_watch_test {
namespace {

constexpr TimeStep kStep{0, 0.01};

// A ball of radius 0.1 and some 4 kg beside an obstacle.
struct Watched {
  Watched() {
    d.bulk_materials.store({"stuff", 1e6, 0.25, 1000});
    obstacle = testing::add_body(d.bodies, BodyKind::obstacle,
                                 testing::box_shape(Vec3(1, 0, 0), Vec3(0.9, 1, 1)));
    ball = testing::add_body(d.bodies, BodyKind::rigid, testing::ball_shape(Vec3::Zero(), 0.1));
    watch.take_gain(d);
  }

  void step_to(double velocity, ContactLaws laws = ContactLaws::by_model) {
    d.bodies.u(ball)[3] = velocity;
    watch.end_step(d, kStep, laws);
  }
  std::string runaway() { return watch.what_runs_away(d, watch.figures(), kStep.h); }

  // A row between the ball and what is said, that pushes the ball from rest to the velocity.
  void push(ConstraintKind kind, int other, double velocity) {
    Constraint c;
    c.kind = kind;
    c.body1 = ball;
    c.body2 = other;
    c.set_base(local_base(Vec3::UnitX()));
    push(c, velocity);
    d.constraints.insert({c});
    d.constraints.all()[0].body1 = ball;
    d.constraints.all()[0].body2 = other;
  }
  void push(Constraint& c, double velocity) const {
    c.U = {0, 0, velocity};
    c.R = {0, 0, d.bodies[ball].reference.mass * velocity / kStep.h};
  }

  Domain d;
  EnergyWatch watch;
  int obstacle, ball;
};

TEST(EnergyWatch, EndsWhatRunsAway) {
  Watched w;
  w.step_to(20);
  EXPECT_EQ(w.runaway(),
            "the kinetic energy of all bodies is 838 J, 838 J of it that of body 2, where they had "
            "and were given 0 J");
}

// Ten steps' worth of its weight, and a millionth of its size in a step.
TEST(EnergyWatch, TakesSmallSpeedsForNoise) {
  Watched w;
  w.step_to(1e-6);
  EXPECT_EQ(w.runaway(), "");
  w.d.bodies.f(w.ball)[4] = 9.81 * w.d.bodies[w.ball].reference.mass;
  w.step_to(9.81 * 10 * kStep.h);
  EXPECT_EQ(w.runaway(), "");
  w.step_to(9.81 * 40 * kStep.h);
  EXPECT_NE(w.runaway(), "");
}

TEST(EnergyWatch, CountsWorkOfLoads) {
  Watched w;
  for (int k = 1; k <= 100; k++) {
    w.d.bodies.f(w.ball)[3] = w.d.bodies[w.ball].reference.mass * 20 / kStep.h;
    w.step_to(20 * k);
    EXPECT_EQ(w.runaway(), "");
    EXPECT_LE(w.watch.figures()[0], w.watch.figures()[1]);
  }
}

TEST(EnergyWatch, CountsWhatScriptsAndClosingJointsGive) {
  Watched w;
  w.d.bodies.u(w.ball)[3] = 20;
  w.watch.take_gain(w.d);
  w.step_to(60);
  EXPECT_EQ(w.runaway(), "");
  w.step_to(70);
  EXPECT_NE(w.runaway(), "");
}

TEST(EnergyWatch, CountsSpringsUnlessTheirReactionsWereNone) {
  Watched w;
  w.push(ConstraintKind::spring, -1, 20);
  w.d.constraints.update({}, w.d.bodies, w.d.surface_materials, false);
  w.step_to(20);
  EXPECT_EQ(w.runaway(), "");
  w.watch.take_back_rows();
  EXPECT_NE(w.runaway(), "");
}

// But not what their reactions do where they do not bring it about.
TEST(EnergyWatch, CountsWhatMotionsPrescribe) {
  const auto pushed = [](double prescribed) {
    Watched w;
    Joint joint;
    joint.kind = ConstraintKind::prescribed_motion;
    joint.direction = Vec3::UnitX();
    joint.motion = Motion(Motion::Given::velocity, TimeSeries(prescribed));
    add_joint(w.d, w.ball, joint);
    w.d.constraints.update({}, w.d.bodies, w.d.surface_materials, false);
    Constraint& c = w.d.constraints.all()[0];
    c.set_base(local_base(Vec3::UnitX()));
    w.push(c, 20);
    w.step_to(20);
    return w.runaway();
  };
  EXPECT_EQ(pushed(20), "");
  EXPECT_NE(pushed(0.1), "");
}

TEST(EnergyWatch, CountsContactsAsTheirLawsSay) {
  const auto pushed = [](ContactLaws laws, double obstacle_speed) {
    Watched w;
    w.push(ConstraintKind::contact, w.obstacle, 20);
    w.d.bodies.u(w.obstacle)[3] = obstacle_speed;
    w.step_to(20, laws);
    return w.runaway();
  };
  EXPECT_NE(pushed(ContactLaws::by_model, 0), "");
  EXPECT_EQ(pushed(ContactLaws::by_model, 20), "");  // the obstacle pushes
  EXPECT_EQ(pushed(ContactLaws::springs, 0), "");
}

// Once more when the script has changed a material.
TEST(EnergyWatch, CountsStoredEnergy) {
  Watched w;
  const int soft = testing::add_body(w.d.bodies, BodyKind::pseudo_rigid,
                                     testing::box_shape(Vec3(0, 3, 0), Vec3(1, 1, 1)));
  w.d.bodies.gradient(soft) *= 1.1;
  const double stored = stored_energy(w.d.bodies, w.d.bulk_materials, soft);
  ASSERT_GT(stored, 0);
  EnergyWatch watch;
  watch.take_gain(w.d);
  EXPECT_DOUBLE_EQ(watch.figures()[1], stored);
  watch.take_gain(w.d);
  EXPECT_DOUBLE_EQ(watch.figures()[1], stored);
  w.d.bulk_materials[0].young *= 2;
  watch.take_gain(w.d);
  EXPECT_NEAR(watch.figures()[1], 3 * stored, 1e-9 * stored);
}

}  // namespace
}  // namespace solfec::energy_watch_test
