// Joined numbers against sets that are written out.
#include "core/disjoint_sets.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/random.hpp"

namespace solfec::disjoint_sets_test {
namespace {

TEST(DisjointSets, AreThoseOfTheirPairs) {
  constexpr int kCount = 60;
  testing::Random random(1);
  DisjointSets sets(kCount);
  std::vector<std::set<int>> expected(kCount);
  for (int x = 0; x < kCount; x++) expected[x] = {x};
  for (int k = 0; k < 50; k++) {
    const int x = random.integer(0, kCount - 1), y = random.integer(0, kCount - 1);
    EXPECT_EQ(sets.join(x, y), !expected[x].contains(y));
    std::set<int> both = expected[x];
    both.insert(expected[y].begin(), expected[y].end());
    for (int member : both) expected[member] = both;
    for (int a = 0; a < kCount; a++)
      for (int b = 0; b < kCount; b++)
        EXPECT_EQ(sets.find(a) == sets.find(b), expected[a].contains(b));
  }
}

}  // namespace
}  // namespace solfec::disjoint_sets_test
