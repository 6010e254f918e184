// Threads: every part once, in turns that wait for each other, and the error of the first part.
#include "core/threads.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>

namespace solfec::threads_test {
namespace {

class Threads : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_threads(GetParam()); }
  void TearDown() override { set_threads(1); }
};

TEST_P(Threads, TakeEachNumberOnce) {
  for (const int count : {0, 1, 2, 7, 100, 12345})
    for (const int least : {0, 1, 3, 1000}) {
      std::vector<int> times(count, 0);
      for_each_at_once(count, least, [&](int k) { times[k]++; });
      EXPECT_EQ(std::ranges::count(times, 1), count) << count << " " << least;
    }
}

TEST_P(Threads, PartsAreOfTheLeastSizeOrAll) {
  for (const int count : {1, 10, 1000}) {
    const int parts = part_count(count, 7);
    std::vector<int> size(parts, 0);
    in_parts(count, 7, [&](int part, int begin, int end) { size[part] = end - begin; });
    EXPECT_EQ(std::accumulate(size.begin(), size.end(), 0), count);
    EXPECT_GE(std::ranges::min(size), parts > 1 ? 7 : 0);
    EXPECT_TRUE(GetParam() > 1 || parts == 1);
  }
}

// A part sees all that parts of the turns before it have written.
TEST_P(Threads, TurnsFollowEachOther) {
  const std::vector<int> turns{0, 1, 9, 9, 40, 41, 43};
  const int last = static_cast<int>(turns.size()) - 2;
  std::vector<int> turn_of(turns.back());
  for (int turn = 0; turn <= last; turn++)
    std::fill(turn_of.begin() + turns[turn], turn_of.begin() + turns[turn + 1], turn);
  for (const bool backwards : {false, true})
    for (int repeat = 0; repeat < 300; repeat++) {
      std::vector<int> done(turns.back(), 0);  // not atomic
      std::atomic<int> wrong = 0;
      auto work = [&](int part) {
        for (int other = 0; other < turns.back(); other++)
          if (backwards ? turn_of[other] > turn_of[part] : turn_of[other] < turn_of[part])
            wrong += done[other] != 1;
        done[part]++;
      };
      threads().in_turns(turns, backwards, work);
      EXPECT_EQ(wrong, 0);
      EXPECT_EQ(std::ranges::count(done, 1), turns.back());
    }
  auto nothing = [](int) { FAIL(); };
  threads().in_turns(std::vector<int>{}, false, nothing);
  threads().in_turns(std::vector<int>{0}, true, nothing);
}

// In an order of single parts backwards is backwards.
TEST_P(Threads, TurnsOfOnePartAreInTheirOrder) {
  std::vector<int> order;
  auto work = [&](int part) { order.push_back(part); };
  threads().in_turns(std::vector<int>{0, 1, 2, 3}, true, work);
  EXPECT_EQ(order, (std::vector<int>{2, 1, 0}));
}

TEST_P(Threads, SumsAreTheSameForAnyNumber) {
  for (const int count : {0, 10, 1024, 1025, 100000}) {
    const auto term = [](int k) { return 1.0 / (k + 1); };
    double exact = 0, parts = 0;
    for (int begin = 0; begin < count; begin += 1024) {
      double part = 0;
      for (int k = begin; k < std::min(count, begin + 1024); k++) part += term(k);
      parts += part;
    }
    for (int k = 0; k < count; k++) exact += term(k);
    EXPECT_EQ(sum_at_once(count, term), parts);
    EXPECT_NEAR(parts, exact, 1e-12);
  }
}

TEST_P(Threads, TheErrorIsThatOfTheFirstPart) {
  for (int k = 0; k < 50; k++) {
    std::string error;
    try {
      for_each_at_once(1000, 1, [](int number) {
        if (number >= 300) throw std::runtime_error(std::to_string(number));
      });
    } catch (const std::runtime_error& e) {
      error = e.what();
    }
    EXPECT_EQ(error, "300");
  }
  int sum = 0;
  in_parts(10, 10, [&](int, int begin, int end) { sum += end - begin; });
  EXPECT_EQ(sum, 10) << "they work on after an error";
}

TEST_P(Threads, WorkWithinSharedWorkIsOfOneThread) {
  std::atomic<int> wrong = 0;
  for_each_at_once(64, 1, [&](int) {
    if (GetParam() > 1) wrong += threads().size() != 1;
    int sum = 0;  // not atomic
    for_each_at_once(100, 1, [&](int k) { sum += k; });
    wrong += sum != 4950;
  });
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(Numbers, Threads, ::testing::Values(1, 2, 3, 5));

}  // namespace
}  // namespace solfec::threads_test
