// Prescribed motions against closed forms and against numerical integration of the same series.
#include "core/motion.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random.hpp"

namespace solfec::motion_test {
namespace {

using Given = Motion::Given;

TEST(Motion, OfAConstant) {
  const Motion fast(Given::velocity, TimeSeries(2.0)), faster(Given::acceleration, TimeSeries(3.0));
  for (double t : {0.0, 0.1, 5.0}) {
    EXPECT_DOUBLE_EQ(fast.displacement(t), 2 * t);
    EXPECT_DOUBLE_EQ(fast.velocity(t), 2);
    EXPECT_DOUBLE_EQ(faster.displacement(t), 1.5 * t * t);
    EXPECT_DOUBLE_EQ(faster.velocity(t), 3 * t);
  }
  EXPECT_EQ(Motion(Given::displacement, TimeSeries(2.0), 0.1).velocity(1), 0);
}

TEST(Motion, IntegratesThePiecewiseLinearSeries) {
  testing::Random random(1);
  for (Given given : {Given::velocity, Given::acceleration}) {
    std::vector<double> times, values;
    double t = -0.3;
    for (int k = 0; k < 12; k++) {
      times.push_back(t += random.uniform(0.01, 0.3));
      values.push_back(random.uniform(-1, 1));
    }
    const TimeSeries series(times, values);
    const Motion motion(given, series);
    EXPECT_EQ(motion.displacement(times[0]), 0);
    EXPECT_EQ(motion.velocity(times[0]), given == Given::velocity ? values[0] : 0);
    // By the trapezoidal rule, which is exact where the rate is linear and pieces are not crossed.
    double at = times[0], v = motion.velocity(at), d = 0;
    const int steps = 200000;
    const double h = (times.back() + 0.5 - at) / steps;
    for (int k = 0; k < steps; k++, at += h) {
      if (given == Given::velocity) {
        d += 0.5 * h * (series.value(at) + series.value(at + h));
      } else {
        const double next = v + 0.5 * h * (series.value(at) + series.value(at + h));
        d += 0.5 * h * (v + next);
        v = next;
      }
      if (k % 1000 == 0) {
        EXPECT_NEAR(motion.displacement(at + h), d, 1e-9);
        if (given == Given::acceleration) {
          EXPECT_NEAR(motion.velocity(at + h), v, 1e-9);
        }
      }
    }
    if (given == Given::velocity) {
      EXPECT_EQ(motion.velocity(times[3]), values[3]);
    }
  }
}

TEST(Motion, VelocityOfADisplacementIsItsMeanOverAStep) {
  const Motion motion(Given::displacement, TimeSeries({1, 2, 4}, {0, 3, -1}), 0.25);
  EXPECT_EQ(motion.displacement(3), 1);
  EXPECT_EQ(motion.velocity(0.5), 0);
  EXPECT_EQ(motion.velocity(1.5), 3);
  EXPECT_EQ(motion.velocity(3), -2);
  EXPECT_EQ(motion.velocity(9), 0);
  // At a point the mean of both sides, also when the time is a sum of steps.
  for (double error : {0.0, 1e-11, -1e-11}) {
    EXPECT_NEAR(motion.velocity(1 + error), 1.5, 1e-9);
    EXPECT_NEAR(motion.velocity(2 + error), 0.5, 1e-9);
    EXPECT_NEAR(motion.velocity(4 + error), -1, 1e-9);
  }
}

TEST(Motion, AccelerationOfASampledDisplacementDoesNotDependOnWhereStepsLie) {
  constexpr double kStep = 0.01;
  std::vector<double> times, values;
  for (int k = 0; k <= 1000; k++) {
    times.push_back(k * kStep);
    values.push_back(std::sin(times.back()));
  }
  const Motion motion(Given::displacement, TimeSeries(times, values), kStep);
  for (double phase : {0.0, 1e-12, 0.3, 0.5, 0.9})
    for (int k = 10; k < 900; k += 7) {
      const double t = (k + phase) * kStep;
      EXPECT_NEAR((motion.velocity(t + kStep) - motion.velocity(t)) / kStep,
                  -std::sin(t + kStep / 2), 1e-4);
    }
}

}  // namespace
}  // namespace solfec::motion_test
