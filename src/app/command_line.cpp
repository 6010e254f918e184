#include "app/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>

#include "core/launcher.hpp"
#include "core/threads.hpp"
#include "core/version.hpp"

namespace solfec {
namespace {

constexpr const char* kSynopsis =
    "SYNOPSIS: solfec [-v] [-w | -c] [-j threads] [-g WIDTHxHEIGHT] [-s sub-directory] path "
    "[words]";

// Sorts the words: ours (with their arguments), and the others.
void sort_words(int argc, char** argv, std::vector<std::string>& ours,
                std::vector<std::string>& others) {
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word == "-v" || word == "-w" || word == "-c" || word == "-h" || word == "--help" ||
        word == "--version") {
      ours.push_back(word);
    } else if (word == "-g" || word == "-s" || word == "-j") {
      ours.push_back(word);
      if (i + 1 < argc) ours.push_back(argv[++i]);
    } else {
      others.push_back(word);
    }
  }
}

// What --help adds to the list of switches.
constexpr const char* kFooter = R"(Words:
  path                        Python script: the first word that is a file and no switch
  words                       all others, for the script: NON_SOLFEC_ARGV ()

Environment:
  PYTHONPATH                  folders of further Python modules
  OMPI_COMM_WORLD_SIZE, PMI_SIZE
                              set by mpirun: solfec refuses to run on more ranks than one
mpirun -np N solfec-mpi ... runs the same on N ranks.

Exit codes:
  0, or that of sys.exit      end of the script
  1                           error in the script or in the run
  2                           wrong command line
  129, 130, 143               signals HUP, INT (Ctrl-C), TERM; the last state has been written)";

}  // namespace

bool refuse_ranks(int ranks) {
  const int processes = launched_processes();
  if (processes <= ranks) {
    end_launch();
    return false;
  }
  // Rank 0 prints. The others wait, since mpirun ends all as soon as one has left.
  if (launched_rank() == 0)
    fmt::print(
        stderr,
        "solfec: started on {} ranks that pass no messages; use solfec-mpi, and the mpirun of "
        "its own MPI\n",
        processes);
  else
    std::this_thread::sleep_for(std::chrono::seconds(1));
  return true;
}

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
  app.add_flag("-v", line.viewer, "look at the model and its results in a window");
  CLI::Option* overwrite = app.add_flag("-w", line.overwrite, "overwrite existing results");
  app.add_flag("-c", line.resume, "go on from existing results")->excludes(overwrite);
  app.add_option("-j", line.threads, "threads of each rank; results are the same with any number")
      ->check(CLI::Range(1, kMostThreads));
  app.add_option("-g", line.window_size, "size of the window, WIDTHxHEIGHT")
      ->check([](const std::string& text) {
        unsigned width, height;
        char rest;
        return std::sscanf(text.c_str(), "%ux%u%c", &width, &height, &rest) == 2 && width > 0 &&
                       height > 0
                   ? ""
                   : "must be WIDTHxHEIGHT, for example 800x600; got '" + text + "'";
      });
  app.add_option("-s", line.subdirectory, "sub-directory of the output directories");
  app.set_version_flag("--version", version, "print the version and exit");
  app.set_help_flag("-h,--help", "print this help and exit");
  app.footer(kFooter);
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
  const auto script = std::ranges::find_if(
      line.words, [](const std::string& word) { return std::filesystem::is_regular_file(word); });
  if (script == line.words.end()) {
    line.message = fmt::format(
        "solfec: no input file{}\n{}",
        line.words.empty() ? "" : fmt::format(": there is no file '{}'", line.words[0]), kSynopsis);
    line.exit_code = 2;
    return line;
  }
  std::string unknown;
  for (auto word = line.words.begin(); word != script; word++)
    if (word->starts_with('-')) unknown += " " + *word;
  if (!unknown.empty())
    line.notice =
        "solfec: left to the script, since solfec has no such switches (--help):" + unknown;
  line.script = *script;
  line.words.erase(script);
  return line;
}

}  // namespace solfec
