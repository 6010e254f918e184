// On one rank; tests/parallel/distribution_test.cpp has errors on one of several.
#include "parallel/agreement.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace solfec {
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

}  // namespace
}  // namespace solfec
