#include "core/regular_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace solfec {

std::string why_not_readable(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file < 0) return std::strerror(errno);
  struct stat status {};
  std::string reason;
  if (::fstat(file, &status) != 0)
    reason = std::strerror(errno);
  else if (S_ISDIR(status.st_mode))
    reason = "it is a directory";
  else if (!S_ISREG(status.st_mode))
    reason = "it is not a regular file";
  ::close(file);
  return reason;
}

}  // namespace solfec
