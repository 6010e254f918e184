// Texts of files are UTF-8, whatever bytes a file holds.
#include "output/utf8.hpp"

#include <gtest/gtest.h>

namespace solfec::utf8_test {
namespace {

TEST(Utf8, TextStaysAsItIs) {
  // One to four bytes, and the ends of each range.
  for (const char* text : {"", "drum", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80",
                           "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF", "\xF0\x90\x80\x80",
                           "\xF4\x8F\xBF\xBF", "K\xC3\xB6rner \xE2\x88\x92 \xF0\x9F\xAA\xA8"})
    EXPECT_EQ(as_utf8(text), text);
}

TEST(Utf8, OtherBytesAreNumbers) {
  EXPECT_EQ(as_utf8("\xFF"), "\\xff");
  EXPECT_EQ(as_utf8("a\x80z"), "a\\x80z");
  EXPECT_EQ(as_utf8("\xC3"), "\\xc3");    // the rest is missing
  EXPECT_EQ(as_utf8("\xC3z"), "\\xc3z");  // and what follows stays
  EXPECT_EQ(as_utf8("\xE2\x88"), "\\xe2\\x88");
  EXPECT_EQ(as_utf8("\xF0\x9F\xAA"), "\\xf0\\x9f\\xaa");
}

// What Python's decoder refuses, too.
TEST(Utf8, LongFormsSurrogatesAndWhatIsBeyondAreNumbers) {
  EXPECT_EQ(as_utf8("\xC0\x80"), "\\xc0\\x80");
  EXPECT_EQ(as_utf8("\xC1\xBF"), "\\xc1\\xbf");
  EXPECT_EQ(as_utf8("\xE0\x9F\xBF"), "\\xe0\\x9f\\xbf");
  EXPECT_EQ(as_utf8("\xED\xA0\x80"), "\\xed\\xa0\\x80");
  EXPECT_EQ(as_utf8("\xF0\x8F\xBF\xBF"), "\\xf0\\x8f\\xbf\\xbf");
  EXPECT_EQ(as_utf8("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(as_utf8("\xF5\x80\x80\x80"), "\\xf5\\x80\\x80\\x80");
}

}  // namespace
}  // namespace solfec::utf8_test
