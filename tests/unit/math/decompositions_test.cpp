// Factors against the matrices that they are of, and solutions against their equations.
#include "math/decompositions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace solfec::decompositions_test {
namespace {

constexpr double kRounding = 1e-12;

class Decompositions : public testing::Test {
 protected:
  Mat3 any() {
    return Mat3::NullaryExpr([this] { return uniform_(generator_); });
  }
  Mat3 definite() {
    const Mat3 A = any();
    return A * A.transpose() + 0.1 * Mat3::Identity();
  }
  Vec3 vector() {
    return Vec3::NullaryExpr([this] { return uniform_(generator_); });
  }
  Eigen::MatrixXd symmetric(int size) {
    const Eigen::MatrixXd A =
        Eigen::MatrixXd::NullaryExpr(size, size, [this] { return uniform_(generator_); });
    return A + A.transpose();
  }

 private:
  std::mt19937 generator_{11};
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

TEST_F(Decompositions, SolutionsMeetTheirEquations) {
  for (int n = 0; n < 100; n++) {
    const Mat3 A = any() + 3 * Mat3::Identity(), D = definite();
    const Vec3 b = vector();
    EXPECT_LE((A * solve_general(A, b) - b).norm(), kRounding);
    EXPECT_LE((D * solve_definite(D, b) - b).norm(), kRounding);
    EXPECT_LE((D * solve_semidefinite(D, b) - b).norm(), kRounding);
  }
}

// A needle along an axis of space does not turn about it, whatever the momentum.
TEST_F(Decompositions, SingularTensorTurnsNothingAboutItsNullAxis) {
  const Mat3 A = Vec3(2, 3, 0).asDiagonal();
  EXPECT_EQ(solve_semidefinite(A, Vec3(4, 3, 1)), Vec3(2, 1, 0));
}

TEST_F(Decompositions, ColumnsBecomeOrthonormal) {
  for (int n = 0; n < 100; n++) {
    const Mat3 A = definite(), K = inverse_cholesky(A);
    EXPECT_LE((K.transpose() * A * K - Mat3::Identity()).norm(), 10 * kRounding);
    EXPECT_TRUE(K.isUpperTriangular());
  }
}

TEST_F(Decompositions, EigenvaluesRiseAndVectorsMakeTheMatrix) {
  for (int n = 0; n < 100; n++) {
    const Mat3 A = definite();
    const auto [values, vectors] = symmetric_eigen(A);
    EXPECT_TRUE(values[0] <= values[1] && values[1] <= values[2]);
    EXPECT_LE((vectors * values.asDiagonal() * vectors.transpose() - A).norm(), kRounding);
    EXPECT_LE((vectors.transpose() * vectors - Mat3::Identity()).norm(), kRounding);
  }
  for (int size : {1, 6, 9, 24}) {
    const Eigen::MatrixXd A = symmetric(size);
    const auto [values, vectors] = symmetric_eigen(A);
    EXPECT_TRUE(std::ranges::is_sorted(values));
    EXPECT_LE((vectors * values.asDiagonal() * vectors.transpose() - A).norm(), 10 * kRounding);
    EXPECT_LE((symmetric_eigenvalues(A) - values).norm(), 10 * kRounding);
  }
}

TEST_F(Decompositions, OrthonormalRowsSpanTheRows) {
  for (int rank = 0; rank <= 4; rank++) {
    const Eigen::MatrixXd A = Eigen::MatrixXd::Random(5, rank) * Eigen::MatrixXd::Random(rank, 9);
    const Eigen::MatrixXd rows = orthonormal_rows(A, 1e-9);
    ASSERT_EQ(rows.rows(), rank);
    ASSERT_EQ(rows.cols(), 9);
    EXPECT_LE((rows * rows.transpose() - Eigen::MatrixXd::Identity(rank, rank)).norm(), kRounding);
    EXPECT_LE((A - A * rows.transpose() * rows).norm(), 10 * kRounding);
  }
  EXPECT_EQ(orthonormal_rows(Eigen::MatrixXd::Random(5, 3), 1e-9).rows(), 3);
}

TEST_F(Decompositions, SingularValuesFallAndMakeTheMatrix) {
  for (int n = 0; n < 100; n++) {
    const Mat3 A = n == 0 ? Mat3(Vec3(1, 0, 0) * Vec3(0, 1, 0).transpose()) : any();
    const auto [U, values, V] = singular_values(A);
    EXPECT_TRUE(values[0] >= values[1] && values[1] >= values[2] && values[2] >= 0);
    EXPECT_LE((U * values.asDiagonal() * V.transpose() - A).norm(), kRounding);
    EXPECT_LE((U.transpose() * U - Mat3::Identity()).norm(), kRounding);
    EXPECT_LE((V.transpose() * V - Mat3::Identity()).norm(), kRounding);
  }
}

}  // namespace
}  // namespace solfec::decompositions_test
