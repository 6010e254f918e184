#include "output/segment_file.hpp"

#include <gtest/gtest.h>

#include "support/flat_columns.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::segment_file_test {
namespace {

TEST(SegmentFile, EveryColumnComesBack) {
  const testing::ScratchDirectory scratch;
  const FrameData data = testing::numbered(700, 1);
  std::uintmax_t sizes[2];
  for (bool compressed : {false, true}) {
    const std::string name = compressed ? "packed.h5" : "plain.h5";
    write_segment_file(data, scratch.path().string(), name, compressed);
    const FrameData read = read_segment_file(scratch.path().string(), name);
    EXPECT_EQ(testing::flat(read), testing::flat(data));
    sizes[compressed] = std::filesystem::file_size(scratch / name);
  }
  EXPECT_LT(sizes[1], sizes[0]);
}

TEST(SegmentFile, PartsFollowEachOther) {
  const testing::ScratchDirectory scratch;
  const FrameData first = testing::numbered(30, 1), second = testing::numbered(700, 5);
  FrameData both = first;
  both.append(second);
  std::vector<std::uint64_t> counts;
  both.visit_columns([&](const Column& c) { counts.push_back(c.size()); });
  {
    SegmentInParts segment(scratch.path().string(), "parts.h5", counts);
    segment.append(first);
    segment.append(second);
    segment.finish();
  }
  EXPECT_EQ(testing::flat(read_segment_file(scratch.path().string(), "parts.h5")),
            testing::flat(both));
  { SegmentInParts(scratch.path().string(), "half.h5", counts).append(first); }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 1)
      << "nothing is left of a file that was not finished";
}

TEST(SegmentFile, NoFramesAreAFileToo) {
  const testing::ScratchDirectory scratch;
  write_segment_file({}, scratch.path().string(), "empty.h5", true);
  EXPECT_EQ(read_segment_file(scratch.path().string(), "empty.h5").bytes(), 0u);
}

}  // namespace
}  // namespace solfec::segment_file_test
