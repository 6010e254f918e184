// One rank: reductions are the identity, waiting returns at once.
#include <gtest/gtest.h>

#include <limits>

#include "parallel/communicator.hpp"

namespace solfec::serial_communicator_test {
namespace {

TEST(SerialCommunicator, IsTheOnlyRank) {
  const Communicator communicator;
  EXPECT_EQ(communicator.rank(), 0);
  EXPECT_EQ(communicator.size(), 1);
  communicator.barrier();
}

TEST(SerialCommunicator, IsInTroubleAlone) {
  const RankFailure failure = Communicator().report_failure(7, 60);
  EXPECT_EQ(failure.code, 7);
  EXPECT_TRUE(failure.is_reporter && failure.on_all_ranks);
}

TEST(SerialCommunicator, ReducesToTheSameBits) {
  const Communicator communicator;
  for (double x : {0.0, -1.5, 1e-308, std::numeric_limits<double>::infinity(), 0.1}) {
    EXPECT_EQ(communicator.sum(x), x);
    EXPECT_EQ(communicator.min(x), x);
    EXPECT_EQ(communicator.max(x), x);
  }
  EXPECT_TRUE(std::isnan(communicator.sum(NAN)));
  EXPECT_TRUE(communicator.any(true));
  EXPECT_FALSE(communicator.any(false));
}

TEST(SerialCommunicator, TalksToItself) {
  const Communicator communicator;
  const Bytes bytes(5);
  EXPECT_TRUE(communicator.exchange({}).empty());
  const std::vector<Message> received = communicator.exchange({{0, bytes}});
  ASSERT_EQ(received.size(), 1u);
  EXPECT_EQ(received[0].rank, 0);
  EXPECT_EQ(received[0].data, bytes);
  EXPECT_EQ(communicator.gather(bytes), std::vector<Bytes>{bytes});
  EXPECT_EQ(communicator.broadcast(bytes, 0), bytes);
  EXPECT_EQ(communicator.sum_before(3), 0);
}

TEST(SerialCommunicator, SessionLeavesTheCommandLineAlone) {
  char program[] = "solfec", word[] = "-np";
  char* words[] = {program, word, nullptr};
  int argc = 2;
  char** argv = words;
  {
    const ParallelSession session(argc, argv);
    EXPECT_EQ(argc, 2);
    EXPECT_EQ(argv, words);
  }
  EXPECT_STREQ(argv[1], "-np");
}

}  // namespace
}  // namespace solfec::serial_communicator_test
