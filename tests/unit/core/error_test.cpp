#include "core/error.hpp"

#include <gtest/gtest.h>

namespace solfec::error_test {
namespace {

TEST(Error, DemandPassesWhatHolds) {
  int evaluated = 0;
  DEMAND(++evaluated == 1);
  EXPECT_EQ(evaluated, 1) << "the condition is evaluated once";
}

TEST(Error, DemandNamesConditionAndPlace) {
  try {
    DEMAND(2 + 2 == 5);
    FAIL() << "nothing was thrown";
  } catch (const std::logic_error& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("2 + 2 == 5"), std::string::npos) << message;
    EXPECT_NE(message.find("error_test.cpp"), std::string::npos) << message;
  }
}

TEST(Error, TiersCanBeToldApart) {
  // Wrong input has a kind, which selects the Python exception; a run's end is no wrong input.
  const InputError value = value_error("three");
  EXPECT_EQ(value.kind(), InputError::Kind::value);
  EXPECT_STREQ(value.what(), "three");
  EXPECT_EQ(InputError(InputError::Kind::type, "").kind(), InputError::Kind::type);
  try {
    throw RunError("the disk is full");
  } catch (const InputError&) {
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "the disk is full");
  }
}

}  // namespace
}  // namespace solfec::error_test
