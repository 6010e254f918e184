// Reductions over the ranks, and messages between them, whatever their number.
#include <gtest/gtest.h>

#include <algorithm>

#include "parallel/communicator.hpp"
#include "support/random.hpp"

namespace solfec::mpi_communicator_test {
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

TEST(MpiCommunicator, ReducesSeveralNumbersAtOnce) {
  const Communicator world;
  const double r = world.rank(), n = world.size();
  double sums[] = {1, r, -r}, least[] = {r, -r}, most[] = {r, -r};
  world.sum_all(sums);
  world.min_all(least);
  world.max_all(most);
  EXPECT_EQ(sums[0], n);
  EXPECT_EQ(sums[1], 0.5 * n * (n - 1));
  EXPECT_EQ(sums[2], -sums[1]);
  EXPECT_EQ(least[0], 0);
  EXPECT_EQ(least[1], 1 - n);
  EXPECT_EQ(most[0], n - 1);
  EXPECT_EQ(most[1], 0);
  world.sum_all({});
}

TEST(MpiCommunicator, SumsOverTheRanksBefore) {
  const Communicator world;
  EXPECT_EQ(world.sum_before(world.rank() + 1), 0.5 * world.rank() * (world.rank() + 1));
  EXPECT_EQ(world.sum_before(world.rank() == 0 ? 7 : 0), world.rank() == 0 ? 0 : 7);
}

// What rank `from` would tell rank `to`, or everybody (-1), in a round.
Bytes letter(int round, int from, int to) {
  testing::Random random(1000003 * round + 1009 * from + to);
  const int kind = random.integer(0, 9);
  Bytes data(kind == 0 ? 0 : kind == 1 ? 300000 : random.integer(1, 200));
  for (auto& byte : data)
    byte = static_cast<std::remove_reference_t<decltype(byte)>>(random.integer(0, 255));
  return data;
}

TEST(MpiCommunicator, ExchangesWithWhomItLikes) {
  const Communicator world;
  const int ranks = world.size(), me = world.rank();
  const std::int64_t before = world.traffic().messages;
  std::int64_t sent = 0;
  // No barriers: ranks run ahead of each other.
  for (int round = 0; round < 100; round++) {
    testing::Random random(round);
    const int odds = round % 5;  // of 4: from nobody to everybody
    std::vector<Message> out;
    std::vector<int> expected;
    for (int from = 0; from < ranks; from++)
      for (int to = ranks - 1; to >= 0; to--) {
        if (random.integer(0, 3) >= odds) continue;
        if (from == me) out.push_back({to, letter(round, from, to)});
        if (to == me) expected.push_back(from);
      }
    sent += std::ssize(out);
    const std::vector<Message> in = world.exchange(std::move(out));
    ASSERT_EQ(in.size(), expected.size());
    for (std::size_t k = 0; k < in.size(); k++) {
      EXPECT_EQ(in[k].rank, expected[k]);
      EXPECT_EQ(in[k].data, letter(round, expected[k], me));
    }
  }
  EXPECT_EQ(world.traffic().messages, before + sent);
}

TEST(MpiCommunicator, GathersAndBroadcasts) {
  const Communicator world;
  for (int round = 0; round < 30; round++) {
    const std::vector<Bytes> all = world.gather(letter(round, world.rank(), -1));
    ASSERT_EQ(static_cast<int>(all.size()), world.size());
    for (int rank = 0; rank < world.size(); rank++) EXPECT_EQ(all[rank], letter(round, rank, -1));
    const int root = round % world.size();
    const Bytes mine = world.rank() == root ? letter(round, root, -1) : Bytes(3);
    EXPECT_EQ(world.broadcast(mine, root), letter(round, root, -1));
  }
}

TEST(Channel, KeepsTheOrderOfMessages) {
  const Communicator world;
  Channel channel(world);
  // Small ones, which leave at once, and large ones, which wait for their receiver.
  const auto numbers = [](int round, int from, int to, int k) {
    const int sizes[] = {1, 0, 7, 200000, 3, 3};
    return std::vector<double>(sizes[k], 1000 * round + 100 * from + 10 * to + k);
  };
  for (int round = 0; round < 5; round++) {
    std::vector<double> data;
    for (int k = 0; k < 6; k++)
      for (int to = 0; to < world.size(); to++) {
        if (to == world.rank()) continue;
        data = numbers(round, world.rank(), to, k);
        channel.send(to, data);
        std::ranges::fill(data, -1);  // the channel has its own copy
      }
    for (int from = world.size() - 1; from >= 0; from--)
      for (int k = 0; k < 6 && from != world.rank(); k++) {
        const std::vector<double> expected = numbers(round, from, world.rank(), k);
        data.assign(expected.size(), 0);
        channel.receive(from, data);
        EXPECT_EQ(data, expected);
      }
    if (round % 2 == 0) channel.finish();
  }
}

// The last test: failure is told of once.
TEST(RankFailure, OfAllIsKnownAtOnceAndTheGravestSpeaks) {
  const Communicator world;
  const int last = world.size() - 1, gravest = std::max(0, last - 1);
  const RankFailure failure = world.report_failure(world.rank() < gravest ? 1 : 130, 30);
  EXPECT_EQ(failure.code, 130);
  EXPECT_EQ(failure.is_reporter, world.rank() == gravest);
  EXPECT_TRUE(failure.on_all_ranks);
}

}  // namespace
}  // namespace solfec::mpi_communicator_test
