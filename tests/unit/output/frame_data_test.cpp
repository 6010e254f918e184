#include "output/frame_data.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/flat_columns.hpp"

namespace solfec::frame_data_test {
namespace {

using testing::numbered;

TEST(FrameData, EveryColumnHasANameOfItsOwnAndAMeaning) {
  std::set<std::string> paths;
  const FrameData data;
  data.visit_columns([&](const Column& c) {
    EXPECT_TRUE(paths.insert(c.path).second) << c.path;
    EXPECT_GT(std::string(c.meaning).size(), 3u) << c.path;
    EXPECT_GE(c.width, 1u) << c.path;
  });
  EXPECT_EQ(paths.size(), 128u);
  for (const Table& table : data.tables) {
    ASSERT_FALSE(table.columns.empty());
    const std::string path = table.columns[0].path;
    // Readers take rows of owners first.
    EXPECT_TRUE(!table.counts || &data[table.owner] < &table) << path;
  }
}

TEST(FrameData, AppendConcatenatesEveryColumn) {
  FrameData data = numbered(2, 1);
  const FrameData first = data, next = numbered(3, 5000);
  data.append(next);
  data.visit_columns([&](const Column& c) { EXPECT_EQ(c.size(), 5 * c.width) << c.path; });
  EXPECT_EQ(data.bytes(), first.bytes() + next.bytes());
  const auto& time = data.numbers<double>("frame/time");
  EXPECT_EQ(time[0], first.numbers<double>("frame/time")[0]);
  EXPECT_EQ(time[2], next.numbers<double>("frame/time")[0]);
  EXPECT_EQ(data.numbers<double>("load/series").back(), next.numbers<double>("load/series").back());
}

TEST(FrameData, ClearRemovesAll) {
  FrameData data = numbered(2, 1);
  data.clear();
  EXPECT_EQ(data.bytes(), 0u);
  EXPECT_EQ(data[TableId::frame].rows(), 0u);
}

}  // namespace
}  // namespace solfec::frame_data_test
