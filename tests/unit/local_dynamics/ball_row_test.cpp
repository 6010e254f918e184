// Rows between balls: their numbers make their blocks, and other blocks are told from them.
#include "local_dynamics/ball_row.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::ball_row_test {
namespace {

using testing::Random;
using Block = Eigen::Matrix<double, 3, kRigidSize, Eigen::RowMajor>;

struct Blocks {
  RowBlocks row;
  std::array<double, 36> G{};
};

// With ends that move: both, the first, or the second one.
Blocks ball_blocks(Random& random, bool first, bool second) {
  Blocks blocks;
  testing::write_ball_blocks(random, 2, blocks.G.data());
  if (first) blocks.row.end[0] = {kRigidSize, 0, 0, 0};
  if (second) blocks.row.end[1] = {kRigidSize, 1, 8, 18};
  return blocks;
}

Block block_of(const BallRow& ball, int end) {
  Block G;
  G << ball.s[end] * ball.t2.transpose(), ball.c[end] * ball.t1.transpose(),
      -ball.s[end] * ball.t1.transpose(), ball.c[end] * ball.t2.transpose(),
      Eigen::RowVector3d::Zero(), ball.c[end] * ball.n.transpose();
  return G;
}

TEST(BallRow, HasTheNumbersOfItsBlocks) {
  Random random(1);
  for (int seed = 0; seed < 30; seed++)
    for (const auto& [first, second] : {std::pair(true, true), {true, false}, {false, true}}) {
      const Blocks blocks = ball_blocks(random, first, second);
      ASSERT_TRUE(is_ball_row(blocks.row, blocks.G.data()));
      const BallRow ball = ball_row(blocks.row, blocks.G.data());
      EXPECT_NEAR((ball.t1.cross(ball.t2) - ball.n).norm(), 0, 1e-14);
      for (int end : {0, 1}) {
        const RowBlock& at = blocks.row.end[end];
        if (at.size == 0) {
          EXPECT_TRUE(ball.c[end] == 0 && ball.s[end] == 0);
        } else {
          const Eigen::Map<const Block> G(blocks.G.data() + at.block);
          EXPECT_LT((block_of(ball, end) - G).norm(), 1e-14 * G.norm());
        }
      }
    }
}

TEST(BallRow, AnyOtherNumberMakesAnotherRow) {
  Random random(2);
  for (int k = 0; k < 36; k++) {
    Blocks blocks = ball_blocks(random, true, true);
    blocks.G[k] += 1e-10;
    EXPECT_FALSE(is_ball_row(blocks.row, blocks.G.data())) << k;
    blocks.G[k] -= 1e-10;
    EXPECT_TRUE(is_ball_row(blocks.row, blocks.G.data())) << k;
  }
}

TEST(BallRow, DeformableGroupsAndNoneMakeNone) {
  Random random(3);
  Blocks blocks = ball_blocks(random, true, true);
  blocks.row.end[1].size = 12;
  EXPECT_FALSE(is_ball_row(blocks.row, blocks.G.data()));
  blocks.row = {};
  EXPECT_FALSE(is_ball_row(blocks.row, blocks.G.data()));
}

}  // namespace
}  // namespace solfec::ball_row_test
