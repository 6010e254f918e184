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

TEST(ContactProblem, HasEqualityRowsAfterContacts) {
  Mat3 coupling = Mat3::Zero(), last = Mat3::Zero();
  coupling.col(2) = Vec3(1, 2, 3);
  last(2, 2) = 20;
  ContactProblem given;
  given.W = {{0, 2, 4}, {0, 1, 0, 1}, {9 * Mat3::Identity(), coupling, coupling.transpose(), last}};
  given.q = {{1, 2, 3}, {0, 0, 4}};
  given.friction = {0.5};
  EXPECT_EQ(given.rows(), 2);
  EXPECT_EQ(given.contacts(), 1);
  EXPECT_EQ(given.equalities(), 1);
  const LocalDynamics p = local_dynamics_of(given);
  EXPECT_EQ(p.law[0].kind, LawKind::signorini_coulomb);
  EXPECT_EQ(p.law[1].kind, LawKind::fixed_direction);
  EXPECT_TRUE(p.law[1].target.isZero(0));
  LocalSolution s(p);
  s.R = {{1, 0, 0}, {0, 0, 2}};
  update_velocities(p, s);
  EXPECT_EQ(s.U[0], Vec3(1 + 9 + 2, 2 + 4, 3 + 6));
  EXPECT_EQ(s.U[1], Vec3(0, 0, 4 + 1 + 40));
}

// A row between two bodies, one on the second, and an equality row on the first.
TEST(ContactProblem, MayHaveBodiesInPlaceOfBlocks) {
  testing::Random random(4);
  ContactProblem given;
  BodyRows& bodies = given.bodies.emplace();
  bodies.sizes = {6, 2};
  bodies.mass = 25;
  const auto end = [&](int body, bool equality) {
    BodyRows::End made{body, std::vector<double>(static_cast<std::size_t>(3 * bodies.sizes[body]))};
    for (std::size_t k = 0; k < made.G.size(); k++)
      if (!equality || k >= made.G.size() / 3 * 2) made.G[k] = random.uniform(-1, 1);
    return made;
  };
  bodies.rows.push_back({end(0, false), end(1, false)});
  bodies.rows.push_back({end(1, false), {}});
  bodies.rows.push_back({end(0, true), {}});
  given.q.assign(3, Vec3(1, 2, 3));
  given.friction = {0.5, 0.25};
  Eigen::MatrixXd G = Eigen::MatrixXd::Zero(9, 8);
  for (int row = 0; row < 3; row++)
    for (const BodyRows::End& e : bodies.rows[row])
      for (int k = 0; k < static_cast<int>(e.G.size()); k++) {
        const int size = bodies.sizes[e.body];
        G(3 * row + k / size, 6 * e.body + k % size) = e.G[k];
      }
  const LocalDynamics p = local_dynamics_of(given);
  EXPECT_EQ(p.rows(), 3);
  EXPECT_EQ(p.step(), 1);
  EXPECT_EQ(p.W.groups(), 2);
  const Eigen::MatrixXd W = G * G.transpose() / bodies.mass;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 3; column++)
      EXPECT_LT((p.W.block(row, column) - W.block<3, 3>(3 * row, 3 * column)).norm(), 1e-15);
  EXPECT_EQ(p.law[2].kind, LawKind::fixed_direction);
}

TEST(ContactProblem, MayBeEmpty) {
  const LocalDynamics p = local_dynamics_of({{{0}, {}, {}}, {}, {}, "", "", ""});
  EXPECT_EQ(p.rows(), 0);
  EXPECT_EQ(p.W.rows(), 0);
}

}  // namespace
}  // namespace solfec::contact_problem_test
