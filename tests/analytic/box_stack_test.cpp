// Boxes on top of each other, at rest.
#include "support/scene.hpp"

namespace solfec::box_stack_test {
namespace {

using testing::accurate_to;
using testing::make_box;
using testing::make_brick;
using testing::Scene;

constexpr double kGravity = 9.81;
#ifdef __SANITIZE_ADDRESS__
constexpr int kCount = 4;  // sweeps grow with the square of it, and are forty times slower
#else
constexpr int kCount = 10;
#endif
const Vec3 kHalf(0.3, 0.2, 0.1);

enum class Stack { boxes, bricks, uneven };

double weight(const Scene& scene, int i) { return scene.mass(i) * kGravity; }

// Checks the force between every two of the stack, from the top down.
void expect_weights(const Scene& scene, const std::vector<int>& boxes, double tolerance) {
  double above = 0;
  for (int k = kCount - 1; k >= 0; k--) {
    above += weight(scene, boxes[k]);
    Vec3 force = Vec3::Zero();
    const int below = k > 0 ? boxes[k - 1] : 0;
    for (const Constraint& c : scene.contacts()) {
      if (c.body1 == boxes[k] && c.body2 == below) force += c.base() * c.R;
      if (c.body2 == boxes[k] && c.body1 == below) force -= c.base() * c.R;
    }
    EXPECT_NEAR(force.z(), above, tolerance * above) << "under box " << k;
    EXPECT_LT(force.head<2>().norm(), tolerance * above) << "under box " << k;
  }
}

std::vector<int> add_stack(Scene& scene, bool pseudo_rigid, Stack stack) {
  std::vector<int> boxes;
  scene.add_ground();
  for (int k = 0; k < kCount; k++) {
    Vec3 center(0, 0, (2 * k + 1) * kHalf.z());
    if (stack == Stack::uneven) center += Vec3(k % 2 ? 0.05 : -0.04, k % 3 ? 0.02 : -0.03, 0);
    Solid solid = stack == Stack::bricks ? Solid(make_brick(center, kHalf, {2, 2, 1}))
                                         : Solid(make_box(center, kHalf, Mat3::Identity()));
    boxes.push_back(pseudo_rigid ? scene.add_pseudo_rigid(std::move(solid), Scheme::def_lim, 0.02)
                                 : scene.add_rigid(std::move(solid)));
  }
  return boxes;
}

TEST(BoxStack, RigidBoxesStayAtRest) {
  for (Stack stack : {Stack::boxes, Stack::bricks, Stack::uneven})
    for (double friction : {0.0, 0.5}) {
      SCOPED_TRACE(::testing::Message() << static_cast<int>(stack) << ", friction " << friction);
      Scene scene(1e-3, Vec3(0, 0, -kGravity));
      scene.solver.settings = accurate_to(1e-8);
      scene.solver.settings.max_iterations = 200000;  // news travels one box per sweep
      scene.solver.settings.reverse = true;
      scene.surface().friction = friction;
      const std::vector<int> boxes = add_stack(scene, false, stack);
      std::vector<Vec3> start;
      for (int i : boxes) start.push_back(scene.center(i));
      scene.step();
      expect_weights(scene, boxes, 1e-6);
      scene.steps(500);
      expect_weights(scene, boxes, 1e-6);
      for (int k = 0; k < kCount; k++) {
        EXPECT_LT(scene.velocity(boxes[k]).norm(), 1e-8) << k;
        EXPECT_LT((scene.center(boxes[k]) - start[k]).norm(), 1e-8) << k;
        EXPECT_LT((scene.gradient(boxes[k]) - Mat3::Identity()).norm(), 1e-7) << k;
      }
    }
}

TEST(BoxStack, PseudoRigidBoxesComeToRest) {
  // They sink under their own weight first; damping takes the swing out.
  Scene scene(2e-3, Vec3(0, 0, -kGravity));
  scene.bulk().young = 1e7;
  scene.bulk().poisson = 0;
  scene.solver.settings = accurate_to(1e-9);
  scene.surface().friction = 0.5;
  const std::vector<int> boxes = add_stack(scene, true, Stack::boxes);
  scene.steps(1000);
  expect_weights(scene, boxes, 1e-6);
  double above = 0;
  const double area = 4 * kHalf.x() * kHalf.y();
  for (int k = kCount - 1; k >= 0; k--) {
    EXPECT_LT(scene.velocity(boxes[k]).norm(), 1e-8) << k;
    // A box of one gradient carries the mean of the stress at its top and bottom:
    // Y (F^3 - F) / 2 = -p.
    const double pressure = (above + 0.5 * weight(scene, boxes[k])) / area;
    above += weight(scene, boxes[k]);
    const double F = scene.gradient(boxes[k])(2, 2);
    EXPECT_NEAR(0.5 * scene.bulk().young * (F * F * F - F), -pressure, 1e-5 * pressure) << k;
  }
  const std::vector<double> level = {scene.center(boxes[0]).z(),
                                     scene.center(boxes[kCount - 1]).z()};
  scene.steps(200);
  EXPECT_NEAR(scene.center(boxes[0]).z(), level[0], 1e-9);
  EXPECT_NEAR(scene.center(boxes[kCount - 1]).z(), level[1], 1e-9);
}

}  // namespace
}  // namespace solfec::box_stack_test
