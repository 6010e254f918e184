// Linear sweeps of Gauss-Seidel against dense matrices.
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

// The diagonal blocks, and those below and above them in that order.
struct Splitting {
  Eigen::MatrixXd D, L, U;

  Splitting(const Linearised& l, const std::vector<int>& order)
      : D(Eigen::MatrixXd::Zero(l.A.rows(), l.A.cols())), L(D), U(D) {
    for (std::size_t i = 0; i < order.size(); i++)
      for (std::size_t j = 0; j < order.size(); j++)
        (i == j  ? D
         : j < i ? L
                 : U)
            .block<3, 3>(3 * order[i], 3 * order[j]) = l.A.block<3, 3>(3 * order[i], 3 * order[j]);
  }
};

void expect_sweeps(const testing::LocalProblem& p, std::uint64_t seed) {
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  testing::Random random(seed);
  LinearSweep sweep;
  sweep.plan(p.dynamics, alone);
  const std::vector<int> order = order_of(p.dynamics.W.sweep_batches());
  ASSERT_EQ(static_cast<int>(order.size()), p.dynamics.rows());
  for (int repeat = 0; repeat < 2; repeat++) {  // work spaces are those of the call before
    const Linearised l(p, random);
    const Splitting s(l, order);
    sweep.take(l.rows, l.inverse);
    RowVector v, x(order.size()), product(order.size());
    for (std::size_t row = 0; row < order.size(); row++) v.push_back(random.in_box(1));
    sweep.solve_and_multiply(p.dynamics, channel, v, x, product);
    const Eigen::VectorXd expected = (s.D + s.U).partialPivLu().solve(s.D * flat(v));
    EXPECT_LT((flat(x) - expected).norm(), 1e-12 * expected.norm());
    const auto left = (s.D + s.L).partialPivLu();
    const Eigen::VectorXd expected_product = left.solve(l.A * expected);
    EXPECT_LT((flat(product) - expected_product).norm(), 1e-12 * expected_product.norm());
    const Eigen::VectorXd solved = left.solve(flat(v));
    sweep.solve_left(p.dynamics, v);
    EXPECT_LT((flat(v) - solved).norm(), 1e-12 * solved.norm());
  }
}

// Some rows stand in batches, those of larger groups for themselves.
TEST(LinearSweep, IsSubstitutionBackAndForth) {
  for (int seed = 1; seed <= 5; seed++)
    expect_sweeps(testing::random_problem(seed, 12, 20, 0.01, DelassusForm::factored), seed);
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
    expect_sweeps(p, seed);
    EXPECT_GT(p.dynamics.W.sweep_batches().size(), 0);
  }
}

}  // namespace
}  // namespace solfec::linear_sweep_test
