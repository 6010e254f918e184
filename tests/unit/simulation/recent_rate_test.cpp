#include "simulation/recent_rate.hpp"

#include <gtest/gtest.h>

namespace solfec::recent_rate_test {
namespace {

TEST(RecentRate, OfSteadyGrowth) {
  RecentRate rate(5);
  EXPECT_EQ(rate.per_second(), 0);
  for (const double time : {0.1, 0.3, 7.0, 8.0, 8.0, 100.0}) {
    rate.look(time, 5 + 3 * time);
    EXPECT_NEAR(rate.per_second(), 3, 1e-12);
  }
}

TEST(RecentRate, ForgetsHowItWas) {
  RecentRate rate(0);
  double value = 0;
  for (int second = 1; second <= 200; second++) {
    value += second <= 100 ? 10 : 1;  // ten times slower from the middle
    rate.look(second, value);
    if (second == 110) {
      EXPECT_GT(rate.per_second(), 2);  // a short spell does not count at once
    }
  }
  EXPECT_LT(rate.per_second(), 1.5);
  EXPECT_GT(value / 200, 5);  // what the mean since the start would tell
}

}  // namespace
}  // namespace solfec::recent_rate_test
