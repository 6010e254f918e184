#include "core/time_series.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "core/error.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::time_series_test {
namespace {

using testing::ScratchDirectory;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The message of the InputError that `work` throws, empty when it throws none.
template <class Work>
std::string message_of(Work&& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}

TEST(TimeSeries, IsLinearBetweenItsPointsAndHeldOutside) {
  const TimeSeries series({-1, 0, 0.5, 4}, {2, 0, 3, -4});
  EXPECT_EQ(series.value(-kInfinity), 2);
  EXPECT_EQ(series.value(-1), 2);
  EXPECT_EQ(series.value(-0.25), 0.5);
  EXPECT_EQ(series.value(0), 0);
  EXPECT_EQ(series.value(0.125), 0.75);
  EXPECT_EQ(series.value(0.5), 3);
  EXPECT_EQ(series.value(2.25), -0.5);
  EXPECT_EQ(series.value(4), -4);
  EXPECT_EQ(series.value(1e300), -4);
}

TEST(TimeSeries, MeetsEveryPointExactly) {
  std::vector<double> times, values;
  for (int k = 0; k < 1000; k++) {
    times.push_back(0.1 * k + 1e-3 * std::sin(k));
    values.push_back(std::cos(0.3 * k));
  }
  const TimeSeries series(times, values);
  for (int k = 0; k < 1000; k++) EXPECT_EQ(series.value(times[k]), values[k]) << k;
  for (int k = 0; k + 1 < 1000; k++)
    EXPECT_NEAR(series.value(0.5 * (times[k] + times[k + 1])), 0.5 * (values[k] + values[k + 1]),
                1e-12);
}

TEST(TimeSeries, OfOneNumberIsConstant) {
  for (double t : {-kInfinity, -1.0, 0.0, 1e9}) {
    EXPECT_EQ(TimeSeries(2.5).value(t), 2.5);
    EXPECT_EQ(TimeSeries().value(t), 0);
  }
}

TEST(TimeSeries, RefusesWhatIsNoFunctionOfTime) {
  EXPECT_NE(message_of([] { TimeSeries({}, {}); }).find("at least 2 points"), std::string::npos);
  EXPECT_NE(message_of([] { TimeSeries({1}, {1}); }).find("got 1"), std::string::npos);
  EXPECT_NE(message_of([] {
              TimeSeries({0, 1, 1}, {1, 2, 3});
            }).find("strictly increasing"),
            std::string::npos);
  EXPECT_NE(message_of([] {
              TimeSeries({0, -1}, {1, 2});
            }).find("strictly increasing"),
            std::string::npos);
  EXPECT_NE(message_of([] { TimeSeries({0, 1}, {1, NAN}); }).find("not finite"), std::string::npos);
  EXPECT_NE(message_of([] {
              TimeSeries({0, kInfinity}, {1, 1});
            }).find("not finite"),
            std::string::npos);
}

TEST(TimeSeries, IsReadFromTwoColumns) {
  const ScratchDirectory scratch;
  const TimeSeries series = read_time_series(write(
      scratch / "series.txt", "# time value\n0 1\n\n  1.5\t-2e1  # the low point\n   # more\n3 0"));
  EXPECT_EQ(series.times(), (std::vector<double>{0, 1.5, 3}));
  EXPECT_EQ(series.values(), (std::vector<double>{1, -20, 0}));
  const TimeSeries marked = read_time_series(write(scratch / "marked.txt",
                                                   "\xEF\xBB\xBF"
                                                   "0 1\r\n2 3\r\n"));
  EXPECT_EQ(marked.times(), (std::vector<double>{0, 2}));
}

TEST(TimeSeries, NamesFileAndLineOfWhatItCannotRead) {
  const ScratchDirectory scratch;
  EXPECT_NE(message_of([&] { read_time_series(scratch / "nowhere.txt"); }).find("nowhere.txt"),
            std::string::npos);
  for (const std::string bad : {"1", "1 2 3", "1 two", "one 2", "-", "1e", "0x"}) {
    const std::string message = message_of(
        [&] { read_time_series(write(scratch / "bad.txt", "0 0\n" + bad + "\n5 5\n")); });
    EXPECT_NE(message.find("line 2"), std::string::npos) << message;
    EXPECT_NE(message.find("bad.txt"), std::string::npos) << message;
    EXPECT_NE(message.find(bad), std::string::npos) << message;
  }
  const std::string backwards =
      message_of([&] { read_time_series(write(scratch / "backwards.txt", "1 0\n0 0\n")); });
  EXPECT_NE(backwards.find("backwards.txt"), std::string::npos) << backwards;
  EXPECT_NE(backwards.find("strictly increasing"), std::string::npos) << backwards;
}

TEST(TimeSeries, IsReadFromTextFilesOnlyWithMessagesOfBoundedLength) {
  const ScratchDirectory scratch;
  const auto refusal = [&](const std::string& path) {
    const std::string message = message_of([&] { read_time_series(path); });
    EXPECT_LT(message.size(), 400) << message;
    for (char c : message) EXPECT_TRUE(c >= ' ' && c <= '~');
    return message;
  };
  EXPECT_NE(refusal(scratch / "").find("it is a directory"), std::string::npos);
  EXPECT_NE(refusal("/dev/zero").find("it is not a regular file"), std::string::npos);
  EXPECT_EQ(mkfifo((scratch / "pipe").c_str(), 0600), 0);
  EXPECT_NE(refusal(scratch / "pipe").find("it is not a regular file"), std::string::npos);
  EXPECT_NE(refusal(scratch / std::string(10000, 'x')).find("name too long"), std::string::npos);
  const std::string binary = "0 0\n\x7f" + std::string("ELF\x02\0\xff\n", 7);
  EXPECT_NE(refusal(write(scratch / "binary", binary)).find("line 2"), std::string::npos);
  std::string megabyte(1 << 20, 'x');
  megabyte.replace(0, 6, "0 0\n1 ");
  EXPECT_NE(refusal(write(scratch / "long", megabyte)).find("1 xxx"), std::string::npos);
}

TEST(TimeSeries, DerivativeAndIntegralInvertEachOther) {
  const TimeSeries series({0, 1, 3, 4}, {1, 3, -1, -1});
  EXPECT_EQ(series.derivative().values(), (std::vector<double>{2, 0, -1, 0}));
  EXPECT_EQ(series.integral().values(), (std::vector<double>{0, 2, 4, 3}));
  EXPECT_EQ(series.integral().times(), series.times());
  EXPECT_EQ(TimeSeries(5.0).derivative().value(1), 0);
  // Of a smooth function both are of second order.
  const auto error = [](int n) {
    std::vector<double> times, values;
    for (int k = 0; k <= n; k++) {
      times.push_back(2.0 * k / n);
      values.push_back(std::sin(times.back()));
    }
    const TimeSeries sine(times, values);
    return std::abs(sine.derivative().value(1) - std::cos(1)) +
           std::abs(sine.integral().value(2) - (1 - std::cos(2)));
  };
  EXPECT_NEAR(error(100) / error(200), 4, 0.1);
}

}  // namespace
}  // namespace solfec::time_series_test
