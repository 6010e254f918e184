// One run at a time writes results into a directory.
#pragma once

#include <string>

namespace solfec {

/// Held as long as it lives, and no longer than the process: the system lets it go, whatever ends
/// that. By any name of the directory it is the same lock, and it leaves no file behind.
class DirectoryLock {
 public:
  /// Throws RunError when another one holds the lock. Where a file system has no locks there is
  /// none, and nothing is said.
  explicit DirectoryLock(const std::string& directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

 private:
  int directory_;
};

}  // namespace solfec
