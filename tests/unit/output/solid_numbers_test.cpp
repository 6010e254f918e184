#include "output/solid_numbers.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/sample_domain.hpp"

namespace solfec::solid_numbers_test {
namespace {

// One solid of each kind, in the order of Solid.
std::vector<SolidNumbers> samples() {
  Sphere ball{{1, 2, 3}, 0.5};
  ball.volume = 7;
  ball.surface = 8;
  Ellipsoid ellipsoid;
  ellipsoid.center = {4, 5, 6};
  ellipsoid.radii = {1, 2, 3};
  ellipsoid.rotation = Eigen::AngleAxisd(0.3, Vec3(1, 2, 2) / 3).toRotationMatrix();
  ellipsoid.surface = 9;
  return solid_numbers(testing::sample_body(
      1, BodyKind::rigid, {testing::sample_polyhedron(), testing::sample_mesh(), ball, ellipsoid}));
}

TEST(SolidNumbers, MakeTheSameSolid) {
  const auto solids = samples();
  ASSERT_EQ(solids.size(), 4u);
  for (const SolidNumbers& numbers : solids) {
    const Solid solid = solid_of(numbers);
    EXPECT_EQ(solid.index(), numbers.kind);
    const SolidNumbers again =
        solid_numbers(testing::sample_body(1, BodyKind::rigid, {solid})).at(0);
    EXPECT_EQ(again.volume, numbers.volume);
    EXPECT_EQ(again.points, numbers.points);
    EXPECT_EQ(again.reals, numbers.reals);
    EXPECT_EQ(again.integers, numbers.integers);
  }
  EXPECT_EQ(std::get<Sphere>(solid_of(solids[2])).radius, 0.5);
  EXPECT_EQ(std::get<Sphere>(solid_of(solids[2])).surface, 8);
  EXPECT_EQ(std::get<Ellipsoid>(solid_of(solids[3])).radii, Vec3(1, 2, 3));
}

TEST(SolidNumbers, TooFewAndTooManyAreRefused) {
  for (const SolidNumbers& numbers : samples()) {
    SolidNumbers changed = numbers;
    changed.integers.pop_back();
    EXPECT_THROW(solid_of(changed), RunError) << int{numbers.kind};
    changed = numbers;
    changed.integers.push_back(1);
    EXPECT_THROW(solid_of(changed), RunError) << int{numbers.kind};
    if (numbers.kind < 2) {  // it begins with a count
      changed = numbers;
      changed.integers[0] = -1;
      EXPECT_THROW(solid_of(changed), RunError) << int{numbers.kind};
    }
    changed = numbers;
    changed.kind = 4;
    EXPECT_THROW(solid_of(changed), RunError);
  }
}

}  // namespace
}  // namespace solfec::solid_numbers_test
