// The least squares of GMRES against a dense factorisation.
#include "math/hessenberg.hpp"

#include <gtest/gtest.h>

#include <random>

namespace solfec::hessenberg_test {
namespace {

Eigen::MatrixXd random_hessenberg(int columns) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Eigen::MatrixXd H = Eigen::MatrixXd::Zero(columns + 1, columns);
  for (int j = 0; j < columns; j++)
    for (int i = 0; i <= j + 1; i++) H(i, j) = uniform(generator);
  return H;
}

TEST(HessenbergLeastSquares, IsLeastAfterEachColumn) {
  const int most = 12;
  const Eigen::MatrixXd H = random_hessenberg(most);
  const double beta = 2.5;
  HessenbergLeastSquares problem(most, beta);
  for (int k = 0; k < most; k++) {
    const double residual = problem.add_column(H.col(k).head(k + 2));
    const Eigen::MatrixXd part = H.topLeftCorner(k + 2, k + 1);
    const Eigen::VectorXd right = beta * Eigen::VectorXd::Unit(k + 2, 0);
    const Eigen::VectorXd y = problem.solution();
    ASSERT_EQ(y.size(), k + 1);
    EXPECT_NEAR((part * y - right).norm(), residual, 1e-13);
    // The residual of the least squares is orthogonal to the columns.
    EXPECT_LE((part.transpose() * (part * y - right)).norm(), 1e-12);
  }
}

// The Krylov space ends: the entry below the diagonal is zero, and the equations hold exactly.
TEST(HessenbergLeastSquares, EndsWithTheSpace) {
  Eigen::MatrixXd H = random_hessenberg(4);
  H(4, 3) = 0;
  HessenbergLeastSquares problem(10, 1);
  double residual = 1;
  for (int k = 0; k < 4; k++) residual = problem.add_column(H.col(k).head(k + 2));
  EXPECT_EQ(residual, 0);
  EXPECT_LE((H * problem.solution() - Eigen::VectorXd::Unit(5, 0)).norm(), 1e-12);
}

TEST(HessenbergLeastSquares, ColumnsOfZerosHaveNoPart) {
  HessenbergLeastSquares problem(3, 2);
  EXPECT_EQ(problem.add_column(Eigen::Vector2d(4, 0)), 0);
  EXPECT_EQ(problem.add_column(Eigen::Vector3d::Zero()), 0);
  EXPECT_EQ(problem.solution(), Eigen::Vector2d(0.5, 0));
}

}  // namespace
}  // namespace solfec::hessenberg_test
