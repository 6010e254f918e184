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

  LocalProblem problem;
  std::vector<Mat3> X, Y;
  Eigen::MatrixXd A;
  std::vector<Vec3> b;
};

TEST(RowFactor, SolvesAsDenseMatricesDo) {
  RowFactor factor;
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored})
    for (int seed = 1; seed <= 10; seed++) {
      const Case c(seed, form);
      factor.set_matrix(c.problem.dynamics.W, c.X, c.Y);
      ASSERT_TRUE(factor.factorise()) << seed;
      std::vector<Vec3> x;
      factor.solve(c.b, x);
      EXPECT_LT((c.A * flat(x) - flat(c.b)).norm(), 1e-9 * flat(x).norm()) << seed;
    }
}

TEST(RowFactor, KnowsItsWorkBeforehand) {
  Case c(1, DelassusForm::assembled);
  RowFactor factor;
  factor.set_matrix(c.problem.dynamics.W, c.X, c.Y);
  const double all = factor.operations();
  EXPECT_GT(all, 0);
  for (Mat3& X : c.X) X.setZero();
  factor.set_matrix(c.problem.dynamics.W, c.X, c.Y);
  EXPECT_LT(factor.operations(), 0.5 * all);
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
