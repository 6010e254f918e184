#include "output/script_copy.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "core/archive.hpp"
#include "core/error.hpp"
#include "core/regular_file.hpp"
#include "output/output_file.hpp"
#include "output/results_files.hpp"

namespace fs = std::filesystem;

namespace solfec {
namespace {

std::string last_line(const std::string& text) {
  return fmt::format("# Copy made by Solfec for the results beside it ({:016x})\n",
                     fingerprint(std::as_bytes(std::span(text))));
}

std::optional<std::string> text_of(const std::string& path) {
  if (fs::is_symlink(path) || !why_not_readable(path).empty()) return std::nullopt;
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

std::string script_copy_path(const std::string& directory) {
  return fs::path(index_path(directory)).replace_extension(".py").string();
}

std::optional<std::string> read_script_copy(const std::string& directory) {
  std::optional<std::string> text = text_of(script_copy_path(directory));
  const std::size_t mark = last_line("").size();
  if (!text || text->size() < mark) return std::nullopt;
  const std::string script = text->substr(0, text->size() - mark);
  if (!text->ends_with(last_line(script))) return std::nullopt;
  return script;
}

void demand_script_copy(const std::string& directory, const std::string& script) {
  const std::string path = script_copy_path(directory);
  if (fs::symlink_status(path).type() == fs::file_type::not_found) return;
  if (read_script_copy(directory) || text_of(path) == script) return;
  throw RunError(
      fmt::format("'{}' is no copy of a script that Solfec made, or was changed since, and would "
                  "be written over: move it, or choose another directory",
                  path));
}

void write_script_copy(const std::string& directory, const std::string& script) {
  const std::string path = script_copy_path(directory);
  if (text_of(path) == script) return;
  std::string copy = script;
  if (!copy.ends_with('\n')) copy += '\n';
  copy += last_line(copy);
  publish_file(path, std::as_bytes(std::span(copy)));
}

}  // namespace solfec
