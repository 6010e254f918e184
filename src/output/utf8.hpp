// Texts of files that somebody else made.
#pragma once

#include <string>
#include <string_view>

namespace solfec {

/// The text with each byte that is not part of UTF-8 as its number, "\xff": all texts of Python
/// and of messages are UTF-8.
std::string as_utf8(std::string_view text);

}  // namespace solfec
