// A problem by its numbers, as solvers get it.
#include "local_dynamics/contact_problem.hpp"

#include <gtest/gtest.h>

#include "support/random.hpp"

namespace solfec::contact_problem_test {
namespace {

TEST(ContactProblem, IsThatOfItsNumbers) {
  testing::Random random(1);
  ContactProblem given;
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(9, 9);
  given.W.begin = {0, 2, 4, 5};
  given.W.column = {0, 1, 0, 1, 2};
  const int rows[] = {0, 0, 1, 1, 2};
  for (int k = 0; k < 5; k++) {
    Mat3 block;
    for (double& x : block.reshaped()) x = random.uniform(-1, 1);
    given.W.value.push_back(block);
    W.block<3, 3>(3 * rows[k], 3 * given.W.column[k]) = block;
  }
  for (int row = 0; row < 3; row++) {
    given.q.push_back(random.in_box(1));
    given.friction.push_back(random.uniform(0, 1));
  }
  EXPECT_EQ(given.contacts(), 3);
  const LocalDynamics p = local_dynamics_of(given);
  LocalSolution s(p);
  ASSERT_EQ(p.rows(), 3);
  EXPECT_EQ(p.step(), 1);
  Eigen::VectorXd q(9), R(9);
  for (int row = 0; row < 3; row++) {
    EXPECT_EQ(p.law[row].kind, LawKind::signorini_coulomb);
    EXPECT_EQ(p.law[row].friction, given.friction[row]);
    EXPECT_EQ(p.law[row].restitution, 0);
    EXPECT_EQ(p.law[row].cohesion, 0);
    EXPECT_TRUE(p.V[row].isZero(0) && s.R[row].isZero(0));
    s.R[row] = random.in_box(1);
    R.segment<3>(3 * row) = s.R[row];
    q.segment<3>(3 * row) = given.q[row];
  }
  update_velocities(p, s);
  const Eigen::VectorXd U = q + W * R;
  for (int row = 0; row < 3; row++)
    EXPECT_NEAR((s.U[row] - U.segment<3>(3 * row)).norm(), 0, 1e-15);
}

TEST(ContactProblem, MayBeEmpty) {
  const LocalDynamics p = local_dynamics_of({{{0}, {}, {}}, {}, {}, "", "", ""});
  EXPECT_EQ(p.rows(), 0);
  EXPECT_EQ(p.W.rows(), 0);
}

}  // namespace
}  // namespace solfec::contact_problem_test
