// The copy of the input file beside its results. Its last line says that Solfec has made it, with a
// fingerprint of the lines above: a copy that somebody has changed since is no copy any more.
#pragma once

#include <optional>
#include <string>

namespace solfec {

std::string script_copy_path(const std::string& directory);

/// The script that the results were made by, without the last line; nothing when there is no copy,
/// or one that was changed.
std::optional<std::string> read_script_copy(const std::string& directory);

/// Throws RunError when a file of that name is neither a copy nor the script itself.
void demand_script_copy(const std::string& directory, const std::string& script);

/// Nothing is done when the file is the script itself.
void write_script_copy(const std::string& directory, const std::string& script);

}  // namespace solfec
