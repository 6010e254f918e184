// Reactions of joints that are not unique: of least norm by every solver. Joints that contradict
// each other.
#include "solver/joint_reactions.hpp"

#include <gtest/gtest.h>

#include "solver/automatic.hpp"
#include "support/hard_problems.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::joint_reactions_test {
namespace {

using testing::flat;
using testing::LocalProblem;

Eigen::VectorXd least_norm(const Eigen::MatrixXd& W, const Eigen::VectorXd& b) {
  return Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd>(W).setThreshold(1e-10).solve(b);
}

std::vector<std::unique_ptr<Solver>> all_solvers(double merit_value) {
  std::vector<std::unique_ptr<Solver>> solvers;
  GaussSeidelSettings sweeps;
  sweeps.epsilon = 1e-12;
  sweeps.merit_value = merit_value;
  sweeps.max_iterations = 100000;
  solvers.push_back(std::make_unique<GaussSeidel>(sweeps));
  solvers.push_back(std::make_unique<Automatic>(AutomaticSettings{merit_value, 1000}));
  NewtonSettings newton;
  newton.merit_value = merit_value;
  newton.delta = 0.01;
  newton.delta_unit = DeltaUnit::average;
  newton.linear_max_iterations = 60;
  solvers.push_back(std::make_unique<Newton>(newton));
  return solvers;
}

TEST(JointReactions, OfLeastNormByEverySolverAndFromEveryStart) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored})
    for (int bars : {1, 3, 8})
      for (double start : {0.0, 1e4}) {
        for (const auto& solver : all_solvers(1e-20)) {
          LocalProblem p = testing::hinged_loop(bars, form);
          const Eigen::VectorXd exact = least_norm(p.W, -flat(p.dynamics.B));
          testing::Random random(bars);
          for (Vec3& R : p.solution.R) R = random.in_box(start);
          EXPECT_EQ(solver->solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok)
              << solver->name() << ", " << bars;
          EXPECT_LT((flat(p.solution.R) - exact).norm(), 1e-6 * exact.norm())
              << solver->name() << ", " << bars << ", " << start;
        }
      }
}

TEST(JointReactions, StayBoundedWhereTargetsMissByLittle) {
  for (double miss : {1e-14, 1e-11, 1e-8})
    for (double merit_value : {1e-8, 1e-16, 1e-24, 1e-30})
      for (const auto& solver : all_solvers(merit_value)) {
        if (solver->kind() == SolverKind::gauss_seidel) continue;  // ten thousands of sweeps
        LocalProblem p = testing::hinged_loop(3, DelassusForm::automatic);
        const Eigen::VectorXd exact = least_norm(p.W, -flat(p.dynamics.B));
        testing::Random random(1);
        for (RowLaw& law : p.dynamics.law) law.target = random.in_box(miss);
        const SolveResult result = solver->solve(p.dynamics, p.solution, Communicator());
        // What misses by no more than the merit tells is reached.
        if (miss * miss < 1e-9 * merit_value) {
          EXPECT_EQ(result.status, SolveStatus::ok);
        }
        EXPECT_LT((flat(p.solution.R) - exact).norm(),
                  (1e-6 + 100 * std::sqrt(merit_value) + 1e3 * miss) * exact.norm())
            << solver->name() << ", " << miss << ", " << merit_value;
      }
}

TEST(JointReactions, BesideAContactThatKeepsItsOwn) {
  for (const auto& solver : all_solvers(1e-20)) {
    LocalProblem p = testing::hinged_loop(4, DelassusForm::assembled, true);
    EXPECT_EQ(solver->solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok)
        << solver->name();
    const int joints = static_cast<int>(p.W.rows()) - 3;
    const Eigen::VectorXd R = flat(p.solution.R), U = flat(p.solution.U);
    const Vec3 contact = R.tail<3>();
    EXPECT_LT(testing::law_violation(U.tail<3>(), contact, 0.5, 1e-2, 10), 1e-8);
    const Eigen::VectorXd exact =
        least_norm(p.W.topLeftCorner(joints, joints),
                   -flat(p.dynamics.B).head(joints) - p.W.topRightCorner(joints, 3) * contact);
    EXPECT_LT((R.head(joints) - exact).norm(), 1e-6 * exact.norm()) << solver->name();
  }
}

