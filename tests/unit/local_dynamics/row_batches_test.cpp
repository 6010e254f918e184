// Batches of rows: what may stand in one, in which order, and that products are those of single
// rows, to the last bit where they are not of balls.
#include "local_dynamics/row_batches.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "support/local_problem.hpp"

namespace solfec::row_batches_test {
namespace {

using testing::LocalProblem;
using testing::Random;

constexpr int kRows = 200;

LocalProblem many_rows(int seed) {
  return testing::random_problem(seed, 60, kRows, 0.01, DelassusForm::factored);
}

std::vector<int> shuffled_rows(Random& random) {
  std::vector<int> rows(kRows);
  std::iota(rows.begin(), rows.end(), 0);
  for (int k = kRows - 1; k > 0; k--) std::swap(rows[k], rows[random.integer(0, k)]);
  return rows;
}

bool share_a_group(const LocalProblem& p, int a, int b) {
  for (int g : {p.groups[a].first, p.groups[a].second})
    if (g >= 0 && p.sizes[g] > 0 && (g == p.groups[b].first || g == p.groups[b].second))
      return true;
  return false;
}

// Where each row stands: turn, part, run.
struct Position {
  int turn = -1, part = -1, run = -1;
};

// Of all rows of the batches, which are there once.
std::vector<Position> positions(int rows, const RowBatches& batches) {
  std::vector<Position> at(rows);
  const auto take = [&](int row, const Position& position) {
    EXPECT_EQ(at[row].turn, -1);
    at[row] = position;
  };
  int runs = 0;
  for (int turn = 0; turn + 1 < static_cast<int>(batches.turns().size()); turn++)
    for (int part = batches.turns()[turn]; part < batches.turns()[turn + 1]; part++)
      for (const RowBatches::Run& run : batches.runs(part)) {
        const Position position{turn, part, runs++};
        for (const int row : batches.singles(run)) take(row, position);
        for (int k = run.batch; k < run.batch_end; k++) {
          const BatchRows& batch = batches.batch(k);
          EXPECT_GT(batch.count, 0);
          for (int lane = 0; lane < kLanes; lane++) {
            const int row = batch.row[lane];
            EXPECT_EQ(row < 0, lane >= batch.count);
            if (row >= 0) take(row, position);
          }
        }
      }
  EXPECT_EQ(runs, static_cast<int>(batches.runs().size()));
  return at;
}

TEST(RowBatches, KeepTheOrderOfRowsThatShareAGroup) {
  Random random(1);
  for (int seed = 1; seed <= 10; seed++) {
    const LocalProblem p = many_rows(seed);
    const std::vector<int> rows = shuffled_rows(random);
    RowBatches batches;
    p.dynamics.W.plan(rows, batches);
    EXPECT_EQ(batches.parts(), 1);
    const std::vector<Position> at = positions(kRows, batches);
    for (int i = 0; i < kRows; i++) {
      ASSERT_GE(at[rows[i]].run, 0) << "every row is there";
      for (int j = 0; j < i; j++)
        if (share_a_group(p, rows[i], rows[j])) {
          EXPECT_LT(at[rows[j]].run, at[rows[i]].run);
        }
    }
    int batched = 0, full = 0;
    for (int k = 0; k < batches.size(); k++) {
      for (const int row : batches.batch(k).rows())
        for (int g : {p.groups[row].first, p.groups[row].second})
          EXPECT_TRUE(g < 0 || p.sizes[g] == 0 || p.sizes[g] == kRigidSize);
      batched += batches.batch(k).count;
      full += batches.batch(k).count == kLanes;
    }
    EXPECT_GT(batched, 50);
    EXPECT_GE(batches.size(), batched / kLanes);
    EXPECT_GE(2 * full, batches.size()) << "most have rows in all lanes";
  }
}

struct Groups {
  std::vector<std::pair<int, int>> of_row;
  Delassus W;
};

// Rows between such groups, all rigid.
Groups rows_between(int groups, std::vector<std::pair<int, int>> of_row) {
  Random random(5);
  Groups result{std::move(of_row), {}};
  result.W.clear(0.01, std::vector<int>(groups, kRigidSize));
  for (const auto& [first, second] : result.of_row) {
    double* G = result.W.add_row(first, second);
    for (int k = 0; k < (second < 0 ? 1 : 2) * 3 * kRigidSize; k++) G[k] = random.uniform(-1, 1);
  }
  result.W.finish(DelassusForm::factored);
  return result;
}

// Of neighbours in a long row of groups, with some between far ones.
Groups long_row(int groups) {
  Random random(6);
  std::vector<std::pair<int, int>> of_row;
  for (int row = 0; row < 4 * groups; row++) {
    const int g = row % (groups - 1);
    const int other = row % 97 == 0 ? random.integer(0, groups - 1) : g + 1;
    of_row.emplace_back(g, other == g ? -1 : other);
  }
  return rows_between(groups, of_row);
}

TEST(RowBatches, ManyRowsAreInBlocksThatShareNoGroup) {
  constexpr int kGroups = 1100;
  const Groups p = long_row(kGroups);
  const RowBatches& batches = p.W.sweep_batches();
  const int rows = p.W.rows();
  const std::vector<Position> at = positions(rows, batches);
  ASSERT_EQ(batches.turns()[1], 4) << "blocks of 1000 rows or more";
  int outside = 0;
  for (const Position& position : at) outside += position.turn > 0;
  EXPECT_GT(outside, 20);
  EXPECT_LT(outside, rows / 20) << "blocks are of groups that are near each other";
  std::vector<std::vector<int>> rows_of(kGroups);
  for (int row = 0; row < rows; row++)
    for (const int g : {p.of_row[row].first, p.of_row[row].second}) {
      if (g < 0) continue;
      for (const int before : rows_of[g]) {
        EXPECT_NE(at[row].run, at[before].run);
        if (at[row].turn != at[before].turn) continue;
        EXPECT_EQ(at[row].part, at[before].part) << "parts of a turn share no group";
        EXPECT_LT(at[before].run, at[row].run);
      }
      rows_of[g].push_back(row);
    }
  // Products with sums over rows in this order, and in the global one.
  std::vector<Vec3> R, product(rows), exact(rows);
  Random random(7);
  for (int row = 0; row < rows; row++) R.push_back(random.in_box(1));
  p.W.multiply(R, product);
  long_row(kGroups).W.multiply(R, exact);
  for (int row = 0; row < rows; row++) EXPECT_NEAR((product[row] - exact[row]).norm(), 0, 1e-13);
}

// More rows than colours on a group that both blocks share.
TEST(RowBatches, RowsOfAGroupOfManyFollowEachOther) {
  constexpr int kGroups = 2500;
  std::vector<std::pair<int, int>> of_row;
  for (int g = 1; g < kGroups; g++) of_row.emplace_back(0, g);
  const Groups p = rows_between(kGroups, of_row);
  const RowBatches& batches = p.W.sweep_batches();
  EXPECT_EQ(batches.turns()[1], 2);
  std::vector<int> runs;
  for (const Position& position : positions(p.W.rows(), batches)) runs.push_back(position.run);
  std::ranges::sort(runs);
  EXPECT_EQ(std::ranges::unique(runs).begin(), runs.end());
  EXPECT_EQ(batches.size(), 0) << "one by one";
}

// Products and sums of lanes are fused by optimising compilers only.
bool lanes_are_fused() {
  Random random(1);
  for (int k = 0; k < 100; k++) {
    const double a = random.uniform(1, 2), b = random.uniform(1, 2), c = random.uniform(-1, 1);
    const Lanes x = gather([&](int) { return a; }), y = gather([&](int) { return b; });
    Lanes sum = gather([&](int) { return c; });
    sum += x * y;
    if (sum[0] != multiply_add(a, b, c)) return false;
  }
  return true;
}

TEST(RowBatches, ProductsAreThoseOfSingleRowsToTheLastBit) {
  if (!lanes_are_fused()) GTEST_SKIP() << "compiled without optimisation";
  Random random(2);
  for (int seed = 1; seed <= 10; seed++) {
    const LocalProblem p = many_rows(seed);
    const Delassus& W = p.dynamics.W;
    std::vector<Vec3> R, batched(kRows), single(kRows);
    for (int row = 0; row < kRows; row++) R.push_back(random.in_box(1));
    ASSERT_GT(W.batches().size(), 0);
    W.multiply(R, batched);
    const std::vector<Vec3> zero(kRows, Vec3::Zero());
    W.iterate(zero, [&](auto& form) {
      for (int row = 0; row < kRows; row++) form.change(row, R[row]);
      for (int row = 0; row < kRows; row++) single[row] = form.row_times(row);
    });
    for (int row = 0; row < kRows; row++) EXPECT_EQ(batched[row], single[row]) << row;
  }
}

// Rows of balls and others between the same groups: each kind has batches of its own, but for one
// in a run, and products are those with the blocks.
TEST(RowBatches, RowsOfBallsHaveBlocksOfTheirOwn) {
  Random random(7);
  Groups groups = rows_between(1, {});
  Delassus& W = groups.W;
  W.clear(0.01, std::vector<int>(60, kRigidSize));
  std::vector<std::uint8_t> is_ball;
  for (int row = 0; row < kRows; row++) {
    const int first = random.integer(0, 59);
    const int second = row % 7 == 0 ? -1 : (first + random.integer(1, 59)) % 60;
    const int ends = second < 0 ? 1 : 2;
    double* G = W.add_row(first, second);
    is_ball.push_back(random.integer(0, 2) > 0);
    if (is_ball.back())
      testing::write_ball_blocks(random, ends, G);
    else
      for (int k = 0; k < ends * 3 * kRigidSize; k++) G[k] = random.uniform(-1, 1);
  }
  W.finish(DelassusForm::factored);
  const RowBatches& batches = W.sweep_batches();
  EXPECT_EQ(W.batches().count<BallBlocks>(), 0) << "products have the same bits on any ranks";
  ASSERT_GT(batches.count<BallBlocks>(), kRows / kLanes / 3);
  for (const RowBatches::Run& run : batches.runs()) {
    int mixed = 0;
    for (int k = run.batch; k < run.batch_end; k++) {
      const std::span<const int> rows = batches.batch(k).rows();
      const auto balls = std::ranges::count_if(rows, [&](int row) { return is_ball[row] != 0; });
      mixed += balls > 0 && balls < static_cast<int>(rows.size());
      batches.visit(k, [&]<class Blocks>(const RowBatch<Blocks>&) {
        EXPECT_EQ((std::is_same_v<Blocks, BallBlocks>), balls == static_cast<int>(rows.size()));
      });
    }
    EXPECT_LE(mixed, 1);
  }
  std::vector<Vec3> R, product(kRows);
  for (int row = 0; row < kRows; row++) R.push_back(random.in_box(1));
  W.multiply(R, product);
  for (int row = 0; row < kRows; row++) {
    Vec3 sum = Vec3::Zero();
    for (int column = 0; column < kRows; column++) sum += W.block(row, column) * R[column];
    EXPECT_NEAR((product[row] - sum).norm(), 0, 1e-13) << row;
  }
}

TEST(RowBatches, AChainOfRowsIsNotBatched) {
  Random random(3);
  LocalProblem p = testing::start_problem(std::vector<int>(21, kRigidSize), 20, 0.01);
  for (int row = 0; row < 20; row++) testing::add_random_row(p, random, row, row + 1);
  testing::finish_problem(p, DelassusForm::factored);
  EXPECT_EQ(p.dynamics.W.batches().size(), 0);
  std::vector<Vec3> R(20, Vec3(1, 2, 3)), product(20);
  p.dynamics.W.multiply(R, product);
  EXPECT_NEAR((testing::flat(product) - p.W * testing::flat(R)).norm(), 0, 1e-12);
}

TEST(RowBatches, DeformableGroupsAreNotBatched) {
  const LocalProblem p = [] {
    Random random(4);
    LocalProblem rows = testing::start_problem(std::vector<int>(40, 12), 20, 0.01);
    for (int row = 0; row < 20; row++) testing::add_random_row(rows, random, 2 * row, 2 * row + 1);
    testing::finish_problem(rows, DelassusForm::factored);
    return rows;
  }();
  EXPECT_EQ(p.dynamics.W.batches().size(), 0);
}

}  // namespace
}  // namespace solfec::row_batches_test
