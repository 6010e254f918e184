#include "local_dynamics/largest_miss.hpp"

#include <gtest/gtest.h>

#include "support/local_problem.hpp"

namespace solfec::largest_miss_test {
namespace {

// Ten bodies on the ground, all but the last one a billion times as heavy; free velocities are
// those of a step of free fall. Only the contact of the light one is not solved.
struct Row {
  testing::LocalProblem p = testing::start_problem(std::vector<int>(10, 3), 10, 0.01);

  explicit Row(double free) {
    LocalDynamics& d = p.dynamics;
    for (int row = 0; row < 10; row++) {
      double* block = d.W.add_row(row, -1);
      const double root = row < 9 ? 1e-4 : 1;  // of the inverse mass
      for (int k = 0; k < 3; k++) block[4 * k] = root;
      d.B.emplace_back(0, 0, -free);
      d.V.emplace_back(0, 0, 0);
      p.solution.R.emplace_back(0, 0, row < 9 ? free / (0.01 * root * root) : 0.0);
      RowLaw law;
      law.remaining = 0.005;
      d.law.push_back(law);
    }
    d.W.finish(DelassusForm::assembled);
    update_velocities(d, p.solution);
  }
};

TEST(LargestMiss, IsOfTheLightestBody) {
  for (double free : {0.1, 3.0}) {
    Row row(free);
    EXPECT_LT(merit(row.p.dynamics, row.p.solution, Communicator()), 2e-9);  // what solvers go by
    const LargestMiss found = largest_miss(row.p.dynamics, row.p.solution, Communicator());
    EXPECT_EQ(found.row, 9);
    EXPECT_NEAR(found.miss, free, 1e-12);
    EXPECT_NEAR(found.free, free, 1e-12);
    EXPECT_NEAR(found.pressed, free, 1e-12) << "the heavy ones are held";
  }
}

TEST(LargestMiss, IsThatOfARowOfARandomProblem) {
  testing::Random random(5);
  for (int seed = 1; seed <= 20; seed++) {
    auto p = testing::random_problem(seed, 5, 15, 0.01, DelassusForm::automatic);
    const LocalDynamics& d = p.dynamics;
    LocalSolution& s = p.solution;
    for (Vec3& R : s.R) R = random.in_box(10);
    update_velocities(d, s);
    merit(d, s, Communicator());
    double miss = 0;
    for (int row = 0; row < d.rows(); row++) miss = std::max(miss, residual(d, s, row).norm());
    const LargestMiss found = largest_miss(d, s, Communicator());
    EXPECT_EQ(found.miss, miss);
    EXPECT_EQ(residual(d, s, found.row).norm(), miss);
  }
}

TEST(LargestMiss, OfNoContacts) {
  Row row(1);
  for (RowLaw& law : row.p.dynamics.law) law.kind = LawKind::fixed_point;
  const LargestMiss found = largest_miss(row.p.dynamics, row.p.solution, Communicator());
  EXPECT_EQ(found.row, -1);
  EXPECT_EQ(found.miss, 0);
  EXPECT_EQ(found.free, 1);
}

// Jointed bodies may rest on each other while all free velocities are those of their joints.
TEST(LargestMiss, IsComparedWithJointsToo) {
  Row row(1e-9);
  merit(row.p.dynamics, row.p.solution, Communicator());
  row.p.dynamics.law[4].kind = LawKind::fixed_point;
  row.p.dynamics.B[4] = Vec3(0, 0.1, 0);
  const LargestMiss found = largest_miss(row.p.dynamics, row.p.solution, Communicator());
  EXPECT_EQ(found.row, 9);
  EXPECT_EQ(found.free, 0.1);
}

}  // namespace
}  // namespace solfec::largest_miss_test
