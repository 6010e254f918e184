// A linear sweep of Gauss-Seidel against dense matrices.
#include "solver/linear_sweep.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::linear_sweep_test {
namespace {

using testing::flat;

// X, Y and inverses of the diagonal blocks of A = X W + Y, at random.
struct Linearised {
  LinearizedRows rows;
  std::vector<Mat3> inverse;
  Eigen::MatrixXd A;

  Linearised(const testing::LocalProblem& p, testing::Random& random) : A(p.W) {
    rows.resize(p.dynamics);
    for (int row = 0; row < p.dynamics.rows(); row++) {
      for (int k = 0; k < 9; k++) {
        rows.X[row](k) = random.uniform(-1, 1);
        rows.Y[row](k) = random.uniform(-1, 1);
      }
      rows.Y[row] += 3 * Mat3::Identity();
      A.middleRows<3>(3 * row) = (rows.X[row] * A.middleRows<3>(3 * row)).eval();
      A.block<3, 3>(3 * row, 3 * row) += rows.Y[row];
      inverse.push_back(A.block<3, 3>(3 * row, 3 * row).inverse());
    }
  }
};

// Rows in the order in which sweeps take them.
std::vector<int> order_of(const RowBatches& batches) {
  std::vector<int> order;
  for (const RowBatches::Run& run : batches.runs()) {
    for (int k = run.batch; k < run.batch_end; k++)
      order.insert(order.end(), batches.batch(k).rows().begin(), batches.batch(k).rows().end());
    order.insert(order.end(), batches.singles(run).begin(), batches.singles(run).end());
  }
  return order;
}

// Forward substitution with the diagonal blocks and those before them.
RowVector forward(const Linearised& l, const std::vector<int>& order, const RowVector& v) {
  RowVector z(v.size(), Vec3::Zero());
  for (const int row : order)
    z[row] = l.inverse[row] * (v[row] - l.A.middleRows<3>(3 * row) * flat(z));
  return z;
}

void expect_sweep(const testing::LocalProblem& p, std::uint64_t seed) {
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  testing::Random random(seed);
  LinearSweep sweep;
  sweep.plan(p.dynamics, alone);
  const std::vector<int> order = order_of(p.dynamics.W.sweep_batches());
  ASSERT_EQ(static_cast<int>(order.size()), p.dynamics.rows());
  for (int repeat = 0; repeat < 2; repeat++) {  // work spaces are those of the call before
    const Linearised l(p, random);
    sweep.take(l.rows, l.inverse);
    RowVector v, z(order.size()), product(order.size());
    for (std::size_t row = 0; row < order.size(); row++) v.push_back(random.in_box(1));
    sweep.solve_and_multiply(p.dynamics, channel, v, z, product);
    const Eigen::VectorXd expected = flat(forward(l, order, v));
    EXPECT_LT((flat(z) - expected).norm(), 1e-12 * expected.norm());
    EXPECT_LT((flat(product) - l.A * expected).norm(), 1e-12 * (l.A * expected).norm());
  }
}

// Some rows stand in batches, those of larger groups for themselves.
TEST(LinearSweep, IsForwardSubstitution) {
  for (int seed = 1; seed <= 5; seed++)
    expect_sweep(testing::random_problem(seed, 12, 20, 0.01, DelassusForm::factored), seed);
}

// Rigid bodies with a few contacts each: most rows stand in batches.
TEST(LinearSweep, TakesBatches) {
  for (int seed = 1; seed <= 5; seed++) {
    testing::Random random(seed);
    constexpr int kGroups = 60, kRows = 90;
    testing::LocalProblem p = testing::start_problem(std::vector<int>(kGroups, 6), kRows, 0.01);
    for (int row = 0; row < kRows; row++) {
      const int first = random.integer(0, kGroups - 1);
      const int second = (first + random.integer(1, kGroups - 1)) % kGroups;
      testing::add_random_row(p, random, first, row % 9 == 0 ? -1 : second);
    }
    testing::finish_problem(p, DelassusForm::factored);
    expect_sweep(p, seed);
    EXPECT_GT(p.dynamics.W.sweep_batches().size(), 0);
  }
}

}  // namespace
}  // namespace solfec::linear_sweep_test
