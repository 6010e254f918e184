#include "core/log.hpp"

#include <gtest/gtest.h>

namespace solfec::log_test {
namespace {

using ::testing::internal::CaptureStderr;
using ::testing::internal::CaptureStdout;
using ::testing::internal::GetCapturedStderr;
using ::testing::internal::GetCapturedStdout;

struct Streams {
  std::string out, err;
};

template <class Work>
Streams capture(Work&& work) {
  CaptureStdout();
  CaptureStderr();
  work();
  return {GetCapturedStdout(), GetCapturedStderr()};
}

TEST(Log, InformationGoesToStandardOutputAsItIs) {
  const Streams streams = capture([] { log::info("a {brace} and 100 %"); });
  EXPECT_EQ(streams.out, "a {brace} and 100 %\n");
  EXPECT_EQ(streams.err, "");
}

TEST(Log, WarningsGoToStandardErrorWithTheirName) {
  const Streams streams = capture([] { log::warning("careful"); });
  EXPECT_EQ(streams.out, "");
  EXPECT_EQ(streams.err, "warning: careful\n");
}

TEST(Log, WarningsCanBeSwitchedOffAndOn) {
  EXPECT_TRUE(log::warnings_enabled());
  log::enable_warnings(false);
  EXPECT_FALSE(log::warnings_enabled());
  EXPECT_EQ(capture([] { log::warning("unheard"); }).err, "");
  EXPECT_EQ(capture([] { log::info("heard"); }).out, "heard\n") << "information is no warning";
  log::enable_warnings(true);
  EXPECT_EQ(capture([] { log::warning("heard"); }).err, "warning: heard\n");
}

TEST(Log, PartsOfALineAreSeenAtOnce) {
  const Streams streams = capture([] { log::part_of_line("half"); });
  EXPECT_EQ(streams.out, "half");
  EXPECT_EQ(capture([] { EXPECT_EQ(log::columns(), 0) << "a file"; }).out, "");
}

// Ends the process: 0 when all text has gone where it was redirected.
[[noreturn]] void redirect_and_exit() {
  std::string out, err;
  log::redirect({[&](const std::string& text) { out += text; },
                 [&](const std::string& text) { err += text; }, [] { return 33; }});
  log::info("one");
  log::part_of_line("two");
  log::warning("three");
  const bool right = out == "one\ntwo" && err == "warning: three\n" && log::columns() == 33;
  std::fputs("only this", stderr);
  std::exit(right ? 0 : 1);
}

TEST(Log, AllTextGoesWhereItIsRedirected) {
  // In a process of its own: there is no way back.
  EXPECT_EXIT(redirect_and_exit(), ::testing::ExitedWithCode(0), "^only this$");
}

TEST(Log, SilencedRanksSayNothing) {
  // In a process of its own: silence is for good.
  EXPECT_EXIT(
      {
        log::silence();
        log::info("unheard");
        log::warning("unheard");
        std::fputs("the end", stderr);
        std::exit(0);
      },
      ::testing::ExitedWithCode(0), "^the end$");
}

}  // namespace
}  // namespace solfec::log_test
