#include "output/segment_file.hpp"

#include <gtest/gtest.h>

#include "support/scratch_directory.hpp"

namespace solfec::segment_file_test {
namespace {

TEST(SegmentFile, EveryColumnComesBack) {
  const testing::ScratchDirectory scratch;
  FrameData data;
  int next = 1;
  visit_columns(data, [&](const char*, auto& column, std::size_t width, auto&&...) {
    using T = std::remove_cvref_t<decltype(column[0])>;
    for (std::size_t k = 0; k < 700 * width; k++) column.push_back(static_cast<T>(next++));
  });
  std::uintmax_t sizes[2];
  for (bool compressed : {false, true}) {
    const std::string name = compressed ? "packed.h5" : "plain.h5";
    write_segment_file(data, scratch.path().string(), name, compressed);
    const FrameData read = read_segment_file(scratch.path().string(), name);
    std::vector<const void*> columns;
    visit_columns(read, [&](const char*, const auto& c, auto&&...) { columns.push_back(&c); });
    std::size_t k = 0;
    visit_columns(data, [&](const char* path, const auto& column, auto&&...) {
      EXPECT_EQ(column, *static_cast<decltype(&column)>(columns[k++])) << path;
    });
    sizes[compressed] = std::filesystem::file_size(scratch / name);
  }
  EXPECT_LT(sizes[1], sizes[0]);
}

TEST(SegmentFile, NoFramesAreAFileToo) {
  const testing::ScratchDirectory scratch;
  write_segment_file({}, scratch.path().string(), "empty.h5", true);
  EXPECT_EQ(size(read_segment_file(scratch.path().string(), "empty.h5")), 0u);
}

}  // namespace
}  // namespace solfec::segment_file_test
