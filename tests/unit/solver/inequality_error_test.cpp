// The error of problems within others.
#include "solver/inequality_error.hpp"

#include <gtest/gtest.h>

#include "solver/goal.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::inequality_error_test {
namespace {

TEST(InequalityError, IsThatOfTheNaturalMap) {
  const Communicator alone = Communicator::alone();
  testing::LocalProblem p = testing::closing_contacts(1, 8, 10);
  const LocalDynamics& d = p.dynamics;
  LocalSolution& s = p.solution;
  const ConeInequality inequality(d);
  const Goal outer(1e-3, std::nullopt, d, alone);
  ProximalTerm term{0.3, s.R};
  Channel channel(alone);
  const InequalityError error(inequality, nullptr, 0.5, outer, alone);
  const InequalityError with_term(inequality, &term, 0.5, outer, alone);
  EXPECT_EQ(error.value(), 0.5);
  EXPECT_FALSE(error.is_late());
  testing::Random random(2);
  for (Vec3& R : s.R) R = random.in_box(5);
  double sum = 0, sum_with_term = 0;
  const double figure = error.measure(d, s, channel);
  for (int row = 0; row < d.rows(); row++) {
    const double w = d.W.diagonal(row).trace() / 3;
    const auto miss = [&](const Vec3& U) {
      const Vec3 next = inequality.project(row, s.R[row] - inequality.map(row, U) / w);
      return w * (s.R[row] - next).squaredNorm();
    };
    sum += miss(s.U[row]);
    sum_with_term += miss(s.U[row] + 0.3 * (s.R[row] - term.centre[row]));
  }
  EXPECT_NEAR(figure, std::sqrt(sum), 1e-12 * figure);
  EXPECT_NEAR(with_term.figure(d, s), std::sqrt(sum_with_term), 1e-12 * figure);
  // It vanishes at the solution, with a term whose centre is the solution as well.
  GaussSeidel solver(testing::tight_gauss_seidel());
  ASSERT_EQ(solver.solve(d, s, alone).status, SolveStatus::ok);
  term.centre = s.R;
  EXPECT_LT(error.figure(d, s), 1e-9 * figure);
  EXPECT_LT(with_term.figure(d, s), 1e-9 * figure);
}

}  // namespace
}  // namespace solfec::inequality_error_test
