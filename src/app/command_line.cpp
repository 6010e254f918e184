#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>

#include "core/version.hpp"

namespace solfec {
namespace {

constexpr const char* kSynopsis =
    "SYNOPSIS: solfec [-v] [-w | -c] [-g WIDTHxHEIGHT] [-s sub-directory] path [words]";

// Sorts the words: ours (with their arguments), and the others.
void sort_words(int argc, char** argv, std::vector<std::string>& ours,
                std::vector<std::string>& others) {
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "-v" || word == "-w" || word == "-c" || word == "-h" || word == "--help" ||
        word == "--version") {
      ours.push_back(word);
    } else if (word == "-g" || word == "-s") {
      ours.push_back(word);
      if (i + 1 < argc) ours.push_back(argv[++i]);
    } else {
      others.push_back(word);
    }
  }
}

}  // namespace

CommandLine parse_command_line(int argc, char** argv) {
  CommandLine line;
  std::vector<std::string> ours;
  sort_words(argc, argv, ours, line.words);
  const std::string version = fmt::format("Solfec {}", kVersion);
  if (argc <= 1) {
    line.message = version + "\n" + kSynopsis;
    return line;
  }

  CLI::App app(version + ": dynamics of bodies in contact\n" + kSynopsis);
  bool viewer = false;
  std::string size = "512x512";
  app.add_flag("-v", viewer, "open the viewer");
  CLI::Option* overwrite = app.add_flag("-w", line.overwrite, "overwrite existing results");
  app.add_flag("-c", line.resume, "go on from existing results")->excludes(overwrite);
  app.add_option("-g", size, "initial size of the viewer's window")
      ->check([](const std::string& text) {
        unsigned width, height;
        char rest;
        return std::sscanf(text.c_str(), "%ux%u%c", &width, &height, &rest) == 2 && width > 0 &&
                       height > 0
                   ? ""
                   : "must be WIDTHxHEIGHT, for example 800x600; got '" + text + "'";
      });
  app.add_option("-s", line.subdirectory, "sub-directory of the output directories");
  app.set_version_flag("--version", version);
  try {
    std::ranges::reverse(ours);  // CLI11 takes them from the back
    app.parse(ours);
  } catch (const CLI::Success& done) {  // help or version
    line.message = done.get_name() == "CallForVersion" ? version : app.help();
    return line;
  } catch (const CLI::ParseError& error) {
    line.message = fmt::format("solfec: {}\n{}", error.what(), kSynopsis);
    line.exit_code = 2;
    return line;
  }
  if (viewer) {
    line.message = "solfec: the viewer (-v) is not available yet";
    line.exit_code = 2;
    return line;
  }
  const auto script = std::ranges::find_if(
      line.words, [](const std::string& word) { return std::filesystem::is_regular_file(word); });
  if (script == line.words.end()) {
    line.message = fmt::format(
        "solfec: no input file{}\n{}",
        line.words.empty() ? "" : fmt::format(": there is no file '{}'", line.words[0]), kSynopsis);
    line.exit_code = 2;
    return line;
  }
  line.script = *script;
  line.words.erase(script);
  return line;
}

}  // namespace solfec
