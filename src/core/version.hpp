// Version of the program.
#pragma once

namespace solfec {

inline constexpr const char* kVersion = "1.0";

}  // namespace solfec
