#include "output/directory_lock.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "core/error.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::directory_lock_test {
namespace {

TEST(DirectoryLock, IsHeldOnce) {
  const testing::ScratchDirectory scratch, other;
  const std::string directory = scratch.path().string();
  std::filesystem::create_directory_symlink(directory, other / "link");
  std::optional<DirectoryLock> lock(directory);
  EXPECT_THROW(DirectoryLock{directory}, RunError);
  EXPECT_THROW(DirectoryLock{directory + "/../" + scratch.path().filename().string()}, RunError);
  EXPECT_THROW(DirectoryLock{other / "link"}, RunError);
  EXPECT_NO_THROW(DirectoryLock{other.path().string()});
  lock.reset();
  EXPECT_NO_THROW(DirectoryLock{directory});
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

}  // namespace
}  // namespace solfec::directory_lock_test
