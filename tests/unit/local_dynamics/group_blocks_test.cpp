// Blocks of groups: as many as rows are worth, of the same size, and compact.
#include "local_dynamics/group_blocks.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "core/threads.hpp"

namespace solfec::group_blocks_test {
namespace {

struct Lattice {
  std::vector<Vec3> places;
  std::vector<RowBlocks> rows;  // between neighbours
  std::vector<int> order;
};

// x rises fastest.
Lattice lattice(int nx, int ny, int nz) {
  Lattice result;
  const auto add_row = [&](int a, int b) {
    RowBlocks row;
    row.end[0].group = a;
    row.end[1].group = b;
    result.rows.push_back(row);
  };
  for (int k = 0; k < nz; k++)
    for (int j = 0; j < ny; j++)
      for (int i = 0; i < nx; i++) {
        const int g = static_cast<int>(result.places.size());
        result.places.emplace_back(i, j, k);
        if (i > 0) add_row(g, g - 1);
        if (j > 0) add_row(g, g - nx);
        if (k > 0) add_row(g, g - nx * ny);
      }
  result.order.resize(result.rows.size());
  std::iota(result.order.begin(), result.order.end(), 0);
  return result;
}

TEST(GroupBlocks, AreCompactAndOfOneSize) {
  const Lattice l = lattice(24, 16, 8);
  GroupBlocks blocks;
  const std::span<const int> block = blocks.divide(l.rows, l.order, l.places);
  ASSERT_EQ(block.size(), l.places.size());
  ASSERT_EQ(l.rows.size(), 8512u);
  std::vector<int> size(8, 0);
  for (const int b : block) size.at(b)++;
  for (const int n : size) EXPECT_EQ(n, 24 * 16 * 8 / 8);
  // Cuts across x, y and x again: of 128, 2 x 96 and 4 x 64 rows.
  int between = 0;
  for (const RowBlocks& row : l.rows) between += block[row.end[0].group] != block[row.end[1].group];
  EXPECT_EQ(between, 576);
}

TEST(GroupBlocks, AreTheSameByAnyNumberOfThreads) {
  const Lattice l = lattice(30, 10, 20);
  std::vector<std::vector<int>> found;
  for (int number : {1, 4}) {
    set_threads(number);
    GroupBlocks blocks;
    const std::span<const int> block = blocks.divide(l.rows, l.order, l.places);
    found.emplace_back(block.begin(), block.end());
  }
  set_threads(1);
  EXPECT_EQ(found[0], found[1]);
}

TEST(GroupBlocks, FewRowsAreInOne) {
  Lattice l = lattice(10, 10, 8);
  GroupBlocks blocks;
  EXPECT_FALSE(blocks.divide(l.rows, l.order, l.places).empty()) << l.rows.size();
  l.order.resize(1999);
  EXPECT_TRUE(blocks.divide(l.rows, l.order, l.places).empty());
  l.order.push_back(1999);
  EXPECT_FALSE(blocks.divide(l.rows, l.order, l.places).empty());
}

// Of a body that has run away, and of a single one with all rows.
TEST(GroupBlocks, StrangePlacesAreInSomeBlock) {
  Lattice l = lattice(10, 10, 10);
  for (const double x :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    l.places[17].setConstant(x);
    l.places[500].y() = x;
    GroupBlocks blocks;
    for (const int b : blocks.divide(l.rows, l.order, l.places)) EXPECT_TRUE(b == 0 || b == 1);
  }
  for (RowBlocks& row : l.rows) {
    row.end[0].group = 3;
    row.end[1].group = -1;
  }
  GroupBlocks blocks;
  for (const int b : blocks.divide(l.rows, l.order, l.places)) EXPECT_EQ(b, 0);
}

}  // namespace
}  // namespace solfec::group_blocks_test
