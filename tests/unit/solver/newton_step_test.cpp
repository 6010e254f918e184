// A step of Newton's method against a dense solution.
#include "solver/newton_step.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::newton_step_test {
namespace {

TEST(NewtonStep, IsThatOfDenseMatrices) {
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  NewtonStep step;
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored})
    for (int seed = 0; seed < 5; seed++) {
      const testing::LocalProblem p = testing::closing_contacts(seed, 6, 8, form);
      const int rows = p.dynamics.rows();
      testing::Random random(seed);
      step.rows.resize(p.dynamics);
      Eigen::MatrixXd A = p.W;
      for (int row = 0; row < rows; row++) {
        for (int k = 0; k < 9; k++) {
          step.rows.X[row](k) = random.uniform(-1, 1);
          step.rows.Y[row](k) = random.uniform(-1, 1);
        }
        step.rows.C[row] = random.in_box(1);
        A.middleRows<3>(3 * row) = (step.rows.X[row] * A.middleRows<3>(3 * row)).eval();
        A.block<3, 3>(3 * row, 3 * row) += step.rows.Y[row];
      }
      ASSERT_TRUE(step.compute(p.dynamics, channel, alone, 1e-12));
      const Eigen::VectorXd expected = A.fullPivLu().solve(testing::flat(step.rows.C));
      EXPECT_LT((testing::flat(step.dR) - expected).norm(), 1e-8 * (1 + expected.norm()));
      EXPECT_GT(step.operations(p.dynamics), 0);
    }
}

TEST(NewtonStep, TellsThatThereIsNone) {
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  const testing::LocalProblem p = testing::closing_contacts(1, 6, 8);
  NewtonStep step;
  step.rows.resize(p.dynamics);
  for (int row = 0; row < p.dynamics.rows(); row++) {
    step.rows.X[row].setZero();
    step.rows.Y[row] = row == 3 ? Mat3(Vec3(1, 0, 1).asDiagonal()) : Mat3::Identity();
    step.rows.C[row] = Vec3::Ones();
  }
  EXPECT_FALSE(step.compute(p.dynamics, channel, alone, 1e-12));
}

}  // namespace
}  // namespace solfec::newton_step_test
