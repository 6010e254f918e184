// Newton's method on the maps of the law: where W has full rank all maps and searches solve, and
// the end of it is quadratic.
#include "solver/nonsmooth_newton.hpp"

#include <gtest/gtest.h>

#include "solver/goal.hpp"
#include "solver/inequality_error.hpp"
#include "support/hard_problems.hpp"

namespace solfec::nonsmooth_newton_test {
namespace {

constexpr ContactMap kMaps[] = {ContactMap::natural, ContactMap::alart_curnier,
                                ContactMap::jean_moreau, ContactMap::fischer_burmeister};
constexpr LineSearch kSearches[] = {LineSearch::none, LineSearch::goldstein_price,
                                    LineSearch::armijo};

IterationOutcome solve(const LocalDynamics& p, LocalSolution& s, const Criterion& criterion,
                       const NonsmoothNewtonSettings& settings, int iterations,
                       const ProximalTerm* term = nullptr) {
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  return NonsmoothNewton().solve({p, s, criterion, channel, alone}, term, settings, iterations);
}

TEST(NonsmoothNewton, SolvesWhereWHasFullRank) {
  const Communicator alone = Communicator::alone();
  for (ContactMap map : kMaps)
    for (LineSearch search : kSearches) {
      int solved = 0;
      constexpr int kCases = 20;
      for (int seed = 0; seed < kCases; seed++) {
        testing::LocalProblem p = testing::full_rank(seed);
        const Goal goal(0, ErrorTarget{1e-6, 60}, p.dynamics, alone);
        const IterationOutcome outcome = solve(p.dynamics, p.solution, goal, {map, search}, 200);
        if (outcome.status != SolveStatus::ok) continue;
        solved++;
        EXPECT_LT(testing::worst_violation(p, p.solution.R), 1e-4);
      }
      EXPECT_GE(solved, search == LineSearch::none ? 12 : 18)
          << static_cast<int>(map) << ' ' << static_cast<int>(search);
    }
}

// From near a solution, 1E-4 from it, three steps come to 1E-12: with a linear rate it would have
// to be 1/500.
TEST(NonsmoothNewton, IsQuadraticNearASolution) {
  const Communicator alone = Communicator::alone();
  for (ContactMap map : {ContactMap::natural, ContactMap::alart_curnier, ContactMap::jean_moreau}) {
    int cases = 0;
    for (int seed = 0; seed < 20; seed++) {
      testing::LocalProblem p = testing::full_rank(seed);
      const Goal exact(0, ErrorTarget{1e-13, 60}, p.dynamics, alone);
      const NonsmoothNewtonSettings settings{map, LineSearch::goldstein_price};
      if (solve(p.dynamics, p.solution, exact, settings, 200).status != SolveStatus::ok) continue;
      testing::Random random(seed);
      for (Vec3& R : p.solution.R) R += 1e-4 * R.norm() * random.direction();
      const Goal near(0, ErrorTarget{1e-12, 60}, p.dynamics, alone);
      const IterationOutcome outcome =
          solve(p.dynamics, p.solution, near, {map, LineSearch::none}, 3);
      EXPECT_EQ(outcome.status, SolveStatus::ok) << seed;
      cases++;
    }
    EXPECT_GT(cases, 10);
  }
}

TEST(NonsmoothNewton, TermGivesFullRank) {
  const Communicator alone = Communicator::alone();
  testing::LocalProblem p = testing::repeated_rows(1, 0.3);
  const ConeInequality inequality(p.dynamics);
  ProximalTerm term{2.5, {}};
  testing::Random random(3);
  for (int row = 0; row < p.dynamics.rows(); row++) term.centre.push_back(random.in_box(1));
  const Goal outer(0, ErrorTarget{1e-10, 60}, p.dynamics, alone);
  const InequalityError error(inequality, &term, 1e-9, outer, alone);
  const NonsmoothNewtonSettings settings{ContactMap::alart_curnier, LineSearch::goldstein_price};
  ASSERT_EQ(solve(p.dynamics, p.solution, error, settings, 100, &term).status, SolveStatus::ok);
  const Eigen::VectorXd R = testing::flat(p.solution.R), U = p.W * R + testing::flat(p.dynamics.B) +
                                                             2.5 * (R - testing::flat(term.centre));
  for (int row = 0; row < p.dynamics.rows(); row++)
    EXPECT_LT(testing::law_violation(U.segment<3>(3 * row), p.solution.R[row], 0.3, 1, 1), 1e-7);
}

TEST(NonsmoothNewton, LeavesTheBestWhereItFails) {
  const Communicator alone = Communicator::alone();
  testing::LocalProblem p = testing::tower(12, 4, DelassusForm::assembled);
  const Goal goal(0, ErrorTarget{1e-8, 60}, p.dynamics, alone);
  Channel channel(alone);
  const double start = goal.measure(p.dynamics, p.solution, channel);
  // W of a tower is singular.
  const IterationOutcome outcome =
      solve(p.dynamics, p.solution, goal, {ContactMap::alart_curnier, LineSearch::none}, 1000000);
  EXPECT_EQ(outcome.status, SolveStatus::diverged);
  EXPECT_LE(outcome.figure, start);
  EXPECT_LT(outcome.iterations, 100000);
  for (int row = 0; row < p.dynamics.rows(); row++)
    EXPECT_TRUE(in_friction_cone(p.solution.R[row], 0.5));
}

}  // namespace
}  // namespace solfec::nonsmooth_newton_test
