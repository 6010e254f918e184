// What becomes of the points of a pair of bodies; which pairs there are: detection_test.cpp.
#include "contact/pair_detection.hpp"

#include <gtest/gtest.h>

#include "support/contact_scene.hpp"

namespace solfec::pair_detection_test {
namespace {

using Scene = testing::ContactScene;

TEST(PairDetection, PatchesAreOfBodiesThatMoveAffinely) {
  // A plate of 4 x 4 tiles on a table: its corners, where it may not bend, else all nodes.
  for (BodyKind kind : {BodyKind::rigid, BodyKind::pseudo_rigid, BodyKind::finite_element}) {
    Scene scene;
    testing::add_body(scene.bodies, BodyKind::obstacle, testing::box_shape({0, 0, -1}, {3, 3, 1}));
    testing::add_body(scene.bodies, kind, testing::meshed_box({0, 0, 0.3 - 1e-4}, {1, 1, 0.3}, 4));
    const auto found = scene.find();
    const bool bends = kind == BodyKind::finite_element;
    ASSERT_EQ(found.size(), bends ? 25u : 4u);
    double area = 0;
    for (const DetectedContact& c : found) {
      area += c.geometry.area;
      EXPECT_NEAR(c.geometry.gap, -1e-4, 1e-12);
      if (!bends) {
        EXPECT_NEAR(c.geometry.point.head<2>().norm(), std::sqrt(2.0), 1e-12);
      }
    }
    EXPECT_NEAR(area, 4, 1e-9) << "also where points of elements coincide";
  }
}

TEST(PairDetection, SparsifiesEachPairOfBodiesByItself) {
  // Two boxes of four elements stand on two others, at one place: contacts coincide across the
  // pairs, but are compared within each pair only.
  Scene scene;
  scene.settings.mode = ContactMode::one;
  for (int k = 0; k < 2; k++) {
    testing::add_body(scene.bodies, BodyKind::obstacle, testing::box_shape({0, 0, -1}, {1, 1, 1}));
    Shape top;
    for (double x : {-0.5, 0.5})
      for (double y : {-0.5, 0.5})
        top.push_back(testing::box_shape({0.001 * x, 0.001 * y, 0.999}, {1, 1, 1})[0]);
    testing::add_body(scene.bodies, BodyKind::rigid, top);
  }
  scene.exclusions.exclude_bodies(BodyId{2}, BodyId{4});
  scene.settings.sparsification = {0, 0, 0.0};
  const auto all = scene.find();
  EXPECT_EQ(all.size(), 16u);
  scene.settings.sparsification = {0, 0, 0.01};
  const auto kept = scene.find();
  EXPECT_EQ(kept.size(), 4u) << "one for each pair of a top and a floor";
  EXPECT_EQ(scene.detection.sparsified(), 12);
  for (const DetectedContact& c : kept) EXPECT_FALSE(c.dropped);
}

TEST(PairDetection, DefaultDistanceIsTheGeometricEpsilon) {
  Scene scene;
  testing::add_body(scene.bodies, BodyKind::obstacle, testing::box_shape({0, 0, -1}, {1, 1, 1}));
  testing::add_body(scene.bodies, BodyKind::rigid,
                    {Sphere{{0, 0, 1}, 1}, Sphere{{0, 1.9e-3, 1}, 1}});
  scene.settings.epsilon = 1e-4;
  EXPECT_EQ(scene.find().size(), 2u);
  scene.settings.epsilon = 1e-3;
  EXPECT_EQ(scene.find().size(), 1u) << "nearer than twice the epsilon";
}

}  // namespace
}  // namespace solfec::pair_detection_test
