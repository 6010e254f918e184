// Closed systems of bodies of all shapes and kinds that collide: what has to be kept is kept, what
// may only fall falls.
#include "body/kinematics.hpp"
#include "support/scene.hpp"

namespace solfec::conservation_test {
namespace {

using testing::accurate_to;
using testing::make_ball;
using testing::make_brick;
using testing::Random;
using testing::random_polyhedron;
using testing::Scene;

// A cloud of bodies that fly towards the origin.
void add_cloud(Scene& scene, Random& random, int count, bool deformable, bool balls_only = false) {
  for (int k = 0; k < count; k++) {
    const Vec3 center = 1.1 * Vec3(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1) + random.in_box(0.1);
    Solid solid = make_ball(center, random.uniform(0.2, 0.4));
    if (!balls_only) switch (k % 4) {
        case 1:
          solid = Ellipsoid{center, Vec3(0.4, 0.2, 0.3), random.rotation(), 1, 1};
          break;
        case 2:
          solid = random_polyhedron(random, center, 0.4);
          break;
        case 3:
          solid = make_brick(center, Vec3(0.2, 0.3, 0.15), {2, 2, 2}, random.rotation());
          break;
        default:
          break;
      }
    int i;
    if (deformable && k % 2 == 0)
      i = scene.add_pseudo_rigid(std::move(solid), k % 4 == 0 ? Scheme::def_exp : Scheme::def_lim2);
    else
      i = scene.add_rigid(std::move(solid), k % 3 == 0 ? Scheme::rig_imp : Scheme::rig_neg);
    const Vec3 towards = -scene.center(i) + random.in_box(0.5);
    scene.set_velocity(i, 2 * towards, 3 * random.in_box(1));
  }
}

TEST(Conservation, MomentumInCollisions) {
  // Rigid bodies whose overlap is corrected move with their momenta.
  for (const auto& [deformable, corrects] :
       {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
    const double tolerance = corrects ? 1e-3 : 1e-12;
    Random random(deformable ? 1 : 2);
    Scene scene(1e-3);
    scene.domain().contact_correction = corrects ? ContactCorrection::on : ContactCorrection::off;
    scene.solver.settings = accurate_to(1e-6);
    scene.bulk().young = 1e6;
    scene.surface().friction = 0.4;
    scene.surface().restitution = 0.3;
    scene.domain().detection_settings.mode = deformable ? ContactMode::many : ContactMode::one;
    add_cloud(scene, random, 27, deformable);
    const testing::Momentum before = scene.momentum();
    // Sizes to measure changes with.
    double linear = 0, angular = 0;
    for (int i = 0; i < scene.bodies().total(); i++) {
      linear += scene.mass(i) * scene.velocity(i).norm();
      angular += scene.mass(i) * scene.velocity(i).norm() * scene.center(i).norm();
    }
    std::size_t met = 0;
    for (int k = 0; k < 600; k++) {
      scene.advance(scene.solver);
      const testing::Momentum now = scene.momentum();
      ASSERT_LT((now.linear - before.linear).norm(), 1e-13 * linear) << k;
      ASSERT_LT((now.angular - before.angular).norm(), tolerance * angular) << k;
      met += scene.contacts().size();
      for (const Constraint& c : scene.contacts())
        ASSERT_TRUE(in_friction_cone(c.R, 0.4, 1e-12 * c.R.norm())) << k;
    }
    EXPECT_GT(met, 1000u);
  }
}

TEST(Conservation, PlasticFrictionalImpactsOnlyDissipate) {
  // R . (U + V) / 2 summed over the contacts is never positive when e = 0, in any step; for balls,
  // whose free motion is exact, that is all that happens to the kinetic energy.
  for (bool balls_only : {true, false}) {
    Random random(5);
    Scene scene(1e-3);
    scene.solver.settings = accurate_to(1e-9);
    scene.surface().friction = 0.5;
    add_cloud(scene, random, 27, false, balls_only);
    const double start = scene.energy().kinetic;
    double last = start;
    for (int k = 0; k < 500; k++) {
      scene.step();
      double power = 0;
      for (const Constraint& c : scene.contacts()) power += 0.5 * c.R.dot(c.U + c.V);
      const double now = scene.energy().kinetic;
      if (balls_only) {
        ASSERT_LE(power, 1e-9 * start) << k;
        ASSERT_LE(now, last + 1e-9 * start) << k;
        ASSERT_NEAR(now - last, 1e-3 * power, 1e-9 * start) << k;
      } else {
        // The rotations of other bodies are of second order only.
        ASSERT_LE(now, last + 1e-4 * start) << k;
      }
      last = now;
    }
    EXPECT_LT(last, 0.6 * start);
  }
}

TEST(Conservation, EnergiesBalance) {
  // Kinetic energy gained by rigid balls is the external work, which has the contacts' in it.
  Random random(6);
  Scene scene(1e-3, Vec3(0, 0, -9.81));
  scene.solver.settings = accurate_to(1e-9);
  scene.surface().friction = 0.3;
  scene.surface().restitution = 0.5;
  const int ground = scene.add_ground();
  scene.bodies().center(ground) -= Vec3(0, 0, 2);
  add_cloud(scene, random, 27, false, true);
  const double start = scene.energy().kinetic;
  scene.steps(800);
  const Energy end = scene.energy();
  EXPECT_NEAR(end.kinetic - start, end.external, 1e-9 * start);
  EXPECT_LT(end.contact, -0.01 * start);
  EXPECT_LT(end.friction, -0.01 * start);
}

}  // namespace
}  // namespace solfec::conservation_test
