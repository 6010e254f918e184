#include "synchronisation/script_call.hpp"

#include <gtest/gtest.h>

#include "support/small_model.hpp"

namespace solfec::script_call_test {
namespace {

TEST(ScriptCall, FunctionsOfTheScriptAreJustCalled) {
  ScriptedModel s;
  testing::make_model(s);
  const auto settings = [] { return std::vector<Setting>(); };
  EXPECT_TRUE(call_script(s, settings, "CALLBACK", [] { return true; }));
  EXPECT_FALSE(call_script(s, settings, "CALLBACK", [] { return false; }));
  EXPECT_THROW(call_script(s, settings, "CALLBACK", []() -> bool { throw std::logic_error("x"); }),
               std::logic_error);
}

}  // namespace
}  // namespace solfec::script_call_test
