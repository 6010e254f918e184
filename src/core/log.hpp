// Messages to the user. Warnings can be switched off (WARNINGS); ranks other than 0 are silent.
#pragma once

#include <string>

namespace solfec::log {

/// Only the first rank of a parallel run speaks.
void silence();
void enable_warnings(bool enabled);
bool warnings_enabled();

void info(const std::string& message);
/// Written to standard error, prefixed "warning:".
void warning(const std::string& message);

}  // namespace solfec::log
