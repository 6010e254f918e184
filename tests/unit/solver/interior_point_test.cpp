// The interior-point method: how many iterations, units, problems whose W has no full rank.
#include "solver/interior_point.hpp"

#include <gtest/gtest.h>

#include "solver/goal.hpp"
#include "support/convex_law.hpp"
#include "support/hard_problems.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::interior_point_test {
namespace {

IterationOutcome run(const LocalDynamics& p, LocalSolution& s, double merit_value,
                     int iterations = 1000) {
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  const Goal goal(merit_value, {}, p, alone);
  return InteriorPoint().solve({p, s, goal, channel, alone}, iterations);
}

TEST(InteriorPoint, TakesHardlyMoreIterationsForHigherTowers) {
  for (const bool is_convex : {false, true})
    for (int blocks : {5, 20, 80, 320}) {
      testing::LocalProblem p = testing::tower(blocks, 1, DelassusForm::automatic);
      if (is_convex) p = testing::with_convex_law(p);
      const IterationOutcome end = run(p.dynamics, p.solution, 1e-12);
      ASSERT_EQ(end.status, SolveStatus::ok);
      EXPECT_LE(end.iterations, 30) << blocks;
      EXPECT_LT(testing::error_of_weights(p.solution.R, blocks, 1), 1e-3);
    }
}

// Rows that are there twice have no unique reactions.
TEST(InteriorPoint, TakesWithoutFullRank) {
  for (int seed = 0; seed < 20; seed++)
    for (double friction : {0.0, 0.3, 1.0}) {
      testing::LocalProblem p = testing::repeated_rows(seed, friction);
      ASSERT_EQ(run(p.dynamics, p.solution, 1e-16).status, SolveStatus::ok)
          << seed << ' ' << friction;
      EXPECT_LT(merit(p.dynamics, p.solution, Communicator()), 1e-15);
    }
}

// Glue of any strength admits any reactions of rows that are there twice, one against the other.
TEST(InteriorPoint, TakesReactionsNearToZero) {
  for (int seed = 0; seed < 20; seed++) {
    testing::LocalProblem p = testing::repeated_rows(seed, 1);
    double natural = 0, largest = 0;
    for (int row = 0; row < p.dynamics.rows(); row++) {
      p.dynamics.law[row].cohesion = 1e12;
      natural = std::max(natural, p.dynamics.B[row].norm() / row_weight(p.dynamics, row));
    }
    ASSERT_EQ(run(p.dynamics, p.solution, 1e-10).status, SolveStatus::ok) << seed;
    for (const Vec3& R : p.solution.R) largest = std::max(largest, R.norm());
    EXPECT_LT(largest, 100 * natural) << seed;
  }
}

// Half of the digits are lost on the way along the inside, and found again at its end.
TEST(InteriorPoint, EndsAtRounding) {
  for (int seed = 0; seed < 20; seed++) {
    testing::LocalProblem p = testing::closing_contacts(seed, 10, 9);
    EXPECT_EQ(run(p.dynamics, p.solution, 1e-26).status, SolveStatus::ok) << seed;
  }
}

// Its end may take more steps than the way there. They count, and can be bounded.
TEST(InteriorPoint, CountsAndBoundsTheStepsOfItsEnd) {
  const Communicator alone = Communicator::alone();
  Channel channel(alone);
  int own = 0;
  for (double most_end : {0.0, 1.0}) {
    testing::LocalProblem p = testing::repeated_rows(15, 1);
    const Goal goal(1e-40, {}, p.dynamics, alone);
    const IterationOutcome end =
        InteriorPoint().solve({p.dynamics, p.solution, goal, channel, alone}, 1000, most_end);
    EXPECT_EQ(end.status, SolveStatus::diverged);
    if (most_end == 0) own = end.iterations;
    EXPECT_EQ(end.iterations, (1 + most_end) * own);
  }
}

// Neither the path nor its end goes on from the R that is given, however near it is: an end that
// did fails where its own does not.
TEST(InteriorPoint, MakesNoUseOfItsStart) {
  int compared = 0;
  for (int seed = 0; seed < 20; seed++) {
    testing::LocalProblem p = testing::repeated_rows(seed, 1),
                          same = testing::repeated_rows(seed, 1);
    const IterationOutcome end = run(p.dynamics, p.solution, 1e-16);
    ASSERT_EQ(run(same.dynamics, same.solution, 1e-8).status, SolveStatus::ok);
    const IterationOutcome again = run(same.dynamics, same.solution, 1e-16);
    EXPECT_EQ(again.status, SolveStatus::ok) << seed;
    if (again.iterations == 0) continue;
    compared++;
    EXPECT_EQ(again.iterations, end.iterations) << seed;
    EXPECT_EQ(same.solution.R, p.solution.R) << seed;
  }
  EXPECT_GT(compared, 10);
}

TEST(InteriorPoint, LeavesNothingInOpenContacts) {
  int open = 0;
  for (int seed = 0; seed < 20; seed++) {
    testing::LocalProblem p = testing::closing_contacts(seed, 10, 9);
    ASSERT_EQ(run(p.dynamics, p.solution, 1e-12).status, SolveStatus::ok);
    for (int row = 0; row < p.dynamics.rows(); row++)
      if (p.solution.U[row].z() > 1e-3) {
        open++;
        EXPECT_EQ(p.solution.R[row], Vec3::Zero());
      }
  }
  EXPECT_GT(open, 5);
}

// With masses in tonnes for kilogrammes and velocities in mm/s for m/s reactions are the same in
// other units, after as many iterations.
TEST(InteriorPoint, DoesNotKnowUnits) {
  testing::LocalProblem p = testing::closing_contacts(4, 10, 9), q = p;
  constexpr double kForce = 1.0 / 4096, kVelocity = 1024;
  BlockRows blocks;
  blocks.begin.push_back(0);
  for (int row = 0; row < p.dynamics.rows(); row++) {
    for (int column : p.dynamics.W.neighbours(row)) {
      blocks.column.push_back(column);
      blocks.value.push_back(kVelocity / kForce * p.dynamics.W.block(row, column));
    }
    blocks.begin.push_back(blocks.column.size());
    q.dynamics.B[row] *= kVelocity;
    q.dynamics.V[row] *= kVelocity;
  }
  q.dynamics.W.set_blocks(1, std::move(blocks));
  const IterationOutcome first = run(p.dynamics, p.solution, 1e-14);
  const IterationOutcome second = run(q.dynamics, q.solution, 1e-14);
  ASSERT_EQ(first.status, SolveStatus::ok);
  EXPECT_EQ(first.iterations, second.iterations);
  for (int row = 0; row < p.dynamics.rows(); row++)
    EXPECT_LT((kForce * p.solution.R[row] - q.solution.R[row]).norm(),
              1e-6 * kForce * (1 + p.solution.R[row].norm()));
}

TEST(InteriorPoint, NoContactsAreNoProblem) {
  testing::LocalProblem p = testing::closing_contacts(1, 8, 3);
  for (RowLaw& law : p.dynamics.law) law.kind = LawKind::fixed_point;
  const IterationOutcome end = run(p.dynamics, p.solution, 1e-20);
  EXPECT_EQ(end.status, SolveStatus::ok);
  EXPECT_LE(end.iterations, 3);
}

// Two walls come together with a body between them: no reaction holds them.
TEST(InteriorPoint, StopsWhereNothingSolvesIt) {
  testing::LocalProblem p = testing::start_problem({6}, 2, 0.01);
  for (double side : {1.0, -1.0}) {
    double* block = p.dynamics.W.add_row(0, -1);
    std::fill_n(block, 18, 0.0);
    block[12 + 2] = side;
    p.dynamics.B.emplace_back(0, 0, -1);
    p.dynamics.V.push_back(Vec3::Zero());
    p.dynamics.law.emplace_back();
  }
  p.dynamics.W.finish(DelassusForm::automatic);
  p.solution = LocalSolution(p.dynamics);
  const IterationOutcome end = run(p.dynamics, p.solution, 1e-14);
  EXPECT_EQ(end.status, SolveStatus::diverged);
  EXPECT_LE(end.iterations, 100);
  for (const Vec3& R : p.solution.R) EXPECT_TRUE(R.allFinite());
}

}  // namespace
}  // namespace solfec::interior_point_test
