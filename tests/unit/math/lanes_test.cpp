// Lanes: quads of numbers that become those of lanes, and back.
#include "math/lanes.hpp"

#include <gtest/gtest.h>

namespace solfec::lanes_test {
namespace {

TEST(Lanes, QuadsAreTransposed) {
  Quads quads;
  for (int lane = 0; lane < kLanes; lane++) {
    const double numbers[] = {10.0 * lane, 10.0 * lane + 1, 10.0 * lane + 2, 10.0 * lane + 3};
    quads[lane] = load_quad(numbers);
  }
  const VectorOf<Lanes> v = lanes_of(quads);
  const Quads back = quads_of(v);
  for (int lane = 0; lane < kLanes; lane++) {
    EXPECT_EQ(v.x[lane], 10 * lane);
    EXPECT_EQ(v.y[lane], 10 * lane + 1);
    EXPECT_EQ(v.z[lane], 10 * lane + 2);
    double numbers[4];
    store_quad(back[lane], numbers);
    for (int k = 0; k < 3; k++) EXPECT_EQ(numbers[k], 10 * lane + k);
    EXPECT_EQ(numbers[3], 0);
  }
}

TEST(Lanes, ProductsOfVectors) {
  const VectorOf<double> a{1, 2, 3}, b{-2, 0.5, 4}, c = cross(a, b), d = 2.0 * a;
  EXPECT_EQ(dot(a, b), 11);
  EXPECT_TRUE(c.x == 6.5 && c.y == -10 && c.z == 4.5);
  EXPECT_TRUE(d.x == 2 && d.y == 4 && d.z == 6);
}

}  // namespace
}  // namespace solfec::lanes_test
