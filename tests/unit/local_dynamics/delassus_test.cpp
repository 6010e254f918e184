// Both forms of W against the dense matrix h G G^T.
#include "local_dynamics/delassus.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/local_problem.hpp"

namespace solfec::delassus_test {
namespace {

using testing::Random;

constexpr DelassusForm kForms[] = {DelassusForm::assembled, DelassusForm::factored,
                                   DelassusForm::automatic};

std::vector<Vec3> random_rows(Random& random, int rows) {
  std::vector<Vec3> x;
  for (int k = 0; k < rows; k++) x.push_back(random.in_box(1));
  return x;
}

// As many groups as sizes, with rows between all pairs of them, and more.
testing::LocalProblem problem_of_sizes(const std::vector<int>& sizes, DelassusForm form) {
  Random random(7);
  auto p = testing::start_problem(sizes, 20, 0.01);
  const int groups = static_cast<int>(sizes.size());
  for (int row = 0; row < 20; row++) {
    const int first = row % groups;
    testing::add_random_row(p, random, first, (first + 1 + row / groups) % groups);
  }
  testing::finish_problem(p, form);
  return p;
}

TEST(Delassus, IsTheDenseMatrixInEveryForm) {
  Random random(1);
  for (DelassusForm form : kForms)
    for (int seed = 0; seed <= 10; seed++) {
      // Deformable bodies: 12 in the parts of sums, and remainders of all kinds.
      auto p = seed == 0 ? problem_of_sizes({12, 24, 33, 6, 81}, form)
                         : testing::random_problem(seed, 5, 20, 0.01, form);
      Delassus& W = p.dynamics.W;
      ASSERT_EQ(W.rows(), 20);
      EXPECT_EQ(W.step(), 0.01);
      if (form != DelassusForm::automatic) {
        EXPECT_EQ(W.assembled(), form == DelassusForm::assembled);
      }
      for (int a = 0; a < 20; a++) {
        EXPECT_NEAR((W.diagonal(a) * W.diagonal_inverse(a) - Mat3::Identity()).norm(), 0, 1e-9);
        for (int b = 0; b < 20; b++) {
          const Mat3 exact = p.W.block<3, 3>(3 * a, 3 * b);
          EXPECT_NEAR((W.block(a, b) - exact).norm(), 0, 1e-16 + 1e-15 * exact.norm());
          EXPECT_EQ(W.block(a, b), Mat3(W.block(b, a).transpose())) << "symmetric to the last bit";
        }
        EXPECT_EQ(W.diagonal(a), W.block(a, a));
      }
      const std::vector<Vec3> x = random_rows(random, 20);
      std::vector<Vec3> product(20);
      W.multiply(x, product);
      EXPECT_NEAR((testing::flat(product) - p.W * testing::flat(x)).norm(), 0, 1e-14);
      EXPECT_GE(testing::flat(x).dot(testing::flat(product)), 0) << "positive semidefinite";
    }
}

TEST(Delassus, RowsFollowChangesOfTheReactions) {
  Random random(2);
  for (DelassusForm form : kForms) {
    auto p = testing::random_problem(3, 6, 30, 0.5, form);
    std::vector<Vec3> R = random_rows(random, 30);
    p.dynamics.W.iterate(R, [&](auto& iteration) {
      for (int k = 0; k < 500; k++) {
        const int row = random.integer(0, 29);
        const Vec3 exact = p.W.middleRows<3>(3 * row) * testing::flat(R);
        ASSERT_NEAR((iteration.row_times(row) - exact).norm(), 0, 1e-12);
        const Vec3 change = random.in_box(1);
        iteration.change(row, change);
        R[row] += change;
      }
    });
  }
}

TEST(Delassus, BothFormsHaveTheSameBlocks) {
  for (int seed = 1; seed <= 5; seed++) {
    const auto a = testing::random_problem(seed, 5, 20, 0.01, DelassusForm::assembled);
    const auto f = testing::random_problem(seed, 5, 20, 0.01, DelassusForm::factored);
    for (int row = 0; row < 20; row++)
      for (int column = 0; column < 20; column++)
        EXPECT_EQ(a.dynamics.W.block(row, column), f.dynamics.W.block(row, column));
  }
}

TEST(Delassus, VisitsTheBlocksOfARow) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored}) {
    const Delassus W = testing::random_problem(3, 5, 20, 0.01, form).dynamics.W;
    EXPECT_GT(W.product_operations(), 0);
    EXPECT_EQ(W.block_operations() > W.product_operations(), form == DelassusForm::factored);
    for (int row = 0; row < 20; row++) {
      std::vector<int> columns;
      W.visit_blocks(row, [&](int column, const Mat3& block) {
        EXPECT_EQ(block, W.block(row, column));
        columns.push_back(column);
      });
      EXPECT_EQ(columns, W.neighbours(row));
    }
  }
}

TEST(Delassus, NeighboursShareAGroupThatMoves) {
  const auto p = testing::random_problem(4, 12, 25, 1, DelassusForm::assembled);
  for (int a = 0; a < 25; a++) {
    std::set<int> expected = {a};
    for (int b = 0; b < 25; b++)
      for (int g : {p.groups[a].first, p.groups[a].second})
        if (g >= 0 && (g == p.groups[b].first || g == p.groups[b].second)) expected.insert(b);
    const std::vector<int> found = p.dynamics.W.neighbours(a);
    EXPECT_EQ(found, std::vector<int>(expected.begin(), expected.end()));
    for (int b = 0; b < 25; b++)
      if (!expected.contains(b)) {
        EXPECT_EQ(p.dynamics.W.block(a, b), Mat3::Zero());
      }
  }
}

