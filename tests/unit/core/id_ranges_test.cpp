#include "core/id_ranges.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <limits>
#include <random>
#include <set>

namespace solfec::id_ranges_test {
namespace {

TEST(IdRanges, AreASet) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; round++) {
    IdRanges ranges;
    std::set<std::uint32_t> members;
    for (int k = 0; k < 12; k++) {
      const auto first = static_cast<std::uint32_t>(random() % 60);
      const auto count = static_cast<std::uint32_t>(random() % 8);
      if (random() % 2 == 0) {
        ranges.insert(BodyId{first});
        members.insert(first);
      } else {
        ranges.insert(first, first + count);
        for (std::uint32_t id = first; id < first + count; id++) members.insert(id);
      }
      for (std::uint32_t id = 0; id < 70; id++) {
        ASSERT_EQ(ranges.contains(BodyId{id}), members.contains(id));
        ASSERT_EQ(ranges.count_below(BodyId{id}),
                  std::distance(members.begin(), members.lower_bound(id)));
      }
    }
  }
}

TEST(IdRanges, MayHoldAllIdentifiers) {
  IdRanges ranges;
  const BodyId last{std::numeric_limits<std::uint32_t>::max()};
  ranges.insert(5, last.value);
  EXPECT_FALSE(ranges.contains(last));
  ranges.insert(last);
  EXPECT_TRUE(ranges.contains(last));
  EXPECT_FALSE(ranges.contains(BodyId{4}));
  EXPECT_EQ(ranges.count_below(last), std::int64_t{last.value} - 5);
  ranges.clear();
  EXPECT_FALSE(ranges.contains(last));
}

}  // namespace
}  // namespace solfec::id_ranges_test
