// Whether a block meets the side of another one that a third block covers.
#include "contact/covered_faces.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/contact_scene.hpp"

namespace solfec::covered_faces_test {
namespace {

constexpr double kEpsilon = 1e-6;

// Blocks of side 2: one on the left of two in a row, which it has sunk into, so that its right side
// is over the seam between them by as much as `over`. Normals of its contacts with the right block.
std::vector<Vec3> normals(double sunk, double over, double joint = 0, double step = 0,
                          bool excluded = false) {
  testing::ContactScene scene;
  testing::add_body(scene.bodies, BodyKind::obstacle, testing::box_shape({-1, 0, -1}, {1, 1, 1}));
  testing::add_body(scene.bodies, BodyKind::obstacle,
                    testing::box_shape({1 + joint, 0, -1 + step}, {1, 1, 1}));
  testing::add_body(scene.bodies, BodyKind::rigid,
                    testing::box_shape({-1 + joint + over, 0, 1 - sunk}, {1, 1, 1}));
  if (excluded) scene.exclusions.exclude_bodies(BodyId{1}, BodyId{3});
  std::vector<Vec3> result;
  for (const DetectedContact& c : scene.find())
    if (c.key.body2 == BodyId{2}) result.push_back(c.geometry.normal);
  return result;
}

bool presses_up(const Vec3& normal) { return normal.z() > 1 - 1e-12; }
bool presses_back(const Vec3& normal) { return normal.x() < -1 + 1e-12; }

TEST(CoveredFaces, BlocksSlideOverSeams) {
  for (double sunk : {0.0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3})
    for (double over : {-1e-6, -1e-9, 0.0, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 9e-4})
      for (double joint : {0.0, 5e-7, 1e-5, 1e-3})
        EXPECT_TRUE(std::ranges::all_of(normals(sunk, over, joint), presses_up))
            << sunk << ' ' << over << ' ' << joint;
}

TEST(CoveredFaces, TheFaceThatIsOpenHasTheContact) {
  EXPECT_FALSE(normals(1e-4, 1e-5).empty());
  EXPECT_FALSE(normals(1e-4, 1e-3).empty());
}

// Higher than the block has sunk in; and where the block is in what it does not touch.
TEST(CoveredFaces, StepsStopBlocks) {
  for (const auto& found : {normals(1e-5, 1e-6, 0, 1e-4), normals(1e-5, 1e-6, 0, 0, true)}) {
    EXPECT_FALSE(found.empty());
    EXPECT_TRUE(std::ranges::all_of(found, presses_back));
  }
}

// A slot of 0.1 mm, and a plate that is thinner than that, at its mouth.
TEST(CoveredFaces, PlatesEnterSlots) {
  testing::ContactScene scene;
  constexpr double kSlot = 1e-4;
  for (double side : {-1.0, 1.0})
    testing::add_body(scene.bodies, BodyKind::obstacle,
                      testing::box_shape({side * (1 + 0.5 * kSlot), 0, -1}, {1, 1, 1}));
  testing::add_body(scene.bodies, BodyKind::rigid,
                    testing::box_shape({0.05 * kSlot, 0, 0.5 - 1e-5}, {0.451 * kSlot, 1, 0.5}));
  for (const DetectedContact& c : scene.find()) EXPECT_TRUE(presses_back(c.geometry.normal));
}

// A ball of radius 1 that has sunk into the right one of two blocks, `beyond` the seam between
// them. Without `bodies` the blocks are pieces of one. Normals of its contacts.
std::vector<Vec3> normals_of_ball(double beyond, double sunk, double step = 0, bool bodies = true) {
  testing::ContactScene scene;
  Shape left = testing::box_shape({-1, 0, -1 + step}, {1, 1, 1});
  const Shape right = testing::box_shape({1, 0, -1}, {1, 1, 1});
  if (!bodies) left.insert(left.end(), right.begin(), right.end());
  testing::add_body(scene.bodies, BodyKind::obstacle, left);
  if (bodies) testing::add_body(scene.bodies, BodyKind::obstacle, right);
  testing::add_body(scene.bodies, BodyKind::rigid, testing::ball_shape({beyond, 0.1, 1 - sunk}, 1));
  std::vector<Vec3> result;
  for (const DetectedContact& c : scene.find()) result.push_back(c.geometry.normal);
  return result;
}

TEST(CoveredFaces, BallsRollOverSeams) {
  for (bool bodies : {true, false})
    for (double sunk : {0.0, 1e-7, 1e-5, 1e-3})
      for (double beyond : {0.0, 1e-9, 2e-6, 1e-4, 1e-2}) {
        const std::vector<Vec3> found = normals_of_ball(beyond, sunk, 0, bodies);
        EXPECT_FALSE(found.empty()) << sunk << ' ' << beyond;
        EXPECT_TRUE(found.size() == 1 || beyond < kEpsilon) << sunk << ' ' << beyond;
        EXPECT_TRUE(std::ranges::all_of(found, presses_up)) << sunk << ' ' << beyond;
      }
}

// Of a block on the left that is higher than the right one; a lower one is covered.
TEST(CoveredFaces, BallsTouchTheEdgesOfSteps) {
  const std::vector<Vec3> higher = normals_of_ball(0.02, 0, 1e-3);
  EXPECT_EQ(higher.size(), 2);
  EXPECT_FALSE(std::ranges::all_of(higher, presses_up));
  EXPECT_EQ(normals_of_ball(0.02, 1e-3, -1e-4).size(), 1);
}

TEST(CoveredFaces, ABodyIsBesideAFaceOrAcrossAJoint) {
  testing::ContactScene scene;
  testing::add_body(scene.bodies, BodyKind::obstacle, testing::box_shape({1, 0, -1}, {1, 1, 1}));
  testing::add_body(scene.bodies, BodyKind::rigid, testing::box_shape({-1, 0, 1}, {1, 1, 1}));
  scene.find();
  const ConvexView block = scene.pieces.polyhedron(0), toucher = scene.pieces.polyhedron(1);
  const auto covered = [&](double wall) {
    const Surroundings surroundings{[&](const Vec3& x, int side, Surroundings::By) {
      return side == 0 && x.x() < wall && x.z() < 1e-9;
    }};
    return is_covered(toucher, block, -Vec3::UnitX(), Vec3::Zero(), kEpsilon, surroundings);
  };
  EXPECT_TRUE(covered(0));
  EXPECT_TRUE(covered(-1e-3));
  EXPECT_FALSE(covered(-1e-2));
  EXPECT_FALSE(is_covered(toucher, block, -Vec3::UnitX(), Vec3::Zero(), kEpsilon, {}));
}

}  // namespace
}  // namespace solfec::covered_faces_test
