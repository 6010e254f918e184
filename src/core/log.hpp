// Messages to the user. Warnings can be switched off (WARNINGS); ranks other than 0 are silent.
#pragma once

#include <functional>
#include <string>

namespace solfec::log {

/// Only rank 0 prints.
void silence();
void enable_warnings(bool enabled);
bool warnings_enabled();

void info(const std::string& message);
/// Written to standard error, prefixed "warning:".
void warning(const std::string& message);
/// Text without an end of line, seen at once.
void part_of_line(const std::string& text);

/// Columns in which a line can be rewritten; 0 when it cannot.
int columns();

/// Where text goes in place of the standard streams of the process.
struct Streams {
  std::function<void(const std::string&text)> out, err;
  std::function<int()> columns;
};
void redirect(Streams streams);

}  // namespace solfec::log
