#include "output/output_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "support/full_disk.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::output_file_test {
namespace {

using testing::ScratchDirectory;

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void publish(const std::string& path, const std::string& text) {
  publish_file(path, std::as_bytes(std::span(text)));
}

TEST(OutputFile, AWholeFileAppearsAtOnce) {
  const ScratchDirectory scratch;
  publish(scratch / "file", "first");
  EXPECT_EQ(text_of(scratch / "file"), "first");
  {
    const testing::FullDisk full(1000);
    EXPECT_THROW(publish(scratch / "file", std::string(100000, 'x')), RunError);
  }
  EXPECT_EQ(text_of(scratch / "file"), "first");
  publish(scratch / "file", "second");
  EXPECT_EQ(text_of(scratch / "file"), "second");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1);
}

// Through a link somebody else's file would be overwritten.
TEST(OutputFile, LinksAreNotFollowed) {
  const ScratchDirectory scratch;
  std::ofstream(scratch / "precious") << "text";
  std::filesystem::create_symlink(scratch / "precious", scratch / "file");
  std::filesystem::create_symlink(scratch / "precious", temporary_name(scratch / "file"));
  EXPECT_THROW(OutputFile(scratch / "file", OutputFile::How::existing), RunError);
  publish(scratch / "file", "new");
  EXPECT_EQ(text_of(scratch / "precious"), "text");
  EXPECT_EQ(text_of(scratch / "file"), "new");
  EXPECT_FALSE(std::filesystem::is_symlink(scratch / "file"));
}

}  // namespace
}  // namespace solfec::output_file_test
