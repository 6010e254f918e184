#include "local_dynamics/null_projection.hpp"

#include <gtest/gtest.h>

#include "support/random_equilibrium.hpp"

namespace solfec::null_projection_test {
namespace {

using Matrix = Eigen::MatrixXd;

// I - V V^T with the right singular vectors V of singular values that are not zero.
Matrix projection_of(const Matrix& A) {
  const Eigen::JacobiSVD<Matrix> svd(A, Eigen::ComputeThinV);
  Eigen::Index rank = 0;
  for (double value : svd.singularValues()) rank += value > 1e-9;
  EXPECT_TRUE(svd.matrixV().allFinite());
  const Matrix V = svd.matrixV().leftCols(rank);
  return Matrix::Identity(A.cols(), A.cols()) - V * V.transpose();
}

TEST(NullProjection, IsOrthogonal) {
  for (int seed = 1; seed <= 20; seed++) {
    const auto random = testing::random_equilibrium(seed, 12, 8 + 3 * seed);
    const EquilibriumMatrix Q(random.constraints, random.bodies);
    const Matrix right = projection_of(Q.dense()), left = projection_of(Q.dense().transpose());
    for (const double most_operations : {kMostFactorOperations, 0.0}) {
      const NullProjection projection(Q, most_operations);
      EXPECT_EQ(projection.factored(), most_operations > 0);
      const Eigen::VectorXd z = Eigen::VectorXd::Random(Q.components()),
                            v = Eigen::VectorXd::Random(Q.equations());
      Eigen::VectorXd projected = z;
      EXPECT_TRUE(projection.project(projected));
      EXPECT_LT((projected - right * z).norm(), 1e-9 * z.norm());
      projected = v;
      EXPECT_TRUE(projection.project_left(projected));
      EXPECT_LT(Q.transpose_times(projected).norm(), 1e-12 * v.norm());
      EXPECT_LT((projected - left * v).norm(), (projection.factored() ? 1e-4 : 1e-9) * v.norm());
    }
  }
}

// A row of bodies from one fixed end to another: the smallest singular value is about pi / bodies.
TEST(NullProjection, OfALongRow) {
  const int bodies = 2000;
  std::vector<EquilibriumColumns> constraints;
  for (int k = 0; k <= bodies; k++) {
    EquilibriumColumns& c = constraints.emplace_back();
    c.count = 1;
    if (k > 0) c.ends[0] = {k - 1, Matrix::Constant(1, 1, 1.0)};
    if (k < bodies) c.ends[1] = {k, Matrix::Constant(1, 1, -1.0)};
  }
  const EquilibriumMatrix Q(constraints, bodies);
  for (const double most_operations : {kMostFactorOperations, 0.0}) {
    Eigen::VectorXd z = Eigen::VectorXd::Random(bodies + 1);
    const double mean = z.mean();
    EXPECT_TRUE(NullProjection(Q, most_operations).project(z));
    EXPECT_NEAR((z - Eigen::VectorXd::Constant(bodies + 1, mean)).cwiseAbs().maxCoeff(), 0, 1e-8);
  }
}

// Fewer operations are allowed than the factor takes.
TEST(NullProjection, WithoutAFactorThatIsTooLarge) {
  const auto random = testing::random_equilibrium(1, 12, 30);
  const EquilibriumMatrix Q(random.constraints, random.bodies);
  EXPECT_FALSE(NullProjection(Q, Q.equations()).factored());
  EXPECT_TRUE(NullProjection(Q, 1e4).factored());
}

}  // namespace
}  // namespace solfec::null_projection_test
