// Fixed-point and extragradient iterations: rates where they are known exactly, steps by the rules.
#include "solver/projection_method.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "solver/goal.hpp"
#include "solver/inequality_error.hpp"
#include "support/local_problem.hpp"
#include "support/watch.hpp"

namespace solfec::projection_method_test {
namespace {

// One contact that sticks, so that X is no bound near the solution R*. Friction is so small that
// F(R) = W (R - R*), but for the term mu |U_T| of the normal component.
struct Sticking {
  LocalDynamics p;
  Vec3 solution = Vec3(0.2, -0.1, 1e4);

  explicit Sticking(const Mat3& W) {
    p = testing::one_row(W, -W * solution, LawKind::signorini_coulomb);
    p.law[0].friction = 1e-3;
  }
  // R after so many iterations from R* + (0.1, 0.1, 0).
  Vec3 after(int iterations, ProjectionSettings settings, IterationOutcome* outcome) const {
    const Communicator alone = Communicator::alone();
    Channel channel(alone);
    LocalSolution s(p);
    s.R[0] = solution + Vec3(0.1, 0.1, 0);
    // Only the iterations are to end it.
    const Goal goal(0, ErrorTarget{1e-300, 60}, p, alone);
    *outcome =
        solve_by_projections({p, s, goal, channel, alone}, ConeInequality(p), settings, iterations);
    return s.R[0];
  }
};

constexpr Correction kCorrections[] = {Correction::none, Correction::from_prediction,
                                       Correction::from_start};

const Mat3 kSymmetric = Vec3(0.5, 1, 2).asDiagonal();

TEST(ProjectionMethod, FixedPointContractsByItsMatrix) {
  const Sticking contact(kSymmetric);
  const ProjectionSettings settings{Correction::none, StepRule::fixed, 0.7};
  for (int k : {0, 1, 5, 20}) {
    IterationOutcome outcome;
    const Vec3 R = contact.after(k, settings, &outcome);
    EXPECT_EQ(outcome.iterations, k);
    EXPECT_EQ(outcome.status, SolveStatus::diverged);
    const Vec2 left(0.1 * std::pow(1 - 0.35, k), 0.1 * std::pow(1 - 0.7, k));
    EXPECT_TRUE(R.head<2>().isApprox(contact.solution.head<2>() + left, 1e-12)) << k;
  }
}

TEST(ProjectionMethod, TwoStepsAreTwoOfTheFixedPoint) {
  const Sticking contact(kSymmetric);
  IterationOutcome outcome;
  const Vec3 two = contact.after(3, {Correction::from_prediction, StepRule::fixed, 0.7}, &outcome);
  EXPECT_EQ(two, contact.after(6, {Correction::none, StepRule::fixed, 0.7}, &outcome));
}

// W that turns tangential reactions: fixed-point iterations leave R* by |1 - i rho| each, those of
// the extragradient method come to it by |1 - rho^2 - i rho|.
TEST(ProjectionMethod, ExtragradientConvergesWhereFixedPointDoesNot) {
  Mat3 W;
  W << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  const Sticking contact(W);
  const double rho = 0.5, start = std::hypot(0.1, 0.1);
  IterationOutcome outcome;
  ProjectionSettings settings{Correction::from_start, StepRule::fixed, rho};
  const Vec3 R = contact.after(30, settings, &outcome);
  const double rate = std::hypot(1 - rho * rho, rho);
  EXPECT_NEAR((R - contact.solution).head<2>().norm() / (start * std::pow(rate, 30)), 1, 1e-9);
  settings.correction = Correction::none;
  // The best that it met is the start.
  EXPECT_TRUE(contact.after(30, settings, &outcome).isApprox(contact.solution + Vec3(0.1, 0.1, 0)));
}

// From a step that is a million times too long or too short.
TEST(ProjectionMethod, RulesFindAStep) {
  const Sticking contact(kSymmetric);
  for (double rho : {1e-6, 1.0, 1e6})
    for (StepRule rule : {StepRule::khobotov, StepRule::solodov_tseng})
      for (Correction correction : kCorrections) {
        const Communicator alone = Communicator::alone();
        Channel channel(alone);
        LocalSolution s(contact.p);
        const Goal goal(0, ErrorTarget{1e-12, 60}, contact.p, alone);
        ProjectionSettings settings{correction, rule, rho};
        const IterationOutcome outcome = solve_by_projections(
            {contact.p, s, goal, channel, alone}, ConeInequality(contact.p), settings, 1000);
        EXPECT_EQ(outcome.status, SolveStatus::ok) << rho;
        EXPECT_LE(outcome.figure, 1e-12);
        EXPECT_LT(outcome.iterations, 300);
        EXPECT_TRUE((s.R[0] - contact.solution).norm() < 1e-7);
      }
}

TEST(ProjectionMethod, SolvesContacts) {
  for (int seed = 0; seed < 10; seed++)
    for (StepRule rule : {StepRule::khobotov, StepRule::solodov_tseng})
      for (Correction correction : kCorrections) {
        testing::LocalProblem p = testing::closing_contacts(seed, 8, 10);
        const Communicator alone = Communicator::alone();
        Channel channel(alone);
        const Goal goal(0, ErrorTarget{1e-10, 60}, p.dynamics, alone);
        ProjectionSettings settings{correction, rule};
        const IterationOutcome outcome =
            solve_by_projections({p.dynamics, p.solution, goal, channel, alone},
                                 ConeInequality(p.dynamics), settings, 200000);
        ASSERT_EQ(outcome.status, SolveStatus::ok) << seed;
        EXPECT_LT(testing::worst_violation(p, p.solution.R), 1e-6) << seed;
      }
}

// With the slip held it is a convex programme, f never rises by Armijo's rule, and its solution is
// that of the other rules.
TEST(ProjectionMethod, ArmijosRuleDescends) {
  for (int seed = 0; seed < 5; seed++) {
    testing::LocalProblem p = testing::closing_contacts(seed, 8, 10);
    const LocalDynamics& d = p.dynamics;
    const Communicator alone = Communicator::alone();
    Channel channel(alone);
    ConeInequality inequality(d, HeldPart::slip);
    inequality.hold(p.solution);
    const auto f = [&](const LocalSolution& s) {
      double sum = 0;
      for (int row = 0; row < d.rows(); row++) {
        const Vec3 held = inequality.map(row, d.B[row]);  // F at R = 0
        sum += s.R[row].dot(0.5 * (s.U[row] - d.B[row]) + held);
      }
      return sum;
    };
    const auto solve = [&](StepRule rule, const Criterion& criterion, int iterations) {
      LocalSolution s(d);
      ProjectionSettings settings{Correction::none, rule};
      solve_by_projections({d, s, criterion, channel, alone}, inequality, settings, iterations);
      return s;
    };
    const testing::Watch watch(f);
    solve(StepRule::armijo, watch, 100);
    ASSERT_EQ(watch.values.size(), 102u);
    for (std::size_t k = 1; k < watch.values.size(); k++)
      EXPECT_LE(watch.values[k], watch.values[k - 1] + 1e-12) << seed << ' ' << k;
    const Goal outer(0, std::nullopt, d, alone);
    const InequalityError error(inequality, nullptr, 1e-10, outer, alone);
    const LocalSolution a = solve(StepRule::armijo, error, 100000),
                        b = solve(StepRule::khobotov, error, 100000);
    EXPECT_NEAR(f(a), f(b), 1e-9 * std::abs(f(b)));
    EXPECT_LT((testing::flat(a.U) - testing::flat(b.U)).norm(), 1e-6);
  }
}

TEST(ProjectionMethod, EndsWhenItsTimeIsOver) {
  testing::LocalProblem p = testing::closing_contacts(1, 8, 10);
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  const Goal goal(0, ErrorTarget{1e-15, 1e-9}, p.dynamics, alone);
  ProjectionSettings settings;
  EXPECT_EQ(solve_by_projections({p.dynamics, p.solution, goal, channel, alone},
                                 ConeInequality(p.dynamics), settings, 1000)
                .status,
            SolveStatus::out_of_time);
}

}  // namespace
}  // namespace solfec::projection_method_test
