#include "synchronisation/command_log.hpp"

#include <gtest/gtest.h>

namespace solfec::command_log_test {
namespace {

using Side = CommandLog::Side;

// One command: where, of which side, with which argument.
struct Call {
  std::string place;
  Side side;
  int argument;
};

CommandLog command_log(const std::vector<Call>& calls) {
  CommandLog command_log;
  for (const Call& c : calls)
    command_log.record(c.place, c.side, std::as_bytes(std::span(&c.argument, 1)));
  return command_log;
}

TEST(CommandLog, TotalTellsPlacesArgumentsAndCounts) {
  const CommandLog one = command_log({{"A", Side::common, 1}});
  EXPECT_EQ(one.total(), command_log({{"A", Side::common, 1}}).total());
  EXPECT_NE(one.total(), command_log({{"A", Side::common, 2}}).total());
  EXPECT_NE(one.total(), command_log({{"B", Side::common, 1}}).total());
  EXPECT_NE(one.total(), command_log({{"A", Side::common, 1}, {"A", Side::common, 1}}).total());
  EXPECT_EQ(CommandLog().total(), 0u);
  CommandLog cleared = one;
  cleared.clear();
  EXPECT_EQ(cleared.total(), 0u);
}

// A command that one rank ignores and another one carries out is the same command.
TEST(CommandLog, TotalDoesNotDependOnOwners) {
  EXPECT_EQ(command_log({{"A", Side::here, 1}, {"A", Side::elsewhere, 2}}).total(),
            command_log({{"A", Side::elsewhere, 1}, {"A", Side::here, 2}}).total());
}

TEST(CommandLog, GrowsWithLinesNotWithCalls) {
  CommandLog command_log;
  for (int k = 0; k < 1000; k++)
    command_log.record(k % 2 ? "A" : "B", Side::common, std::as_bytes(std::span(&k, 1)));
  EXPECT_EQ(command_log.entries().size(), 2u);
}

TEST(CommandLog, PassesAsBytes) {
  const CommandLog one = command_log({{"A", Side::common, 1}, {"B", Side::here, 2}});
  ArchiveWriter archive;
  archive(one);
  const auto back = ArchiveReader(archive.bytes()).get<CommandLog>();
  EXPECT_EQ(back.total(), one.total());
  EXPECT_EQ(back.entries().at("B").count[1], 1u);
}

TEST(CommandLog, NamesTheLineAndTheDifference) {
  const CommandLog one = command_log({{"A", Side::common, 1}, {"B", Side::common, 2}});
  EXPECT_FALSE(mismatch_of({one, one, one}));
  EXPECT_EQ(mismatch_of({one, one, command_log({{"A", Side::common, 1}, {"B", Side::common, 3}})}),
            "B had other arguments on rank 2 than on rank 0");
  EXPECT_EQ(mismatch_of({one, command_log({{"B", Side::common, 2}})}),
            "A was called 1 time on rank 0 and 0 times on rank 1");
  EXPECT_EQ(mismatch_of({one, command_log({{"A", Side::common, 1},
                                           {"B", Side::common, 2},
                                           {"C", Side::common, 0},
                                           {"C", Side::common, 0}})}),
            "C was called 0 times on rank 0 and 2 times on rank 1");
}

TEST(CommandLog, OwnersMaySpeakAloneOfTheirBodies) {
  EXPECT_FALSE(mismatch_of({command_log({{"A", Side::here, 1}}), command_log({})}));
  EXPECT_FALSE(mismatch_of({command_log({{"A", Side::here, 1}, {"A", Side::here, 2}}),
                            command_log({{"A", Side::here, 3}})}));
  // Nobody has heard this: another rank has the body.
  EXPECT_TRUE(mismatch_of({command_log({{"A", Side::elsewhere, 1}}), command_log({})}));
  EXPECT_TRUE(
      mismatch_of({command_log({{"A", Side::elsewhere, 1}}), command_log({{"A", Side::here, 2}})}));
  EXPECT_FALSE(
      mismatch_of({command_log({{"A", Side::elsewhere, 1}}), command_log({{"A", Side::here, 1}})}));
}

}  // namespace
}  // namespace solfec::command_log_test
