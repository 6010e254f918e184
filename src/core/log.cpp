#include "core/log.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <optional>

#include "core/terminal.hpp"

namespace solfec::log {
namespace {

bool warnings = true;
bool silent = false;
std::optional<Streams> streams;

spdlog::logger make_logger(spdlog::sink_ptr sink, const char* pattern) {
  spdlog::logger logger("solfec", std::move(sink));
  logger.set_pattern(pattern);
  logger.flush_on(spdlog::level::info);
  return logger;
}

spdlog::logger& out() {
  static spdlog::logger logger =
      make_logger(std::make_shared<spdlog::sinks::stdout_sink_st>(), "%v");
  return logger;
}

spdlog::logger& err() {
  static spdlog::logger logger =
      make_logger(std::make_shared<spdlog::sinks::stderr_sink_st>(), "%l: %v");
  return logger;
}

}  // namespace

void silence() { silent = true; }

void enable_warnings(bool enabled) { warnings = enabled; }
bool warnings_enabled() { return warnings; }

void info(const std::string& message) {
  if (silent) return;
  if (streams)
    streams->out(message + "\n");
  else
    out().info(message);
}

void warning(const std::string& message) {
  if (silent || !warnings) return;
  if (streams)
    streams->err("warning: " + message + "\n");
  else
    err().warn(message);
}

void part_of_line(const std::string& text) {
  if (silent) return;
  if (streams) return streams->out(text);
  fmt::print("{}", text);
  std::fflush(stdout);
}

int columns() { return streams ? streams->columns() : output_columns(); }

void redirect(Streams to) { streams = std::move(to); }

}  // namespace solfec::log
