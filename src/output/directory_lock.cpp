#include "output/directory_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.hpp"

namespace solfec {

DirectoryLock::DirectoryLock(const std::string& directory)
    : directory_(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (directory_ < 0 || ::flock(directory_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(directory_);
  throw RunError(
      fmt::format("another run writes results to '{}': wait for its end, or choose another "
                  "directory",
                  directory));
}

DirectoryLock::~DirectoryLock() {
  if (directory_ >= 0) ::close(directory_);
}

}  // namespace solfec
