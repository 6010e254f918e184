#include "local_dynamics/equilibrium_matrix.hpp"

#include <gtest/gtest.h>

#include "math/decompositions.hpp"
#include "support/random_equilibrium.hpp"

namespace solfec::equilibrium_matrix_test {
namespace {

TEST(EquilibriumMatrix, HasTheNullSpaceOfAllEquations) {
  for (int seed = 1; seed <= 10; seed++) {
    const auto random = testing::random_equilibrium(seed, 5, 14);
    const EquilibriumMatrix Q(random.constraints, random.bodies);
    const Eigen::MatrixXd dense = Q.dense();
    ASSERT_EQ(Q.components(), random.dense.cols());
    // Both annihilate the same vectors if rows of one are combinations of rows of the other.
    const Eigen::MatrixXd all = orthonormal_rows(random.dense, 1e-10),
                          own = orthonormal_rows(dense, 1e-10);
    ASSERT_EQ(all.rows(), own.rows());
    EXPECT_NEAR((all - all * own.transpose() * own).norm(), 0, 1e-12);
  }
}

TEST(EquilibriumMatrix, DoesNotDependOnMasses) {
  auto random = testing::random_equilibrium(3, 4, 9);
  const Eigen::MatrixXd Q = EquilibriumMatrix(random.constraints, random.bodies).dense();
  for (EquilibriumColumns& c : random.constraints)
    for (BodyColumns& end : c.ends) end.columns *= end.body == 0 ? 1e-9 : 1e6;
  const EquilibriumMatrix scaled(random.constraints, random.bodies);
  EXPECT_NEAR((Q.transpose() * Q - scaled.dense().transpose() * scaled.dense()).norm(), 0, 1e-12);
}

TEST(EquilibriumMatrix, DiagonalBlocksAreUnitMatrices) {
  const auto random = testing::random_equilibrium(4, 4, 9);
  const Eigen::MatrixXd Q = EquilibriumMatrix(random.constraints, random.bodies).dense();
  EXPECT_NEAR(((Q * Q.transpose()).diagonal() - Eigen::VectorXd::Ones(Q.rows())).norm(), 0, 1e-12);
}

TEST(EquilibriumMatrix, Products) {
  const auto random = testing::random_equilibrium(5, 6, 20);
  const EquilibriumMatrix Q(random.constraints, random.bodies);
  const Eigen::VectorXd z = Eigen::VectorXd::Random(Q.components()),
                        v = Eigen::VectorXd::Random(Q.equations());
  EXPECT_NEAR((Q.times(z) - Q.dense() * z).norm(), 0, 1e-13);
  EXPECT_NEAR((Q.transpose_times(v) - Q.dense().transpose() * v).norm(), 0, 1e-13);
}

TEST(EquilibriumMatrix, OfComponentsThatMoveNothing) {
  std::vector<EquilibriumColumns> constraints(1);
  constraints[0].count = 2;
  const EquilibriumMatrix Q(constraints, 0);
  EXPECT_EQ(Q.equations(), 0);
  EXPECT_EQ(Q.components(), 2);
  EXPECT_EQ(Q.transpose_times(Eigen::VectorXd(0)), Eigen::VectorXd::Zero(2));
}

}  // namespace
}  // namespace solfec::equilibrium_matrix_test
