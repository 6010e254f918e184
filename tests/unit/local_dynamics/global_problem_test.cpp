// Problems in velocities: which velocities make bodies, and W and q against dense algebra.
#include "local_dynamics/global_problem.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/error.hpp"
#include "support/random.hpp"

namespace solfec::global_problem_test {
namespace {

// Blocks of M between these velocities, with rows that act on some of them.
struct Maker {
  GlobalProblem problem;
  testing::Random random{3};
  Eigen::MatrixXd M, H;

  Maker(int velocities, int rows) {
    problem.velocities = velocities;
    problem.rows = rows;
    M = Eigen::MatrixXd::Zero(velocities, velocities);
    H = Eigen::MatrixXd::Zero(velocities, 3 * rows);
    for (int k = 0; k < velocities; k++) problem.f.push_back(random.uniform(-1, 1));
  }
  void add_body(const std::vector<int>& velocities) {
    const auto size = static_cast<int>(velocities.size());
    const Eigen::MatrixXd A =
        Eigen::MatrixXd::NullaryExpr(size, size, [&] { return random.uniform(-1, 1); });
    const Eigen::MatrixXd block = A * A.transpose() + Eigen::MatrixXd::Identity(size, size);
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++) add_mass(velocities[i], velocities[j], block(i, j));
  }
  void add_mass(int row, int column, double value) {
    problem.M.push_back({row, column, value});
    M(row, column) += value;
  }
  void add_row(int row, const std::vector<int>& velocities) {
    for (int k : velocities)
      for (int c : {0, 1, 2}) {
        const double value = random.uniform(-1, 1);
        problem.H.push_back({k, 3 * row + c, value});
        H(k, 3 * row + c) += value;
      }
  }
};

Eigen::MatrixXd dense_W(const BodyRows& bodies) {
  const auto rows = static_cast<int>(bodies.rows.size());
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(3 * rows, 3 * rows);
  for (int a = 0; a < rows; a++)
    for (int b = 0; b < rows; b++)
      for (const BodyRows::End& m : bodies.rows[a])
        for (const BodyRows::End& n : bodies.rows[b]) {
          if (m.body < 0 || m.body != n.body) continue;
          using Block = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
          const int size = bodies.sizes[m.body];
          W.block<3, 3>(3 * a, 3 * b) += Eigen::Map<const Block>(m.G.data(), 3, size) *
                                         Eigen::Map<const Block>(n.G.data(), 3, size).transpose() /
                                         bodies.mass;
        }
  return W;
}

void expect_dense_algebra(const Maker& maker, const std::vector<int>& sizes) {
  std::vector<Vec3> q(maker.problem.rows, Vec3(1, 2, 3));
  const BodyRows bodies = bodies_of(maker.problem, q);
  EXPECT_EQ(bodies.sizes, sizes);
  const Eigen::MatrixXd inverse = maker.M.inverse();
  EXPECT_LT((dense_W(bodies) - maker.H.transpose() * inverse * maker.H).norm(), 1e-12);
  const Eigen::VectorXd f =
      Eigen::Map<const Eigen::VectorXd>(maker.problem.f.data(), maker.problem.velocities);
  const Eigen::VectorXd change = maker.H.transpose() * inverse * f;
  for (int row = 0; row < maker.problem.rows; row++)
    EXPECT_LT((q[row] - Vec3(1, 2, 3) - change.segment<3>(3 * row)).norm(), 1e-12);
}

TEST(GlobalProblem, HasTheBodiesThatTheMatrixJoins) {
  Maker maker(9, 4);
  maker.add_body({0, 2, 4, 6});  // anyhow
  maker.add_body({1, 3});
  maker.add_body({5, 7, 8});
  maker.add_row(0, {0, 2, 6, 5, 8});
  maker.add_row(1, {1, 3});
  maker.add_row(2, {1, 0, 2, 4, 6});
  maker.add_row(2, {1});  // entries add
  // The last row acts on nothing.
  expect_dense_algebra(maker, {4, 2, 3});
}

TEST(GlobalProblem, FindsRigidBodiesWithADiagonalMatrix) {
  Maker maker(18, 3);
  for (int k = 0; k < 18; k++) maker.add_mass(k, k, 1 + k);
  maker.add_row(0, {0, 1, 2, 3, 4, 6, 7, 8, 10, 11});
  maker.add_row(1, {6, 7, 8, 9, 10, 12, 13, 14, 15, 16});
  maker.add_row(2, {17, 12});
  expect_dense_algebra(maker, {6, 6, 6});
}

TEST(GlobalProblem, FindsPointsWithADiagonalMatrix) {
  Maker maker(9, 2);
  for (int k = 0; k < 9; k++) maker.add_mass(k, k, 1 + k);
  maker.add_row(0, {0, 1, 2, 3, 4, 5});
  maker.add_row(1, {3, 4, 5, 6, 7, 8});
  expect_dense_algebra(maker, {3, 3, 3});
}

TEST(GlobalProblem, MergesBodiesOfRowsWithManyEnds) {
  Maker maker(30, 2);
  for (int k = 0; k < 30; k++) maker.add_mass(k, k, 1 + k);
  maker.add_row(0, {0, 13, 26});
  maker.add_row(1, {26, 3});
  std::vector<int> sizes(28, 1);
  sizes[0] = 3;
  expect_dense_algebra(maker, sizes);
}

TEST(GlobalProblem, RefusesOtherMatrices) {
  const auto complaint = [](const std::function<void(Maker&)>& damage) -> std::string {
    Maker maker(4, 1);
    maker.add_body({0, 1});
    maker.add_body({2, 3});
    maker.add_row(0, {1, 2});
    damage(maker);
    std::vector<Vec3> q(1, Vec3::Zero());
    try {
      bodies_of(maker.problem, q);
    } catch (const RunError& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint([](Maker&) {}), "none");
  EXPECT_EQ(complaint([](Maker& m) { m.add_mass(2, 3, 0.1); }),
            "M is not symmetric in the body of velocity 2");
  EXPECT_EQ(complaint([](Maker& m) { m.add_mass(1, 1, -100); }),
            "M is not positive definite in the body of velocity 0");
  EXPECT_EQ(complaint([](Maker& m) { m.problem.velocities = 5, m.problem.f.push_back(0); }),
            "M is not positive definite in the body of velocity 4");
  EXPECT_EQ(complaint([](Maker& m) {
              m.problem.velocities = kLargestBody + 5;
              m.problem.f.resize(kLargestBody + 5);
              for (int k = 4; k < kLargestBody + 5; k++) m.problem.M.push_back({4, k, 1});
            }),
            "the body of velocity 4 has 6001 of them; at most 6000 are taken");
}

}  // namespace
}  // namespace solfec::global_problem_test
