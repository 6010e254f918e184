// The program solfec-solve: solvers on problems of contacts from FCLib files, timed and graded.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>

#include "core/error.hpp"
#include "core/version.hpp"
#include "output/fclib_file.hpp"
#include "solver/graded_solve.hpp"
#include "solver/registry.hpp"

namespace {

using namespace solfec;

struct Settings {
  std::string solver = "AUTO";
  bool cold = false;
  ErrorTarget target = {ErrorTarget::kUsualError, ErrorTarget::kUsualTime};
  std::vector<std::string> files;
};

// JSON.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      result += c;
  }
  return result + '"';
}

std::string number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

// Each stage as a list (method, iterations, error at their end).
std::string list_of(std::span<const SolveStage> path) {
  std::vector<std::string> stages;
  for (const SolveStage& stage : path)
    stages.push_back(
        fmt::format("[\"{}\", {}, {}]", stage.method, stage.iterations, number(stage.figure)));
  return fmt::format("[{}]", fmt::join(stages, ", "));
}

// One line of the answer; false when the file cannot be read.
bool solve_file(const Settings& settings, const std::string& path) {
  const std::string head = fmt::format("{{\"file\": {}", quoted(path));
  const std::string how = fmt::format(", \"solver\": \"{}\", \"tol\": {}", settings.solver,
                                      number(settings.target.error));
  bool readable = false;
  std::string answer;
  try {
    const ContactProblem problem =
        read_fclib(path, settings.cold ? FileGuess::ignore : FileGuess::take);
    readable = true;
    const auto solver = make_solver(settings.solver, settings.target);
    LocalSolution solution;
    const GradedSolve s = solve_graded(local_dynamics_of(problem), solution, *solver,
                                       settings.target.error, problem.guess);
    answer = fmt::format(
        "{}, \"contacts\": {}, \"equalities\": {}{}, \"seconds\": {}, \"iterations\": {}, "
        "\"status\": \"{}\", \"error\": {}",
        head, problem.contacts(), problem.equalities(), how, number(s.seconds), s.iterations,
        name(s.grade), number(s.error));
    if (!solver->path().empty()) answer += ", \"path\": " + list_of(solver->path());
  } catch (const std::exception& error) {
    answer = head + how + ", \"status\": \"ERROR\", \"message\": " + quoted(error.what());
  }
  answer += "}\n";
  if (std::fputs(answer.c_str(), stdout) < 0 || std::fflush(stdout) != 0)
    throw RunError(fmt::format("cannot write the answer: {}", std::strerror(errno)));
  return readable;
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app(
      fmt::format("Solfec {}: solvers on frictional contact problems in FCLib files, timed; "
                  "one line of JSON per file",
                  kVersion));
  const CLI::Validator positive(
      [](const std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && std::isfinite(value) && value > 0
                   ? ""
                   : "must be a number > 0; got '" + text + "'";
      },
      "FLOAT > 0");
  app.add_option("--solver", settings.solver, "solver")
      ->check(CLI::IsMember(short_names()))
      ->capture_default_str();
  app.add_option("--tol", settings.target.error,
                 "error of the natural map, |R - P_K(R - U - mu |U_T| n)| / |q|, to be reached; of "
                 "CCP-... without mu |U_T| n, which is another law")
      ->check(positive)
      ->capture_default_str();
  app.add_option("--time-limit", settings.target.time_limit, "seconds that a solve may take")
      ->check(positive)
      ->capture_default_str();
  app.add_flag("--cold", settings.cold,
               "begin with zero reactions, whatever guess there is in a file");
  app.add_option("FILE", settings.files, "FCLib files")->required();
  app.set_version_flag("--version", fmt::format("Solfec {}", kVersion));
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    fmt::print(stderr, "solfec-solve: {}\n", error.what());
    return 2;
  }
  bool readable = true;
  for (const std::string& file : settings.files) readable = solve_file(settings, file) && readable;
  return readable ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "solfec-solve: %s\n", error.what());
    return 1;
  }
}
