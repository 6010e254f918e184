// Reductions over the ranks, whatever their number.
#include <gtest/gtest.h>

#include "parallel/communicator.hpp"

namespace solfec {
namespace {

TEST(MpiCommunicator, RanksCountFromZero) {
  const Communicator world;
  ASSERT_GE(world.size(), 1);
  EXPECT_GE(world.rank(), 0);
  EXPECT_LT(world.rank(), world.size());
  EXPECT_EQ(world.sum(world.rank()), 0.5 * world.size() * (world.size() - 1));
}

TEST(MpiCommunicator, Reduces) {
  const Communicator world;
  const double mine = 10.0 + world.rank(), last = 10.0 + world.size() - 1;
  EXPECT_EQ(world.min(mine), 10.0);
  EXPECT_EQ(world.max(mine), last);
  EXPECT_EQ(world.min(-mine), -last);
  EXPECT_EQ(world.sum(mine), 0.5 * world.size() * (10.0 + last));
}

TEST(MpiCommunicator, OneRankIsEnoughForAny) {
  const Communicator world;
  for (int who = 0; who < world.size(); who++) EXPECT_TRUE(world.any(world.rank() == who));
  EXPECT_FALSE(world.any(false));
  EXPECT_TRUE(world.any(true));
}

TEST(MpiCommunicator, WaitsForAll) {
  const Communicator world;
  for (int k = 0; k < 10; k++) world.barrier();
  EXPECT_EQ(world.sum(1), world.size());
}

// The last test: trouble is told of once.
TEST(MpiCommunicator, TroubleOfAllIsKnownAtOnce) {
  const Communicator world;
  std::vector<int> all;
  for (int r = 0; r < world.size(); r++) all.push_back(r);
  EXPECT_EQ(world.ranks_in_trouble(30), all);
}

}  // namespace
}  // namespace solfec

// Every rank must pass; the first one speaks for those that do.
int main(int argc, char** argv) {
  const solfec::ParallelSession session(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  const solfec::Communicator world;
  if (world.rank() > 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  const bool failed = RUN_ALL_TESTS() != 0;
  if (failed) std::fprintf(stderr, "a test has failed on rank %d\n", world.rank());
  return world.any(failed) ? 1 : 0;
}
