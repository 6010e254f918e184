// Accelerated projected gradients: the first steps by hand, and how fast they converge.
#include "solver/accelerated_gradient.hpp"

#include <gtest/gtest.h>

#include "solver/goal.hpp"
#include "support/convex_law.hpp"
#include "support/hard_problems.hpp"

namespace solfec::accelerated_gradient_test {
namespace {

struct Outcome {
  IterationOutcome outcome;
  LocalSolution s;
};

Outcome run(const LocalDynamics& p, double merit_value, int iterations) {
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  Outcome result{{}, LocalSolution(p)};
  const Goal goal(merit_value, {}, p, alone);
  result.outcome = solve_by_accelerated_gradient({p, result.s, goal, channel, alone}, iterations);
  return result;
}

// A fixed point, so that nothing is projected: w = tr W / 3 = 1. The first step needs L >= the
// Rayleigh quotient of q; the second one begins further on by beta = theta' ... of Nesterov.
TEST(AcceleratedGradient, FirstStepsAreThoseOfNesterov) {
  const Vec3 w(0.5, 1, 1.5), q(1, 1, 1);
  const LocalDynamics p = testing::one_row(w.asDiagonal(), q, LawKind::fixed_point);
  // L = 1: q.W q / |q|^2 = 1, which is just allowed.
  const Vec3 R1 = -q;
  EXPECT_TRUE(run(p, 1e-30, 1).s.R[0].isApprox(R1, 1e-14));
  // theta = 1 gives beta = 0: y = R1. F = W R1 + q = (0.5, 0, -0.5), of which d = -F / L has the
  // quotient (0.5 + 1.5) / 2 = 1, which is more than L = 0.9: L = 1.8.
  const Vec3 F1 = w.cwiseProduct(R1) + q, R2 = R1 - F1 / 1.8;
  EXPECT_TRUE(run(p, 1e-30, 2).s.R[0].isApprox(R2, 1e-14));
  // theta_1 = 2 / (1 + sqrt 5), theta_2 from it; L = 1.62.
  const double t1 = 2 / (1 + std::sqrt(5.0)), t2 = 2 * t1 / (t1 + std::sqrt(t1 * t1 + 4));
  EXPECT_NEAR(t2 * t2, (1 - t2) * t1 * t1, 1e-15);
  const Vec3 y = R2 + t1 * (1 - t1) / (t1 * t1 + t2) * (R2 - R1);
  const Vec3 R3 = y - (w.cwiseProduct(y) + q) / 1.62;
  EXPECT_TRUE(run(p, 1e-30, 3).s.R[0].isApprox(R3, 1e-13));
}

// A tower needs as many sweeps as the square of its height, and accelerated steps as the height.
TEST(AcceleratedGradient, TakesStepsByTheHeightOfATower) {
  std::vector<int> iterations;
  for (int blocks : {20, 40, 80}) {
    testing::LocalProblem p =
        testing::with_convex_law(testing::tower(blocks, 1, DelassusForm::automatic));
    const Outcome end = run(p.dynamics, 1e-12, 100000);
    ASSERT_EQ(end.outcome.status, SolveStatus::ok);
    EXPECT_LT(testing::error_of_weights(end.s.R, blocks, 1), 1e-2);
    iterations.push_back(end.outcome.iterations);
  }
  EXPECT_LT(iterations[2], 6 * iterations[0]) << "16 times as many without acceleration";
  EXPECT_LT(iterations[2], 80 * 80);
}

// Rounding of W d does not end descent, nor make steps shorter and shorter.
TEST(AcceleratedGradient, GoesOnToRounding) {
  for (int seed = 0; seed < 10; seed++) {
    testing::LocalProblem p = testing::with_convex_law(testing::closing_contacts(seed, 10, 9));
    const Outcome end = run(p.dynamics, 1e-27, 20000);
    EXPECT_LT(end.outcome.figure, 1e-25) << seed;
  }
}

TEST(AcceleratedGradient, LeavesTheBestWhereItIsStopped) {
  testing::LocalProblem p = testing::with_convex_law(testing::repeated_rows(1, 0.5));
  double last = run(p.dynamics, 1e-20, 0).outcome.figure;
  for (int iterations : {1, 3, 10, 30}) {
    const Outcome end = run(p.dynamics, 1e-20, iterations);
    EXPECT_LE(end.outcome.figure, last);
    last = end.outcome.figure;
    for (const Vec3& R : end.s.R) EXPECT_TRUE(in_friction_cone(R, 0.5));
  }
}

}  // namespace
}  // namespace solfec::accelerated_gradient_test
