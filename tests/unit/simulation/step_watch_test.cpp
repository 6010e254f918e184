#include "simulation/step_watch.hpp"

#include <gtest/gtest.h>

#include "support/make_bodies.hpp"

namespace solfec {
namespace {

// A ball of radius 0.1 that falls upon a thin plate with a velocity, in steps of 10 ms; what is
// said after so many of them.
StepWatch::Report watch(double height, double velocity, int steps, Vec3 sideways = Vec3::Zero(),
                        bool placed = false) {
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
    watch.look(d, k * h, h);
  }
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
  const StepWatch::Report report = watch(0.1, 4, 1, Vec3::Zero(), true);
  EXPECT_EQ(report.overlap, "overlap at most 10 % (body 2 in body 1 at 0.005 s)");
  EXPECT_TRUE(report.warnings.empty());
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

}  // namespace
}  // namespace solfec
