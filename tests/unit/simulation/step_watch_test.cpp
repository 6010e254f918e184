#include "simulation/step_watch.hpp"

#include <gtest/gtest.h>

#include "support/make_bodies.hpp"

namespace solfec::step_watch_test {
namespace {

// A ball of radius 0.1 that falls upon a thin plate with a velocity, in steps of 10 ms; what is
// said after so many of them.
StepWatch::Report watch(double height, double velocity, int steps, Vec3 sideways = Vec3::Zero(),
                        bool placed = false, std::string* placement = nullptr) {
  Domain d;
  d.bulk_materials.store({"stuff", 1e6, 0.25, 1000});
  const std::vector<Vec3> corners = {{-1, -1, -0.01}, {1, -1, -0.01}, {1, 1, -0.01}, {-1, 1, -0.01},
                                     {-1, -1, 0},     {1, -1, 0},     {1, 1, 0},     {-1, 1, 0}};
  testing::add_body(d.bodies, BodyKind::obstacle, {convex_hull(corners, 1, 1)});
  testing::add_body(d.bodies, BodyKind::rigid, {Sphere{Vec3(0, 0, height) + sideways, 0.1}});
  StepWatch watch;
  constexpr double h = 0.01;
  for (int k = 0; k < steps; k++) {
    d.bodies.u(1)[5] = -velocity;
    d.bodies.center(1)[2] -= velocity * h / 2;
    detect_contacts(d, k == 0);
    d.bodies.center(1)[2] -= velocity * h / 2;
    for (Constraint& c : d.constraints.all()) c.V = {0, 0, placed ? 0 : -velocity};
    watch.look(d, k * h, h, BodyId{k == 0 ? 0u : 2u});
  }
  if (placement) *placement = watch.placement({});
  return watch.report({});
}

TEST(StepWatch, SaysNothingOfShortSteps) {
  const StepWatch::Report apart = watch(0.3, 1, 10);
  EXPECT_EQ(apart.overlap, "");
  EXPECT_TRUE(apart.warnings.empty());
  const StepWatch::Report shallow = watch(0.1, 0.5, 1);  // 2.5 mm of 200
  EXPECT_EQ(shallow.overlap, "overlap at most 1.3 % (body 2 in body 1 at 0.005 s)");
  EXPECT_TRUE(shallow.warnings.empty());
}

TEST(StepWatch, TellsTheStepThatWouldDo) {
  const StepWatch::Report report = watch(0.1, 4, 1);  // 20 mm of 200: twice too much
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(
      report.warnings[0],
      "body 2 came 0.02 m deep into body 1 in the step to time 0.01, 10 % of its least extent; "
      "steps of 0.004 s keep it below 5 %");
}

// Steps are not to blame for bodies that the script has placed in each other.
TEST(StepWatch, TellsOfBodiesThatWerePlacedInOthers) {
  std::string placement;
  const StepWatch::Report report = watch(0.1, 4, 1, Vec3::Zero(), true, &placement);
  EXPECT_EQ(report.overlap, "overlap at most 10 % (body 2 in body 1 at 0.005 s)");
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(placement,
            "body 2 was placed 0.02 m deep in body 1, 10 % of its least extent "
            "(CONTACT_EXCLUDE_BODIES, where that is meant)");
  watch(0.1, 4, 1, Vec3::Zero(), false, &placement);
  EXPECT_EQ(placement, "");
}

// Little by little, so that no step is to blame.
TEST(StepWatch, TellsOfBodiesThatSink) {
  Domain d;
  testing::add_body(d.bodies, BodyKind::obstacle, {testing::box_shape({0, 0, -1}, {1, 1, 1})});
  testing::add_body(d.bodies, BodyKind::rigid, {Sphere{Vec3(0, 0, 0.099), 0.1}});
  const auto warnings = [&](double height, BodyId first_new) {
    StepWatch watch;
    for (double z : {0.099, height}) {
      d.bodies.center(1)[2] = z;
      detect_contacts(d, true);
      watch.look(d, 0, 0.01, z > 0 ? BodyId{3} : first_new);
    }
    return watch.report({}).warnings;
  };
  ASSERT_EQ(warnings(-0.2, BodyId{3}).size(), 1u);
  EXPECT_EQ(warnings(-0.2, BodyId{3})[0],
            "body 2 sank 0.3 m deep into body 1 by time 0.005, 150 % of its least extent: contacts "
            "no longer hold it apart; take shorter steps");
  EXPECT_TRUE(warnings(-0.05, BodyId{3}).empty());
  EXPECT_TRUE(warnings(-0.2, BodyId{2}).empty());  // the script has placed it there
}

// The contact that is missed is that of the ball with the plate; nothing is said of steps in which
// all bodies are at rest, and little where much else moves.
TEST(StepWatch, TellsOfContactsThatTheMeritDoesNotSee) {
  Domain d;
  testing::add_body(d.bodies, BodyKind::obstacle, {testing::box_shape({0, 0, -1}, {1, 1, 1})});
  testing::add_body(d.bodies, BodyKind::rigid, {Sphere{Vec3(0, 0, 0.1), 0.1}});
  detect_contacts(d, true);
  ASSERT_EQ(d.constraints.count(), 1);
  d.local_dynamics.law.resize(1);
  d.local_solution.merit = {3e-12};
  const auto told = [&](LargestMiss most, int times) {
    StepWatch watch;
    for (int k = 0; k < times; k++) watch.look_at_miss(d, most, 0.1 + k);
    const std::vector<std::string> warnings = watch.report({}).warnings;
    return warnings.empty() ? "" : warnings[0];
  };
  EXPECT_EQ(
      told({0.02, 0.03, 0}, 1),
      "the contact of body 2 and body 1 missed its law by 0.02 m/s in the step to time 0.1, more "
      "than half of the largest free velocity, and the merit, which weighs by mass, let it pass; "
      "a meritval of 3e-14 would not");
  EXPECT_NE(told({0.02, 0.03, 0}, 7).find(" let it pass (the first of 7 such steps); "),
            std::string::npos);
  for (LargestMiss most : {LargestMiss{0.01, 0.03, 0}, {0.02, 0.03, -1}, {1e-13, 1e-13, 0}})
    EXPECT_EQ(told(most, 1), "");
}

TEST(StepWatch, TellsOfBodiesThatHaveTurnedInsideOut) {
  Domain d;
  for (int k = 0; k < 3; k++)
    testing::add_body(d.bodies, BodyKind::pseudo_rigid,
                      {testing::box_shape({3.0 * k, 0, 0}, {1, 1, 1})});
  StepWatch watch;
  const auto warnings = [&] {
    watch.look_at_shapes(d);
    return watch.report({}).warnings;
  };
  EXPECT_TRUE(warnings().empty());
  d.bodies.q(1)[0] = -1;
  EXPECT_EQ(warnings(),
            std::vector<std::string>{"body 2 has turned inside out: loads are too large for "
                                     "the material (`young` is in Pa)"});
  d.bodies.q(2)[0] = -1;
  EXPECT_TRUE(warnings()[0].starts_with("body 2 and 1 more have turned inside out: "));
}

TEST(StepWatch, NoticesBodiesThatGoThroughOthers) {
  const StepWatch::Report report = watch(1.3, 200, 2);  // 2 m a step, never in touch
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_EQ(
      report.warnings[0],
      "body 2 went through body 1 in the step to time 0.01, in which it moved by 2 m; steps of "
      "0.0005 s would have found them in contact");
  EXPECT_TRUE(watch(1.3, 200, 2, {3, 0, 0}).warnings.empty());  // beside it
  EXPECT_TRUE(watch(2.5, 200, 1).warnings.empty());             // not yet there
}

TEST(StepWatch, DoesNotMindBodiesThatMayGoThroughOthers) {
  Domain d;
  testing::add_body(d.bodies, BodyKind::obstacle, {testing::box_shape({0, 0, -0.1}, {1, 1, 0.1})});
  testing::add_body(d.bodies, BodyKind::rigid, {Sphere{Vec3(0, 0, 1), 0.1}});
  d.bodies.u(1)[5] = -200;
  detect_contacts(d, true);
  d.bodies.center(1)[2] = -1;
  const auto warnings = [&] {
    StepWatch watch;
    watch.look(d, 0, 0.01, {});
    return watch.report({}).warnings.size();
  };
  EXPECT_EQ(warnings(), 1u);
  // It touched in mid-step, and nothing held it.
  d.bodies.center(1)[2] = 0.1;
  detect_contacts(d, true);
  ASSERT_FALSE(d.constraints.all().empty());
  d.bodies.center(1)[2] = -1;
  EXPECT_EQ(warnings(), 1u);
  d.exclusions.exclude_bodies(d.bodies.id(0), d.bodies.id(1));
  EXPECT_EQ(warnings(), 0u);
}

// Bodies that leave the extents at the end of a step are gone when it is looked at.
TEST(StepWatch, FollowsTheBodiesThatAreLeft) {
  Domain d;
  testing::add_body(d.bodies, BodyKind::rigid, {Sphere{Vec3(20, 0, 0), 0.1}});
  testing::add_body(d.bodies, BodyKind::obstacle, {testing::box_shape({0, 0, -0.1}, {1, 1, 0.1})});
  testing::add_body(d.bodies, BodyKind::rigid, {Sphere{Vec3(0, 0, 1), 0.1}});
  testing::add_body(d.bodies, BodyKind::rigid, {Sphere{Vec3(20, 0, 0.15), 0.1}});
  d.extents = Box{Vec3::Constant(-10), Vec3::Constant(10)};
  d.bodies.u(2)[5] = -200;
  detect_contacts(d, true);
  ASSERT_EQ(d.constraints.count(), 1);  // of those that leave
  d.bodies.center(2)[2] = -1;
  ASSERT_EQ(delete_outside(d).size(), 2u);
  StepWatch watch;
  watch.look(d, 0, 0.01, {});
  const StepWatch::Report report = watch.report({});
  EXPECT_EQ(report.overlap, "");
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_TRUE(report.warnings[0].starts_with("body 3 went through body 2 in the step to"));
}

}  // namespace
}  // namespace solfec::step_watch_test
