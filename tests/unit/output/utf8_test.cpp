// Texts of files are UTF-8, whatever bytes a file holds.
#include "output/utf8.hpp"

#include <gtest/gtest.h>

namespace solfec::utf8_test {
namespace {

const std::string kReplaced = "\xEF\xBF\xBD";

TEST(Utf8, TextStaysAsItIs) {
  // One to four bytes, and the ends of each range.
  for (const char* text : {"", "drum", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80",
                           "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80",
                           "\xF4\x8F\xBF\xBF", "K\xC3\xB6rner \xE2\x88\x92 \xF0\x9F\xAA\xA8"})
    EXPECT_EQ(as_utf8(text), text);
}

TEST(Utf8, OtherBytesAreReplaced) {
  EXPECT_EQ(as_utf8("\xFF"), kReplaced);
  EXPECT_EQ(as_utf8("a\x80z"), "a" + kReplaced + "z");
  EXPECT_EQ(as_utf8("\xC3"), kReplaced);         // the rest is missing
  EXPECT_EQ(as_utf8("\xC3z"), kReplaced + "z");  // and what follows stays
  EXPECT_EQ(as_utf8("\xE2\x88"), kReplaced + kReplaced);
  EXPECT_EQ(as_utf8("\xF0\x9F\xAA"), kReplaced + kReplaced + kReplaced);
}

// What Python's decoder refuses, too.
TEST(Utf8, LongFormsSurrogatesAndWhatIsBeyondAreReplaced) {
  for (const char* text : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80",
                           "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80"}) {
    std::string expected;
    for (const char* c = text; *c; c++) expected += kReplaced;
    EXPECT_EQ(as_utf8(text), expected);
  }
}

}  // namespace
}  // namespace solfec::utf8_test
