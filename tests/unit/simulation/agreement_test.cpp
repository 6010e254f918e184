#include "simulation/agreement.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace solfec::agreement_test {
namespace {

using Side = Ledger::Side;

// One command: where, of which side, with which argument.
struct Call {
  std::string place;
  Side side;
  int argument;
};

Ledger ledger(const std::vector<Call>& calls) {
  Ledger ledger;
  for (const Call& c : calls)
    ledger.note(c.place, c.side, std::as_bytes(std::span(&c.argument, 1)));
  return ledger;
}

TEST(Ledger, TotalTellsPlacesArgumentsAndCounts) {
  const Ledger one = ledger({{"A", Side::common, 1}});
  EXPECT_EQ(one.total(), ledger({{"A", Side::common, 1}}).total());
  EXPECT_NE(one.total(), ledger({{"A", Side::common, 2}}).total());
  EXPECT_NE(one.total(), ledger({{"B", Side::common, 1}}).total());
  EXPECT_NE(one.total(), ledger({{"A", Side::common, 1}, {"A", Side::common, 1}}).total());
  EXPECT_EQ(Ledger().total(), 0u);
  Ledger cleared = one;
  cleared.clear();
  EXPECT_EQ(cleared.total(), 0u);
}

// A command that one rank ignores and another one carries out is the same command.
TEST(Ledger, TotalDoesNotDependOnOwners) {
  EXPECT_EQ(ledger({{"A", Side::here, 1}, {"A", Side::elsewhere, 2}}).total(),
            ledger({{"A", Side::elsewhere, 1}, {"A", Side::here, 2}}).total());
}

TEST(Ledger, GrowsWithLinesNotWithCalls) {
  Ledger ledger;
  for (int k = 0; k < 1000; k++)
    ledger.note(k % 2 ? "A" : "B", Side::common, std::as_bytes(std::span(&k, 1)));
  EXPECT_EQ(ledger.accounts().size(), 2u);
}

TEST(Ledger, PassesAsBytes) {
  const Ledger one = ledger({{"A", Side::common, 1}, {"B", Side::here, 2}});
  ArchiveWriter archive;
  archive(one);
  const auto back = ArchiveReader(archive.bytes()).get<Ledger>();
  EXPECT_EQ(back.total(), one.total());
  EXPECT_EQ(back.accounts().at("B").count[1], 1u);
}

TEST(Parting, NamesTheLineAndTheDifference) {
  const Ledger one = ledger({{"A", Side::common, 1}, {"B", Side::common, 2}});
  EXPECT_FALSE(parting({one, one, one}));
  EXPECT_EQ(parting({one, one, ledger({{"A", Side::common, 1}, {"B", Side::common, 3}})}),
            "B had other arguments on rank 2 than on rank 0");
  EXPECT_EQ(parting({one, ledger({{"B", Side::common, 2}})}),
            "A was called 1 time on rank 0 and 0 times on rank 1");
  EXPECT_EQ(parting({one, ledger({{"A", Side::common, 1},
                                  {"B", Side::common, 2},
                                  {"C", Side::common, 0},
                                  {"C", Side::common, 0}})}),
            "C was called 0 times on rank 0 and 2 times on rank 1");
}

TEST(Parting, OwnersMaySpeakAloneOfTheirBodies) {
  EXPECT_FALSE(parting({ledger({{"A", Side::here, 1}}), ledger({})}));
  EXPECT_FALSE(parting(
      {ledger({{"A", Side::here, 1}, {"A", Side::here, 2}}), ledger({{"A", Side::here, 3}})}));
  // Nobody has heard this: another rank has the body.
  EXPECT_TRUE(parting({ledger({{"A", Side::elsewhere, 1}}), ledger({})}));
  EXPECT_TRUE(parting({ledger({{"A", Side::elsewhere, 1}}), ledger({{"A", Side::here, 2}})}));
  EXPECT_FALSE(parting({ledger({{"A", Side::elsewhere, 1}}), ledger({{"A", Side::here, 1}})}));
}

TEST(Meet, OneRankAgreesWithItself) {
  Ledger book = ledger({{"A", Side::common, 1}});
  Arrival arrival;
  arrival.stop = true;
  arrival.settings = {{"step", 1}};
  const Decision decision = meet_alike(Communicator(), arrival, book);
  EXPECT_TRUE(decision.stop);
  EXPECT_FALSE(decision.changed || decision.failure || decision.parted);
  EXPECT_TRUE(book.accounts().empty());
}

}  // namespace
}  // namespace solfec::agreement_test
