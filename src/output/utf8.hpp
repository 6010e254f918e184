// Texts of files that somebody else made.
#pragma once

#include <string>
#include <string_view>

namespace solfec {

/// The text, each byte that is not part of UTF-8 replaced by U+FFFD: all texts of Python, messages
/// and results are UTF-8.
std::string as_utf8(std::string_view text);

}  // namespace solfec
