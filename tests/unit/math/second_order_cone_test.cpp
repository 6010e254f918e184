// The second-order cone by its definitions: the product against matrices, the scaling by what it is
// to do, steps to the boundary by halving.
#include "math/second_order_cone.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace solfec::second_order_cone_test {
namespace {

using testing::Random;

// Inside, by so much of its size.
Vec3 inside(Random& random, double by) {
  const double normal = std::pow(10.0, random.uniform(-6, 6));
  Vec3 x = normal * Vec3::UnitZ();
  x.head<2>() = (1 - by) * normal * random.direction().head<2>().normalized();
  return x;
}

TEST(SecondOrderCone, QuotientUndoesTheProduct) {
  Random random(1);
  for (int k = 0; k < 1000; k++) {
    const Vec3 x = inside(random, random.uniform(0.01, 1)), c = random.in_box(1);
    EXPECT_LT((cone_product(x, cone_quotient(x, c)) - c).norm(), 1e-12);
    EXPECT_EQ(cone_product(Vec3::UnitZ(), c), c);
    EXPECT_NEAR(cone_determinant(x) / (x.z() * x.z() - x.head<2>().squaredNorm()), 1, 1e-12);
  }
}

TEST(SecondOrderCone, ScalingMakesBothOne) {
  Random random(2);
  for (int k = 0; k < 1000; k++) {
    const double by = std::pow(10.0, random.uniform(-8, 0));
    const Vec3 x = inside(random, by), z = inside(random, by);
    const ConeScaling T(x, z);
    const Vec3 lambda = T.times(x);
    const double accuracy = 1e-14 / by * lambda.norm();  // by the digits that x and z have of it
    EXPECT_LT((lambda - T.inverse_times(z)).norm(), accuracy) << by;
    const Vec3 y = random.in_box(1);
    EXPECT_LT((T.inverse_times(T.times(y)) - y).norm(), 1e-13 / by);
    EXPECT_LT((T.square() * y - T.times(T.times(y))).norm(), 1e-13 * T.square().norm());
    EXPECT_TRUE(is_inside_cone(T.times(inside(random, 0.1))));
  }
}

TEST(SecondOrderCone, StepsEndAtTheBoundary) {
  Random random(3);
  int leave = 0;
  for (int k = 0; k < 2000; k++) {
    const Vec3 x = inside(random, random.uniform(0.001, 1)), d = x.z() * random.in_box(1);
    const double step = step_to_cone_boundary(x, d);
    const auto is_in = [&](double a) { return is_inside_cone(x + a * d); };
    if (step == std::numeric_limits<double>::infinity()) {
      for (double a : {0.1, 1.0, 10.0, 1e3, 1e6}) EXPECT_TRUE(is_in(a));
      continue;
    }
    leave++;
    EXPECT_TRUE(is_in((1 - 1e-9) * step));
    EXPECT_FALSE(is_in((1 + 1e-9) * step));
  }
  EXPECT_GT(leave, 1000);
  EXPECT_LT(leave, 2000);
}

TEST(SecondOrderCone, HalfLine) {
  const Vec3 x(0, 0, 3), z(0, 0, 0.5);
  EXPECT_DOUBLE_EQ(step_to_cone_boundary(x, Vec3(0, 0, -2)), 1.5);
  EXPECT_EQ(step_to_cone_boundary(x, Vec3(0, 0, 2)), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(ConeScaling(x, z).times(x).isApprox(Vec3(0, 0, std::sqrt(1.5)), 1e-15));
  EXPECT_FALSE(is_inside_cone(Vec3::Zero()));
}

}  // namespace
}  // namespace solfec::second_order_cone_test
