// On one rank; tests/parallel (distribution_test.cpp, test_faults.py) has errors on one of several.
#include "parallel/agreement.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace solfec::agreement_test {
namespace {

TEST(Attempt, AgreesWhenNothingHasFailed) {
  Attempt attempt;
  int done = 0;
  attempt([&] { done++; });
  attempt.agree(Communicator());
  attempt([&] { done++; });
  attempt.agree(Communicator());
  EXPECT_EQ(done, 2);
}

TEST(Attempt, LeavesOutWhatFollowsAnError) {
  Attempt attempt;
  attempt([] { throw InputError(InputError::Kind::type, "first"); });
  attempt([] { FAIL() << "left out"; });
  try {
    attempt.agree(Communicator());
    FAIL();
  } catch (const InputError& error) {  // the error itself
    EXPECT_STREQ(error.what(), "first");
  }
}

TEST(InCompany, ARankByItselfMeetsItsOwnErrors) {
  EXPECT_EQ(in_company(Communicator(), [] { return 5; }), 5);
  EXPECT_THROW(in_company(Communicator(), [] { throw std::bad_alloc(); }), std::bad_alloc);
  EXPECT_THROW(in_company(Communicator(), [] { DEMAND(false); }), std::logic_error);
}

}  // namespace
}  // namespace solfec::agreement_test
