// Batches of rows: what may stand in one, in which order, and that products are those of single
// rows to the last bit.
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

TEST(RowBatches, KeepTheOrderOfRowsThatShareAGroup) {
  Random random(1);
  for (int seed = 1; seed <= 10; seed++) {
    const LocalProblem p = many_rows(seed);
    const std::vector<int> rows = shuffled_rows(random);
    RowBatches batches;
    p.dynamics.W.plan(rows, batches);
    ASSERT_FALSE(batches.empty());
    std::vector<int> turn_of(kRows, -1);
    int turns = 0;
    for (const RowBatches::Turn& turn : batches.turns()) {
      if (turn.batch < 0) {
        EXPECT_EQ(turn_of[turn.row], -1);
        turn_of[turn.row] = turns++;
        continue;
      }
      const RowBatch& batch = batches.batch(turn.batch);
      EXPECT_GT(batch.count, 0);
      for (int lane = 0; lane < kLanes; lane++) {
        const int row = batch.row[lane];
        EXPECT_EQ(row < 0, lane >= batch.count);
        if (row < 0) continue;
        EXPECT_EQ(turn_of[row], -1);
        turn_of[row] = turns;
        for (int g : {p.groups[row].first, p.groups[row].second})
          EXPECT_TRUE(g < 0 || p.sizes[g] == 0 || p.sizes[g] == kRigidSize);
      }
      turns++;
    }
    for (int i = 0; i < kRows; i++) {
      ASSERT_GE(turn_of[rows[i]], 0) << "every row has a turn";
      for (int j = 0; j < i; j++)
        if (share_a_group(p, rows[i], rows[j])) {
          EXPECT_LT(turn_of[rows[j]], turn_of[rows[i]]);
        }
    }
    int batched = 0, full = 0;
    for (int k = 0; k < batches.size(); k++) {
      batched += batches.batch(k).count;
      full += batches.batch(k).count == kLanes;
    }
    EXPECT_GT(batched, 50);
    EXPECT_GE(batches.size(), batched / kLanes);
    EXPECT_GE(2 * full, batches.size()) << "most have rows in all lanes";
  }
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
    ASSERT_FALSE(W.batches().empty());
    W.multiply(R, batched);
    const std::vector<Vec3> zero(kRows, Vec3::Zero());
    W.iterate(zero, [&](auto& form) {
      for (int row = 0; row < kRows; row++) form.change(row, R[row]);
      for (int row = 0; row < kRows; row++) single[row] = form.row_times(row);
    });
    for (int row = 0; row < kRows; row++) EXPECT_EQ(batched[row], single[row]) << row;
  }
}

TEST(RowBatches, AChainOfRowsIsNotBatched) {
  Random random(3);
  LocalProblem p = testing::start_problem(std::vector<int>(21, kRigidSize), 20, 0.01);
  for (int row = 0; row < 20; row++) testing::add_random_row(p, random, row, row + 1);
  testing::finish_problem(p, DelassusForm::factored);
  EXPECT_TRUE(p.dynamics.W.batches().empty());
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
  EXPECT_TRUE(p.dynamics.W.batches().empty());
}

}  // namespace
}  // namespace solfec::row_batches_test
