// Sparse factors of Newton's matrices against dense ones.
#include "solver/row_factor.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::row_factor_test {
namespace {

using testing::flat;
using testing::LocalProblem;

// X W + Y of random blocks; every third row has X = 0, as open contacts have.
struct Case {
  Case(int seed, DelassusForm form) : problem(testing::closing_contacts(seed, 8, 12, form)) {
    testing::Random random(seed);
    A = Eigen::MatrixXd::Zero(36, 36);
    for (int row = 0; row < 12; row++) {
      X.push_back(row % 3 == 0 ? Mat3(Mat3::Zero()) : random.rotation());
      Y.push_back(random.uniform(0.1, 1) * random.rotation());
      A.middleRows<3>(3 * row) = X[row] * problem.W.middleRows<3>(3 * row);
      A.block<3, 3>(3 * row, 3 * row) += Y[row];
      b.push_back(random.in_box(1));
    }
  }

  // With W by its blocks, so that there are no bodies.
  Delassus blocks() const {
    BlockRows rows;
    rows.begin.push_back(0);
    for (int row = 0; row < 12; row++) {
      for (int column = 0; column < 12; column++) {
        rows.column.push_back(column);
        rows.value.push_back(problem.W.block<3, 3>(3 * row, 3 * column));
      }
      rows.begin.push_back(rows.column.size());
    }
    Delassus W;
    W.set_blocks(1, std::move(rows));
    return W;
  }

  LocalProblem problem;
  std::vector<Mat3> X, Y;
  Eigen::MatrixXd A;
  std::vector<Vec3> b;
};

TEST(RowFactor, SolvesAsDenseMatricesDo) {
  RowFactor factor;
  for (int seed = 1; seed <= 10; seed++) {
    const Case c(seed, seed % 2 == 0 ? DelassusForm::assembled : DelassusForm::factored);
    const Delassus blocks = c.blocks();
    EXPECT_FALSE(RowFactor::takes_blocks(c.problem.dynamics.W));
    EXPECT_TRUE(RowFactor::takes_blocks(blocks));
    for (const Delassus* W : {&c.problem.dynamics.W, &blocks}) {
      factor.set_matrix(*W, c.X, c.Y);
      ASSERT_TRUE(factor.factorise()) << seed;
      std::vector<Vec3> x;
      factor.solve(c.b, x);
      EXPECT_LT((c.A * flat(x) - flat(c.b)).norm(), 1e-9 * flat(x).norm()) << seed;
    }
  }
}

TEST(RowFactor, TakesBlocksOfLargeBodies) {
  testing::LocalProblem p = testing::start_problem({6, 15}, 2, 0.01);
  testing::Random random(1);
  for (int row = 0; row < 2; row++) testing::add_random_row(p, random, 0, row == 0 ? -1 : 1);
  testing::finish_problem(p, DelassusForm::automatic);
  EXPECT_TRUE(RowFactor::takes_blocks(p.dynamics.W));
}

// Contacts that stick have almost no Y: pivots stay on the diagonal, and rounding is bounded.
TEST(RowFactor, TakesRowsThatStick) {
  Case c(3, DelassusForm::factored);
  for (int row = 0; row < 12; row++) {
    c.A.block<3, 3>(3 * row, 3 * row) -= c.Y[row];
    c.Y[row] *= row % 2 == 0 ? 1e-9 : 1;
    c.A.block<3, 3>(3 * row, 3 * row) += c.Y[row];
    c.X[row].setIdentity();
    c.A.middleRows<3>(3 * row) = c.problem.W.middleRows<3>(3 * row);
    c.A.block<3, 3>(3 * row, 3 * row) += c.Y[row];
  }
  RowFactor factor;
  factor.set_matrix(c.problem.dynamics.W, c.X, c.Y);
  ASSERT_TRUE(factor.factorise());
  std::vector<Vec3> x;
  factor.solve(c.b, x);
  EXPECT_LT((c.A * flat(x) - flat(c.b)).norm(), 1e-5 * flat(c.b).norm());
}

// A second matrix of the same pattern asks for other pivots than the first one.
TEST(RowFactor, KeepsPivotsUntilTheyAreRenewed) {
  Case c(3, DelassusForm::factored);
  const Delassus& W = c.problem.dynamics.W;
  std::vector<Mat3> small_Y;
  for (int row = 0; row < 12; row++) {
    c.X[row].setIdentity();
    small_Y.push_back(1e-14 * c.Y[row]);
    c.A.middleRows<3>(3 * row) = c.problem.W.middleRows<3>(3 * row);
    c.A.block<3, 3>(3 * row, 3 * row) += small_Y[row];
  }
  std::vector<Vec3> x, fresh_x;
  const auto missed = [&](RowFactor& factor, std::vector<Vec3>& x) {
    factor.set_matrix(W, c.X, small_Y);
    EXPECT_TRUE(factor.factorise());
    factor.solve(c.b, x);
    return (c.A * flat(x) - flat(c.b)).norm() / flat(c.b).norm();
  };
  RowFactor factor, fresh;
  const double fresh_missed = missed(fresh, fresh_x);
  factor.set_matrix(W, c.X, c.Y);
  ASSERT_TRUE(factor.factorise());
  EXPECT_GT(missed(factor, x), 100 * fresh_missed);
  factor.renew_pivots();
  missed(factor, x);
  EXPECT_EQ(flat(x), flat(fresh_x));
  small_Y[5](0, 0) = std::numeric_limits<double>::quiet_NaN();
  factor.set_matrix(W, c.X, small_Y);
  EXPECT_FALSE(factor.factorise());
}

TEST(RowFactor, KnowsItsWorkBeforehand) {
  Case c(1, DelassusForm::assembled);
  const Delassus W = c.blocks();
  RowFactor factor;
  factor.set_matrix(W, c.X, c.Y);
  const double all = factor.operations();
  factor.set_matrix(c.problem.dynamics.W, c.X, c.Y);
  const double with_bodies = factor.operations();
  EXPECT_GT(all, 0);
  for (Mat3& X : c.X) X.setZero();
  factor.set_matrix(W, c.X, c.Y);
  EXPECT_LT(factor.operations(), 0.5 * all);
  factor.set_matrix(c.problem.dynamics.W, c.X, c.Y);
  EXPECT_LT(factor.operations(), 0.7 * with_bodies);
}

TEST(RowFactor, SaysThatAMatrixIsSingular) {
  Case c(2, DelassusForm::assembled);
  c.X[0] = c.Y[0] = Mat3::Zero();
  RowFactor factor;
  factor.set_matrix(c.problem.dynamics.W, c.X, c.Y);
  EXPECT_FALSE(factor.factorise());
  factor.set_matrix(c.problem.dynamics.W, c.Y, c.Y);  // it can be used again
  EXPECT_FALSE(factor.factorise());
  c.Y[0].setIdentity();
  factor.set_matrix(c.problem.dynamics.W, c.X, c.Y);
  EXPECT_TRUE(factor.factorise());
}

TEST(RowFactor, NoRowsAreNoProblem) {
  LocalDynamics empty;
  const int sizes[] = {6};
  empty.clear(0.01, sizes);
  empty.W.finish(DelassusForm::automatic);
  RowFactor factor;
  factor.set_matrix(empty.W, {}, {});
  EXPECT_TRUE(factor.factorise());
  EXPECT_EQ(factor.operations(), 0);
  std::vector<Vec3> x(3);
  factor.solve({}, x);
  EXPECT_TRUE(x.empty());
}

}  // namespace
}  // namespace solfec::row_factor_test
