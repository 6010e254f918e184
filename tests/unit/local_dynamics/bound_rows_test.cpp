// Least-norm solutions against dense matrices; rows that follow from others, and contradictions.
#include "local_dynamics/bound_rows.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::bound_rows_test {
namespace {

using testing::Random;

// Joints on bodies in a row, some of them along N only.
testing::LocalProblem chain(int bodies, int copies, DelassusForm form) {
  Random random(7);
  testing::LocalProblem p =
      testing::start_problem(std::vector<int>(bodies, 6), copies * bodies, 1e-2);
  for (int body = 0; body < bodies; body++)
    testing::add_random_row(p, random, body, body == 0 ? -1 : body - 1);
  for (int copy = 1; copy < copies; copy++)
    for (int body = 0; body < bodies; body++) {
      double* block = p.dynamics.W.add_row(body, body == 0 ? -1 : body - 1);
      for (int side = 0; side < (body == 0 ? 1 : 2); side++)
        for (int k = 0; k < 3; k++)
          for (int j = 0; j < 6; j++) *block++ = p.G(3 * body + k, 6 * (body - side) + j);
      p.G.middleRows<3>(3 * (copy * bodies + body)) = p.G.middleRows<3>(3 * body);
      p.groups.emplace_back(p.groups[body]);
      p.dynamics.B.push_back(Vec3::Zero());
      p.dynamics.V.push_back(Vec3::Zero());
      p.dynamics.law.emplace_back();
    }
  for (int row = 0; row < static_cast<int>(p.dynamics.law.size()); row++)
    p.dynamics.law[row].kind =
        row % bodies % 3 == 2 ? LawKind::fixed_direction : LawKind::fixed_point;
  testing::finish_problem(p, form);
  return p;
}

bool binds(const testing::LocalProblem& p, int component) {
  return p.dynamics.law[component / 3].kind == LawKind::fixed_point || component % 3 == 2;
}

// W between bound directions, the identity elsewhere.
Eigen::MatrixXd bound_matrix(const testing::LocalProblem& p) {
  Eigen::MatrixXd W = p.W;
  for (int i = 0; i < W.rows(); i++)
    for (int j = 0; j < W.cols(); j++)
      if (!binds(p, i) || !binds(p, j)) W(i, j) = i == j ? 1 : 0;
  return W;
}

std::vector<Vec3> right_side(const testing::LocalProblem& p, bool consistent) {
  Random random(11);
  Eigen::VectorXd x(p.W.rows());
  for (int k = 0; k < x.size(); k++) x[k] = binds(p, k) ? random.uniform(-1, 1) : 0;
  const Eigen::VectorXd b = consistent ? Eigen::VectorXd(p.W * x) : x;
  std::vector<Vec3> rows;
  for (int k = 0; k < b.size(); k += 3) rows.push_back(b.segment<3>(k));
  return rows;
}

TEST(BoundRows, AreSolvedInTheDirectionsThatTheyBind) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored}) {
    testing::LocalProblem p = chain(20, 1, form);
    const std::vector<Vec3> b = right_side(p, true);
    std::vector<Vec3> x;
    solve_bound_rows(p.dynamics, b, x, 1e-13, Communicator::alone());
    Eigen::VectorXd bound = testing::flat(b);
    for (int k = 0; k < bound.size(); k++)
      if (!binds(p, k)) bound[k] = 0;
    const Eigen::VectorXd exact = bound_matrix(p).ldlt().solve(bound);
    EXPECT_NEAR((testing::flat(x) - exact).norm(), 0, 1e-9 * exact.norm());
    for (int k = 0; k < exact.size(); k++) {
      EXPECT_TRUE(binds(p, k) || x[k / 3][k % 3] == 0);
    }
  }
}

// Three times the same rows: each of them takes a third.
TEST(BoundRows, LeastNormWhereRowsAreRepeated) {
  testing::LocalProblem once = chain(20, 1, DelassusForm::assembled);
  testing::LocalProblem thrice = chain(20, 3, DelassusForm::assembled);
  std::vector<Vec3> b = right_side(once, true), x, y;
  solve_bound_rows(once.dynamics, b, x, 1e-13, Communicator::alone());
  const std::vector<Vec3> single = b;
  for (int copy = 1; copy < 3; copy++) b.insert(b.end(), single.begin(), single.end());
  solve_bound_rows(thrice.dynamics, b, y, 1e-13, Communicator::alone());
  for (std::size_t k = 0; k < y.size(); k++)
    EXPECT_NEAR((3 * y[k] - x[k % 20]).norm(), 0, 1e-8 * testing::flat(x).norm());
}

// What rows contradict each other in is left; the rest is solved, and nothing grows.
TEST(BoundRows, ContradictionsStayBounded) {
  testing::LocalProblem p = chain(20, 3, DelassusForm::assembled);
  const std::vector<Vec3> b = right_side(p, false);
  std::vector<Vec3> x;
  solve_bound_rows(p.dynamics, b, x, 1e-13, Communicator::alone());
  Eigen::VectorXd r = testing::flat(b) - p.W * testing::flat(x);
  for (int k = 0; k < r.size(); k++)
    if (!binds(p, k)) r[k] = 0;
  EXPECT_LT(r.norm(), testing::flat(b).norm());
  // The mean of the three is what can be met.
  for (int k = 0; k < 60; k++) {
    const double mean = (r[k] + r[60 + k] + r[120 + k]) / 3;
    EXPECT_NEAR(mean, 0, 1e-3) << k;
  }
  EXPECT_LT(testing::flat(x).norm(), 1e4 * testing::flat(b).norm() / p.W.norm());
}

}  // namespace
}  // namespace solfec::bound_rows_test
