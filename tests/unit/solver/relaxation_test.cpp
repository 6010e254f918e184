// Sweeps of the convex problem: their order, that they descend, what too long steps do.
#include "solver/relaxation.hpp"

#include <gtest/gtest.h>

#include "solver/goal.hpp"
#include "support/convex_law.hpp"
#include "support/hard_problems.hpp"
#include "support/watch.hpp"

namespace solfec::relaxation_test {
namespace {

using testing::flat;

std::vector<Vec3> after(const LocalDynamics& p, const RelaxationSettings& settings, int iterations,
                        IterationOutcome* outcome = nullptr) {
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  LocalSolution s(p);
  const Goal goal(1e-30, {}, p, alone);
  SweepStages stages;
  const auto done = solve_by_relaxation({p, s, goal, channel, alone}, settings, stages, iterations);
  if (outcome) *outcome = done;
  return s.R;
}

double value(const testing::LocalProblem& p, const std::vector<Vec3>& R) {
  const Eigen::VectorXd x = flat(R);
  return 0.5 * x.dot(p.W * x) + x.dot(flat(p.dynamics.B));
}

// Two sweeps on dense matrices.
std::vector<Vec3> by_hand(const testing::LocalProblem& p, const RelaxationSettings& settings) {
  const int rows = p.dynamics.rows();
  std::vector<Vec3> R(rows, Vec3::Zero());
  for (int sweep : {0, 1}) {
    const std::vector<Vec3> old = R;
    for (int k = 0; k < rows; k++) {
      const bool backwards = sweep == 1 && settings.splitting == Splitting::symmetric;
      const int row = backwards ? rows - 1 - k : k;
      const bool jacobi = settings.splitting == Splitting::jacobi;
      const Eigen::VectorXd U = flat(p.dynamics.B) + p.W * flat(jacobi ? old : R);
      const double eta = 3 / p.W.block<3, 3>(3 * row, 3 * row).trace();
      const Vec3 projected =
          project_on_friction_cone(Vec3(R[row] - settings.omega * eta * U.segment<3>(3 * row)),
                                   p.dynamics.law[row].friction);
      R[row] = settings.lambda * projected + (1 - settings.lambda) * R[row];
    }
  }
  return R;
}

TEST(Relaxation, SweepsAreThoseOfThePaper) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored}) {
    const testing::LocalProblem p =
        testing::with_convex_law(testing::closing_contacts(2, 8, 12, form));
    for (Splitting splitting : {Splitting::jacobi, Splitting::gauss_seidel, Splitting::symmetric}) {
      const RelaxationSettings settings{splitting, 0.3, 0.9};
      const auto R = after(p.dynamics, settings, 2);
      EXPECT_LT((flat(R) - flat(by_hand(p, settings))).norm(), 1e-12 * flat(R).norm());
    }
  }
}

// A joint is solved by its block where omega = lambda = 1.
TEST(Relaxation, SolvesAJointByItself) {
  testing::LocalProblem p = testing::closing_contacts(2, 3, 1);
  for (LawKind kind : {LawKind::fixed_point, LawKind::fixed_direction}) {
    p.dynamics.law[0].kind = kind;
    IterationOutcome outcome;
    after(p.dynamics, {Splitting::gauss_seidel, 1, 1}, 5, &outcome);
    EXPECT_LT(outcome.figure, 1e-25);
  }
}

// f falls with each sweep, by the theorem of Anitescu and Tasora.
TEST(Relaxation, Descends) {
  for (int seed = 0; seed < 5; seed++) {
    const testing::LocalProblem p =
        testing::with_convex_law(testing::closing_contacts(seed, 5, 20));
    for (const RelaxationSettings& settings :
         {RelaxationSettings{Splitting::gauss_seidel, 0.6, 1},
          RelaxationSettings{Splitting::gauss_seidel, 0.6, 0.5},
          RelaxationSettings{Splitting::symmetric, 0.6, 1},
          RelaxationSettings{Splitting::jacobi, 0.08, 1}}) {
      // Of the last R, which need not be the best by its figure.
      const Communicator alone = Communicator::alone();
      Channel channel(alone);
      SweepStages stages;
      double last = 0;
      for (int k = 1; k < 15; k++) {
        LocalSolution s(p.dynamics);
        const testing::Watch watch([&](const LocalSolution& now) { return value(p, now.R); });
        solve_by_relaxation({p.dynamics, s, watch, channel, alone}, settings, stages, k);
        EXPECT_LE(watch.values.back(), last + 1e-12 * std::abs(last)) << seed << ' ' << k;
        last = watch.values.back();
      }
      EXPECT_LT(last, 0);
    }
  }
}

TEST(Relaxation, SweepsByTheSquareOfTheHeightOfATower) {
  const testing::LocalProblem p =
      testing::with_convex_law(testing::tower(30, 1, DelassusForm::automatic));
  const Communicator alone = Communicator::alone();
  const auto sweeps = [&](Splitting splitting) {
    Channel channel(alone);
    LocalSolution s(p.dynamics);
    const Goal goal(1e-12, {}, p.dynamics, alone);
    SweepStages stages;
    const auto outcome = solve_by_relaxation({p.dynamics, s, goal, channel, alone},
                                             {splitting, 1, 1}, stages, 1000000);
    EXPECT_EQ(outcome.status, SolveStatus::ok);
    EXPECT_LT(testing::error_of_weights(s.R, 30, 1), 1e-2);
    return outcome.iterations;
  };
  const int forward = sweeps(Splitting::gauss_seidel);
  EXPECT_GT(forward, 30 * 30);
  EXPECT_NEAR(sweeps(Splitting::symmetric), forward, 0.2 * forward);
  EXPECT_NEAR(sweeps(Splitting::jacobi), 2 * forward, 0.4 * forward);
}

}  // namespace
}  // namespace solfec::relaxation_test
