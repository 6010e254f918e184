#include "core/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

namespace solfec::log {
namespace {

bool warnings = true;

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

void silence() {
  out().set_level(spdlog::level::off);
  err().set_level(spdlog::level::off);
}

void enable_warnings(bool enabled) { warnings = enabled; }
bool warnings_enabled() { return warnings; }

void info(const std::string& message) { out().info(message); }

void warning(const std::string& message) {
  if (warnings) err().warn(message);
}

}  // namespace solfec::log
