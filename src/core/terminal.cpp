#include "core/terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "core/launcher.hpp"

namespace solfec {
namespace {

bool is_regular_file(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

// Only devices are opened: opening anything else, as a pipe, could have effects.
int columns_of_parent() {
  namespace fs = std::filesystem;
  const fs::path output = fmt::format("/proc/{}/fd/1", getppid());
  std::error_code failure;
  if (!fs::read_symlink(output, failure).string().starts_with("/dev/")) return 0;
  const int descriptor = open(output.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const int columns = terminal_columns(descriptor);
  close(descriptor);
  return columns;
}

}  // namespace

int terminal_columns(int descriptor) {
  if (isatty(descriptor) == 0) return 0;
  winsize size = {};
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kAnyColumns;
  return size.ws_col;
}

int output_columns() {
  if (!has_launcher()) return terminal_columns(STDOUT_FILENO);
  return is_regular_file(STDOUT_FILENO) ? 0 : columns_of_parent();
}

}  // namespace solfec
