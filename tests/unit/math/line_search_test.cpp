// Searches along a direction: lengths that fulfil their rules, on functions that are known.
#include "math/line_search.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace solfec::line_search_test {
namespace {

// q(t) = (1 - t / best)^2: D = q'(0) (1 - t / (2 best)), so Armijo's rule is t <= 1.8 best and the
// other one of Goldstein and Price t >= 0.2 best.
TEST(LineSearch, LengthsFulfilTheRules) {
  for (double best : {1e-4, 0.01, 0.3, 1.0, 4.0, 37.0, 1000.0}) {
    double last = 0;
    const auto q = [&](double t) {
      last = t;
      return (1 - t / best) * (1 - t / best);
    };
    const double slope = -2 / best;
    const double armijo = search_along(LineSearch::armijo, 1, slope, q);
    EXPECT_EQ(armijo, last);
    EXPECT_LE(armijo, 1.8 * best * (1 + 1e-12));
    EXPECT_GT(armijo, std::min(1.0, 0.9 * best) * (1 - 1e-12));
    const double goldstein_price = search_along(LineSearch::goldstein_price, 1, slope, q);
    EXPECT_EQ(goldstein_price, last);
    EXPECT_LE(goldstein_price, 1.8 * best * (1 + 1e-12));
    EXPECT_GE(goldstein_price, 0.2 * best * (1 - 1e-12));
    EXPECT_EQ(search_along(LineSearch::none, 1, slope, q), 1);
  }
}

TEST(LineSearch, EndsWhereNothingHelps) {
  int calls = 0;
  const auto grows = [&](double) { return calls++, 2.0; };
  EXPECT_LT(search_along(LineSearch::armijo, 1, -2, grows), 1e-5);
  EXPECT_LE(calls, 20);
  const auto no_number = [](double t) {
    return t > 0.1 ? std::numeric_limits<double>::quiet_NaN() : 1 - t;
  };
  EXPECT_LT(search_along(LineSearch::goldstein_price, 1, -1, no_number), 0.1 + 1e-5);
}

}  // namespace
}  // namespace solfec::line_search_test
