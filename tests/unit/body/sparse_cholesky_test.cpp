// Sparse factors against Eigen's dense ones, where L is sparse and where it is made of blocks.
#include "body/sparse_cholesky.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>

#include "support/random_solids.hpp"

namespace solfec::sparse_cholesky_test {
namespace {

using testing::Random;
using Dense = Eigen::MatrixXd;

// Three unknowns at each point of a grid of n^3, bound to those next to them: as of hexahedra.
SparseCholesky::Matrix grid(Random& random, int n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int p = 0; p < n * n * n; p++)
    for (int q = 0; q <= p; q++) {
      const int i = p % n, j = p / n % n, k = p / n / n;
      const int di = q % n - i, dj = q / n % n - j, dk = q / n / n - k;
      if (std::max({std::abs(di), std::abs(dj), std::abs(dk)}) > 1) continue;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < (p == q ? a + 1 : 3); b++)
          entries.emplace_back(3 * p + a, 3 * q + b, p == q && a == b ? 60 : random.uniform(-1, 1));
    }
  SparseCholesky::Matrix A(3 * n * n * n, 3 * n * n * n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

Dense whole(const SparseCholesky::Matrix& A) { return Dense(A).selfadjointView<Eigen::Lower>(); }

TEST(SparseCholesky, SolvesAsDenseOnesDo) {
  Random random(1);
  for (int n : {1, 3, 8}) {
    SparseCholesky cholesky;
    SparseCholesky::Matrix A = grid(random, n);
    cholesky.analyse(A);
    for (int repeat = 0; repeat < 3; repeat++) {  // values change, the pattern does not
      A.coeffs() *= 1.5;
      ASSERT_TRUE(cholesky.factor(A));
      Eigen::VectorXd b(A.rows());
      for (double& value : b) value = random.uniform(-1, 1);
      const Eigen::VectorXd exact = whole(A).llt().solve(b);
      cholesky.solve({b.data(), static_cast<std::size_t>(b.size())});
      EXPECT_LT((b - exact).norm(), 1e-12 * exact.norm());
    }
  }
}

// Columns of single rows and of rows that are coupled, some of them twice.
TEST(SparseCholesky, InverseBetweenFewColumns) {
  Random random(4);
  const int n = 8;
  SparseCholesky cholesky;
  const SparseCholesky::Matrix A = grid(random, n);
  cholesky.analyse(A);
  ASSERT_TRUE(cholesky.factor(A));
  ASSERT_TRUE(cholesky.in_blocks());
  const Dense exact = whole(A).llt().solve(Dense::Identity(A.rows(), A.rows()));
  for (int count : {1, 7, 200}) {
    std::vector<SparseCholesky::FewEntries> columns;
    Dense E = Dense::Zero(A.rows(), count);
    for (int c = 0; c < count; c++) {
      auto& column = columns.emplace_back();
      const auto corner = [&] { return static_cast<int>(random.uniform(0, n - 1.01)); };
      const int i = corner(), j = corner(), k = corner();
      for (int node = 0; node < (c % 3 == 0 ? 1 : 8); node++) {
        const int point = i + (node & 1) + n * (j + (node >> 1 & 1) + n * (k + (node >> 2)));
        column.push_back({3 * point + c % 3, random.uniform(-1, 1)});
        E(column.back().row, c) = column.back().value;
      }
    }
    Dense B(A.rows(), 3), right(A.rows(), 3);
    SparseCholesky::Columns placed(A.rows(), 3), product(count, 3);
    for (int k = 0; k < A.rows(); k++)
      for (int c = 0; c < 3; c++) B(k, c) = random.uniform(-1, 1);
    for (int k = 0; k < A.rows(); k++) placed.row(cholesky.place(k)) = B.row(k);
    const Dense C = cholesky.inverse_between(columns, &placed, &product);
    const Dense expected = E.transpose() * exact * E;
    EXPECT_LT((C - expected).norm(), 1e-12 * expected.norm());
    // L^-T B from its columns.
    for (int c = 0; c < 3; c++) {
      Eigen::VectorXd x = placed.col(c);
      cholesky.solve_upper({x.data(), static_cast<std::size_t>(x.size())});
      for (int k = 0; k < A.rows(); k++) right(k, c) = x[cholesky.place(k)];
    }
    EXPECT_LT((product - E.transpose() * right).norm(), 1e-12 * right.norm());
  }
}

// With Y = L^-1 P B:  Y^T Y = B^T A^-1 B.
TEST(SparseCholesky, HalvesOfSolutionsMakeThem) {
  Random random(2);
  for (int n : {3, 8}) {
    const SparseCholesky::Matrix A = grid(random, n);
    SparseCholesky cholesky;
    cholesky.analyse(A);
    ASSERT_TRUE(cholesky.factor(A));
    SparseCholesky::Columns B(A.rows(), 3), Y(A.rows(), 3);
    for (int i = 0; i < A.rows(); i++)
      for (int c = 0; c < 3; c++)
        Y(cholesky.place(i), c) = B(i, c) = i % 7 == 0 ? random.uniform(-1, 1) : 0;
    const Mat3 exact = B.transpose() * whole(A).llt().solve(Dense(B));
    cholesky.solve_lower(Y);
    EXPECT_LT((Y.transpose() * Y - exact).norm(), 1e-12 * exact.norm());
  }
}

TEST(SparseCholesky, TellsWhatHasNoFactor) {
  Random random(3);
  for (int n : {2, 8}) {
    const SparseCholesky::Matrix A = grid(random, n);
    SparseCholesky cholesky;
    cholesky.analyse(A);
    for (double wrong : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
      SparseCholesky::Matrix B = A;
      B.coeffRef(5, 5) = wrong;
      EXPECT_FALSE(cholesky.factor(B));
      EXPECT_TRUE(cholesky.factor(A));
    }
  }
}

TEST(SparseCholesky, EntriesAreFewWhereTheMatrixIsSparse) {
  Random random(4);
  SparseCholesky cholesky;
  const SparseCholesky::Matrix A = grid(random, 8);
  cholesky.analyse(A);
  ASSERT_TRUE(cholesky.factor(A));
  EXPECT_GE(cholesky.entries(), static_cast<std::size_t>(A.nonZeros()));
  EXPECT_LT(cholesky.entries(), static_cast<std::size_t>(A.rows() * A.rows() / 3));
}

// Threads outlive the call that starts them.
TEST(SparseCholesky, RunsOnOneThread) {
  Random random(4);
  const SparseCholesky::Matrix A = grid(random, 8);
  SparseCholesky cholesky;
  cholesky.analyse(A);
  ASSERT_TRUE(cholesky.factor(A));
  Eigen::VectorXd b = Eigen::VectorXd::Ones(A.rows());
  cholesky.solve({b.data(), static_cast<std::size_t>(b.size())});
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  EXPECT_EQ(std::distance(begin(tasks), end(tasks)), 1);
}

}  // namespace
}  // namespace solfec::sparse_cholesky_test