TEST(JointReactions, WarmStartThatIsRightCostsNoMoreThanTwoSweeps) {
  LocalProblem p = testing::hinged_loop(8, DelassusForm::automatic);
  Automatic solver({1e-12, 1000});
  EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
  const std::vector<Vec3> R = p.solution.R;
  // Round-off moves the merit by some 1e-13 from sweep to sweep: for this goal the start is right.
  solver.settings.merit_value = 1e-10;
  EXPECT_EQ(solver.solve(p.dynamics, p.solution, Communicator()).status, SolveStatus::ok);
  EXPECT_LE(solver.iterations, 2);
  EXPECT_EQ(solver.newton_steps, 0);
  EXPECT_LT((flat(p.solution.R) - flat(R)).norm(), 1e-5 * flat(R).norm());
}

TEST(JointReactions, ContradictionsAreThePartOutOfTheRange) {
  LocalProblem p = testing::hinged_loop(3, DelassusForm::automatic);
  LocalDynamics& d = p.dynamics;
  Channel channel{Communicator()};
  const auto sum = [&] {
    double total = 0;
    for (double share : JointReactions().contradictions(d, p.solution, channel, Communicator()))
      total += share;
    return total;
  };
  EXPECT_LT(sum(), 1e-20);
  // One of the two points of a hinge is to leave the other along the axis; the ground stays.
  d.law[7].target.y() = 0.02;
  const Eigen::VectorXd b = -flat(d.B) + 0.02 * Eigen::VectorXd::Unit(p.W.rows(), 22);
  const Eigen::VectorXd left = b - p.W * least_norm(p.W, b);
  double exact = 0, largest = 0;
  for (int row = 0; row < d.rows(); row++)
    exact += left.segment<3>(3 * row).dot(d.W.diagonal_inverse(row) * left.segment<3>(3 * row));
  exact /= merit_scale(d, Communicator());
  EXPECT_GT(exact, 1e-3);
  EXPECT_NEAR(sum(), exact, 1e-4 * exact);
  const std::vector<double> shares =
      JointReactions().contradictions(d, p.solution, channel, Communicator());
  for (double share : shares) largest = std::max(largest, share);
  EXPECT_GT(shares[6] + shares[7], 0.5 * largest);
}

TEST(JointReactions, CirclesAreFound) {
  EXPECT_TRUE(joints_make_circles(testing::hinged_loop(3, DelassusForm::automatic).dynamics));
  LocalProblem p = testing::hinged_loop(3, DelassusForm::automatic);
  // One point of each hinge, and not of the last: a chain.
  for (int row = 0; row < 8; row++)
    if (row % 2 == 1 || row == 6) p.dynamics.law[row].kind = LawKind::spring;
  EXPECT_FALSE(joints_make_circles(p.dynamics));
  p.dynamics.law[6].kind = LawKind::rigid_link;
  EXPECT_TRUE(joints_make_circles(p.dynamics));
  EXPECT_FALSE(joints_make_circles(testing::tower(5, 3, DelassusForm::automatic).dynamics));
  // Bodies of many degrees of freedom, each held at two points of space.
  LocalProblem elastic = testing::start_problem({24}, 2, 0.01);
  testing::Random random(1);
  for (int row = 0; row < 2; row++) testing::add_random_row(elastic, random, 0, -1);
  for (RowLaw& law : elastic.dynamics.law) law.kind = LawKind::fixed_point;
  testing::finish_problem(elastic, DelassusForm::automatic);
  EXPECT_FALSE(joints_make_circles(elastic.dynamics));
}

}  // namespace
}  // namespace solfec::joint_reactions_test
