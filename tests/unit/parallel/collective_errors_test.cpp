// On one rank; tests/parallel (distribution_test.cpp, test_faults.py) has errors on one of several.
#include "parallel/collective_errors.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace solfec::collective_errors_test {
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
  EXPECT_EQ(abort_on_local_error(Communicator(), [] { return 5; }), 5);
  EXPECT_THROW(abort_on_local_error(Communicator(), [] { throw std::bad_alloc(); }),
               std::bad_alloc);
  EXPECT_THROW(abort_on_local_error(Communicator(), [] { DEMAND(false); }), std::logic_error);
}

}  // namespace
}  // namespace solfec::collective_errors_test