// n rows between one floor and a body of their own each.
void fill(Delassus& W, int rows, bool floor_moves) {
  std::vector<int> sizes(rows + 1, 6);
  if (!floor_moves) sizes[0] = 0;
  W.clear(1, sizes);
  for (int row = 0; row < rows; row++)
    std::fill_n(W.add_row(row + 1, 0), floor_moves ? 36 : 18, 0.1 * row + 1);
  W.finish(DelassusForm::automatic);
}

TEST(Delassus, ManyRowsOnOneGroupAreNotAssembled) {
  Delassus W;
  fill(W, 1, true);
  EXPECT_TRUE(W.assembled());
  fill(W, 1000, true);
  EXPECT_FALSE(W.assembled());
  fill(W, 1000, false);
  EXPECT_TRUE(W.assembled()) << "an obstacle couples nothing";
}

TEST(Delassus, CanBeUsedAgain) {
  Delassus W;
  for (int rows : {50, 3, 0, 10}) {
    fill(W, rows, true);
    EXPECT_EQ(W.rows(), rows);
    std::vector<Vec3> x(rows, Vec3::Zero()), product(rows);
    W.multiply(x, product);
    for (const Vec3& v : product) EXPECT_EQ(v, Vec3::Zero());
  }
  W.clear(1, {});
  W.finish(DelassusForm::automatic);
  EXPECT_EQ(W.rows(), 0);
}

// The blocks of a problem, with noise that leaves them unsymmetric.
BlockRows noisy_blocks(const Delassus& W, Random& random) {
  BlockRows blocks;
  blocks.begin.push_back(0);
  for (int row = 0; row < W.rows(); row++) {
    for (int column : W.neighbours(row)) {
      blocks.column.push_back(column);
      blocks.value.push_back(W.block(row, column));
      blocks.value.back()(0, 2) += random.uniform(-1e-6, 1e-6);
    }
    blocks.begin.push_back(blocks.column.size());
  }
  return blocks;
}

TEST(Delassus, TakesBlocksAsTheyAre) {
  Random random(3);
  auto p = testing::random_problem(4, 5, 20, 0.01, DelassusForm::factored);
  const BlockRows blocks = noisy_blocks(p.dynamics.W, random);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(60, 60);
  Delassus& W = p.dynamics.W;  // it forgets its groups
  std::vector<std::vector<int>> neighbours;
  for (int row = 0; row < 20; row++) {
    neighbours.push_back(W.neighbours(row));
    for (std::size_t k = blocks.begin[row]; k < blocks.begin[row + 1]; k++)
      dense.block<3, 3>(3 * row, 3 * blocks.column[k]) = blocks.value[k];
  }
  W.set_blocks(0.5, blocks);
  for (DelassusForm form : kForms) {
    W.choose(form);
    EXPECT_TRUE(W.assembled()) << "the only form there is";
    EXPECT_EQ(W.step(), 0.5);
    ASSERT_EQ(W.rows(), 20);
    EXPECT_EQ(W.all_rows(), 20);
    for (int a = 0; a < 20; a++) {
      EXPECT_EQ(W.neighbours(a), neighbours[a]);
      EXPECT_EQ(W.diagonal(a), W.block(a, a));
      for (int b = 0; b < 20; b++) EXPECT_EQ(W.block(a, b), Mat3(dense.block<3, 3>(3 * a, 3 * b)));
    }
    const std::vector<Vec3> x = random_rows(random, 20);
    std::vector<Vec3> product(20);
    W.multiply(x, product);
    EXPECT_NEAR((testing::flat(product) - dense * testing::flat(x)).norm(), 0, 1e-13);
  }
  const int sizes[] = {6};
  W.clear(0.01, sizes);  // and is as ever
  std::fill_n(W.add_row(0, -1), 18, 1.0);
  W.finish(DelassusForm::factored);
  EXPECT_FALSE(W.assembled());
  EXPECT_EQ(W.rows(), 1);
}

TEST(Delassus, InvertsSingularDiagonalBlocks) {
  const Vec3 n = Vec3(1, 2, 2) / 3;
  const Mat3 flat = 5 * (Mat3::Identity() - n * n.transpose());
  const Mat3 good = Vec3(1, 1e-6, 1e3).asDiagonal();
  Delassus W;
  W.set_blocks(1, {{0, 1, 2, 3}, {0, 1, 2}, {flat, Mat3::Zero(), good}});
  EXPECT_TRUE(W.diagonal_inverse(0).allFinite());
  EXPECT_NEAR((flat * W.diagonal_inverse(0) * flat - flat).norm(), 0, 1e-7);
  EXPECT_GT(n.dot(W.diagonal_inverse(0) * n), 1e7) << "large where nothing gives way";
  EXPECT_EQ(W.diagonal_inverse(1), Mat3(Mat3::Zero()));
  EXPECT_EQ(W.diagonal_inverse(2), Mat3(good.inverse()));
}

}  // namespace
}  // namespace solfec::delassus_test
