// Joints that contradict each other are named, and those that agree are not.
#include "simulation/contradiction.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "domain/joints.hpp"
#include "support/scene.hpp"

namespace solfec::contradiction_test {
namespace {

using testing::make_ball;
using testing::Scene;

void move_along(Scene& scene, int body, const Vec3& point, const Vec3& direction, double speed) {
  Joint joint;
  joint.kind = ConstraintKind::prescribed_motion;
  joint.point = point;
  joint.direction = direction;
  joint.motion = Motion(Motion::Given::velocity, TimeSeries(speed));
  add_joint(scene.domain(), body, joint);
}

std::string error_of(Scene& scene) {
  try {
    look_at_joints(scene.simulation);
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

TEST(Contradiction, TwoMotionsOfOnePoint) {
  for (double other : {0.5, 0.4}) {
    Scene scene(1e-3);
    const int ball = scene.add_rigid(make_ball({0, 0, 0}, 1));
    const int idle = scene.add_rigid(make_ball({5, 0, 0}, 1));
    move_along(scene, ball, {0, 0, 0}, Vec3::UnitZ(), 0.5);
    move_along(scene, ball, {0, 0, 0}, Vec3::UnitZ(), other);
    move_along(scene, idle, {5, 0, 0}, Vec3::UnitX(), 1);
    scene.solver.settings.max_iterations = 10;
    make_step(scene.simulation, scene.solver);
    const std::string error = error_of(scene);
    if (other == 0.5) {
      EXPECT_EQ(scene.simulation.last.solution.status, SolveStatus::ok);
      EXPECT_EQ(error, "");
      continue;
    }
    EXPECT_EQ(scene.simulation.last.solution.status, SolveStatus::diverged);
    EXPECT_NE(error.find("joints contradict each other at time 0.001"), std::string::npos) << error;
    const std::string named = "prescribed motion of " + scene.bodies().name(ball);
    const auto first = error.find(named);
    ASSERT_NE(first, std::string::npos) << error;
    EXPECT_NE(error.find(named, first + 1), std::string::npos) << error;
    EXPECT_EQ(error.find(scene.bodies().name(idle)), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace solfec::contradiction_test
