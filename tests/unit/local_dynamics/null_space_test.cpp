#include "local_dynamics/null_space.hpp"

#include <gtest/gtest.h>

#include "support/random_equilibrium.hpp"

namespace solfec::null_space_test {
namespace {

// By singular values, of all equations.
struct Judge {
  Eigen::Index dimension;
  Eigen::VectorXd redundancy;

  explicit Judge(const Eigen::MatrixXd& A) {
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(A, Eigen::ComputeFullV);
    Eigen::Index rank = 0;
    for (double value : svd.singularValues()) rank += value > 1e-9 * svd.singularValues()[0];
    dimension = A.cols() - rank;
    redundancy = svd.matrixV().rightCols(dimension).rowwise().squaredNorm();
  }
};

// Fewer and more constraints than bodies can have.
TEST(NullSpace, DenseIsThatOfAllEquations) {
  for (int seed = 1; seed <= 30; seed++) {
    const auto random = testing::random_equilibrium(seed, 5, 8 + seed);
    const Judge judge(random.dense);
    const NullSpace found = dense_null_space({random.constraints, random.bodies});
    EXPECT_EQ(found.dimension, static_cast<double>(judge.dimension));
    EXPECT_EQ(found.deviation, 0);
    EXPECT_NEAR((found.redundancy - judge.redundancy).norm(), 0, 1e-9);
  }
}

// By factors and by conjugate gradients.
TEST(NullSpace, ProjectedIsTheDenseOne) {
  int small = 0, small_left = 0;
  for (int seed = 1; seed <= 30; seed++) {
    const auto random = testing::random_equilibrium(seed, 20, 10 + 6 * seed);
    const EquilibriumMatrix Q(random.constraints, random.bodies);
    const NullSpace exact = dense_null_space(Q);
    small += exact.dimension < 64;
    small_left += exact.dimension >= 64;
    for (const double most_operations : {kMostFactorOperations, 0.0}) {
      const NullSpace found = projected_null_space(Q, most_operations);
      EXPECT_TRUE(found.resolved);
      EXPECT_EQ(found.deviation, 0);
      EXPECT_EQ(found.dimension, exact.dimension) << seed;
      for (Eigen::Index k = 0; k < found.redundancy.size(); k++) {
        EXPECT_EQ(found.redundancy[k] > kDetermined, exact.redundancy[k] > kDetermined);
        EXPECT_LT(found.redundancy[k], 9 * exact.redundancy[k] + 1e-12);
      }
    }
  }
  EXPECT_GT(small, 5);  // both ways were gone
  EXPECT_GT(small_left, 5);
}

// Pairs of bodies that two parallel components join: each pair has a motion that they do not
// resist, and one component too many.
TEST(NullSpace, OfManyDimensionsIsAnEstimate) {
  const int pairs = 200;
  std::vector<EquilibriumColumns> constraints;
  for (int k = 0; k < pairs; k++) {
    EquilibriumColumns& c = constraints.emplace_back();
    c.count = 2;
    c.ends[0] = {2 * k, Eigen::MatrixXd::Constant(1, 2, 1.0)};
    c.ends[1] = {2 * k + 1, Eigen::MatrixXd::Constant(1, 2, -1.0)};
  }
  const EquilibriumMatrix Q(constraints, 2 * pairs);
  EXPECT_EQ(dense_null_space(Q).dimension, pairs);
  const NullSpace found = projected_null_space(Q);
  EXPECT_TRUE(found.resolved);
  EXPECT_GT(found.deviation, 0);
  EXPECT_LT(found.deviation, 0.1 * pairs);
  EXPECT_NEAR(found.dimension, pairs, 4 * found.deviation);
  EXPECT_GT(found.redundancy.minCoeff(), kDetermined);
}

TEST(NullSpace, OfNoEquations) {
  std::vector<EquilibriumColumns> constraints(1);
  constraints[0].count = 3;
  const EquilibriumMatrix Q(constraints, 0);
  for (const NullSpace& found : {dense_null_space(Q), projected_null_space(Q)}) {
    EXPECT_EQ(found.dimension, 3);
    EXPECT_GT(found.redundancy.minCoeff(), kDetermined);
  }
}

}  // namespace
}  // namespace solfec::null_space_test
