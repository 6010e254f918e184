#include "geometry/tetrahedron.hpp"

#include <gtest/gtest.h>

#include "geometry/moments.hpp"
#include "support/random_solids.hpp"

namespace solfec::tetrahedron_test {
namespace {

using testing::Random;

double total(const std::vector<Tetrahedron>& all) {
  double sum = 0;
  for (const Tetrahedron& t : all) sum += signed_volume(t);
  return sum;
}

Vec3 first_moment(const std::vector<Tetrahedron>& all) {
  Vec3 sum = Vec3::Zero();
  for (const Tetrahedron& t : all) sum += signed_volume(t) * centroid(t);
  return sum;
}

Tetrahedron random_tetrahedron(Random& random) {
  Tetrahedron t;
  do {
    for (Vec3& x : t) x = random.in_box(1);
  } while (signed_volume(t) < 0.01);
  return t;
}

TEST(Tetrahedron, VolumeAndCentroid) {
  const Tetrahedron t = {Vec3(1, 1, 1), Vec3(3, 1, 1), Vec3(1, 4, 1), Vec3(1, 1, 5)};
  EXPECT_DOUBLE_EQ(signed_volume(t), 4);
  EXPECT_NEAR((centroid(t) - Vec3(1.5, 1.75, 2)).norm(), 0, 1e-15);
  for (const Plane& plane : planes_of(t)) {
    EXPECT_LT(plane.distance(centroid(t)), 0);
    int on = 0;
    for (const Vec3& x : t) on += std::abs(plane.distance(x)) < 1e-14;
    EXPECT_EQ(on, 3);
  }
}

TEST(Tetrahedron, TheyFillAConvex) {
  Random random(1);
  for (int repeat = 0; repeat < 100; repeat++) {
    const Polyhedron p = testing::random_polyhedron(random, random.in_box(3), 1);
    const auto all = tetrahedra_of(p);
    const Moments exact = moments(p, Vec3::Zero());
    EXPECT_NEAR(total(all), exact.volume, 1e-14);
    EXPECT_NEAR((first_moment(all) - exact.first).norm(), 0, 1e-13);
    for (const Tetrahedron& t : all) EXPECT_GT(signed_volume(t), 0);
  }
}

TEST(Tetrahedron, PartsOfASplitFillIt) {
  Random random(2);
  int cases[5] = {};
  for (int repeat = 0; repeat < 2000; repeat++) {
    const Tetrahedron t = random_tetrahedron(random);
    const Vec3 n = random.direction();
    // Also through one, two or three corners, and along faces.
    Plane plane{n, n.dot(random.in_box(0.7))};
    if (repeat % 4 == 1) plane = {n, n.dot(t[0])};
    if (repeat % 4 == 2) {
      const Vec3 m = (t[1] - t[0]).cross(random.direction()).normalized();
      plane = {m, m.dot(t[0])};
    }
    if (repeat % 4 == 3) plane = planes_of(t)[repeat / 4 % 4];
    std::vector<Tetrahedron> behind, before;
    split(t, plane, 1e-14 * signed_volume(t), behind, before);
    EXPECT_LE(behind.size(), 3u);
    EXPECT_LE(before.size(), 3u);
    EXPECT_NEAR(total(behind) + total(before), signed_volume(t), 1e-13);
    const Vec3 sum = first_moment(behind) + first_moment(before);
    EXPECT_NEAR((sum - signed_volume(t) * centroid(t)).norm(), 0, 1e-13);
    for (const Tetrahedron& part : behind)
      for (const Vec3& x : part) EXPECT_LT(plane.distance(x), 1e-15);
    for (const Tetrahedron& part : before)
      for (const Vec3& x : part) EXPECT_GT(plane.distance(x), -1e-15);
    for (const auto* parts : {&behind, &before})
      for (const Tetrahedron& part : *parts) EXPECT_GT(signed_volume(part), 0);
    int corners = 0;
    for (const Vec3& x : t) corners += plane.distance(x) <= 0;
    cases[corners]++;
    if (repeat % 4 == 3) {
      EXPECT_NEAR(total(behind), signed_volume(t), 1e-13);
    }
  }
  for (int k = 0; k < 5; k++) EXPECT_GT(cases[k], 20) << k;
}

TEST(Tetrahedron, SmallPartsAreLeftOut) {
  const Tetrahedron t = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  std::vector<Tetrahedron> behind, before;
  split(t, {Vec3(0, 0, 1), 0.999}, 1e-9, behind, before);
  EXPECT_TRUE(before.empty()) << "its volume is 1e-9 / 6";
  EXPECT_EQ(behind.size(), 3u);
  split(t, {Vec3(0, 0, 1), 0.999}, 1e-10, behind, before);
  EXPECT_EQ(before.size(), 1u);
}

}  // namespace
}  // namespace solfec::tetrahedron_test
