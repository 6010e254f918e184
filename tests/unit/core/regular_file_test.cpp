#include "core/regular_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "support/scratch_directory.hpp"

namespace solfec::regular_file_test {
namespace {

TEST(RegularFile, OnlyThoseThatCanBeReadWithoutWaiting) {
  const testing::ScratchDirectory scratch;
  std::ofstream(scratch / "file") << "text";
  ::mkfifo((scratch / "pipe").c_str(), 0600);
  std::filesystem::create_symlink(scratch / "file", scratch / "link");
  EXPECT_EQ(why_not_readable(scratch / "file"), "");
  EXPECT_EQ(why_not_readable(scratch / "link"), "");
  EXPECT_EQ(why_not_readable(scratch / "none"), "No such file or directory");
  EXPECT_EQ(why_not_readable(scratch.path().string()), "it is a directory");
  EXPECT_EQ(why_not_readable(scratch / "pipe"), "it is not a regular file");
  EXPECT_EQ(why_not_readable("/dev/zero"), "it is not a regular file");
}

}  // namespace
}  // namespace solfec::regular_file_test
