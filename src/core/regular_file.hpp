// Whether a path names a file that a program may read without waiting for anything.
#pragma once

#include <string>

namespace solfec {

/// Why the file cannot be read, or nothing: it is there, a regular one (no directory, pipe or
/// device, which could keep the reader waiting), and may be read.
std::string why_not_readable(const std::string& path);

}  // namespace solfec
