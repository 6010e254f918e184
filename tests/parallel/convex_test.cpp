// The solver of the convex problem on several ranks against one: products and projections make the
// same steps but for the rounding of sums, sweeps those of other orders, with the same end.
#include "solver/convex.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/convex_law.hpp"
#include "support/split_cases.hpp"

namespace solfec::convex_test {
namespace {

using testing::Case;
using testing::flat;
using testing::ProblemPart;

ConvexSettings settings_of(const ConvexEntry& entry) {
  ConvexSettings settings;
  settings.method = entry.method;
  settings.merit_value = 1e-16;
  settings.max_iterations = 200000;
  if (entry.omega > 0) settings.omega = 0.5 * entry.omega;
  return settings;
}

std::vector<Case> cases(int seed, DelassusForm form) {
  std::vector<Case> all = testing::all_cases(seed, form);
  for (Case& c : all) {
    c.problem.dynamics.law[1].kind = LawKind::fixed_direction;
    give_convex_law(c.problem.dynamics.law);
  }
  return all;
}

TEST(ParallelConvex, RanksFindWhatOneFinds) {
  for (const ConvexEntry& entry : convex_methods())
    for (DelassusForm form : testing::kForms)
      for (Case& c : cases(3, form)) {
        SCOPED_TRACE(std::string(entry.name) + " " + c.name);
        const LocalDynamics& whole = c.problem.dynamics;
        LocalSolution found(whole);
        EXPECT_EQ(Convex(settings_of(entry)).solve(whole, found, Communicator::alone()).status,
                  SolveStatus::ok);
        ProblemPart part = testing::my_part(c, form);
        Convex many(settings_of(entry));
        const SolveResult result = many.solve(part.dynamics, part.solution, Communicator());
        EXPECT_EQ(result.status, SolveStatus::ok);
        const auto R = testing::of_all(part, part.solution.R, whole.rows());
        const auto U = testing::of_all(part, part.solution.U, whole.rows());
        EXPECT_LT((flat(U) - flat(found.U)).norm(), 1e-6);
        for (std::size_t k = part.dynamics.rows(); k < part.rows.size(); k++)
          EXPECT_EQ(part.solution.R[k], R[part.rows[k]]);
        testing::expect_same_on_all_ranks({1.0 * many.iterations, result.merit});
      }
}

TEST(ParallelConvex, StepsOfProductsAreThoseOfOneRank) {
  for (const ConvexEntry& entry : convex_methods()) {
    if (entry.method != ConvexMethod::apgd && entry.method != ConvexMethod::jacobi) continue;
    for (Case& c : cases(5, DelassusForm::assembled)) {
      SCOPED_TRACE(std::string(entry.name) + " " + c.name);
      ConvexSettings settings = settings_of(entry);
      settings.max_iterations = 6;
      const LocalDynamics& whole = c.problem.dynamics;
      LocalSolution found(whole);
      Convex(settings).solve(whole, found, Communicator::alone());
      ProblemPart part = testing::my_part(c, DelassusForm::assembled);
      Convex(settings).solve(part.dynamics, part.solution, Communicator());
      const auto R = testing::of_all(part, part.solution.R, whole.rows());
      EXPECT_LT((flat(R) - flat(found.R)).norm(), 1e-10 * (1 + flat(found.R).norm()));
    }
  }
}

// Where one rank has a spring all throw.
TEST(ParallelConvex, RefusesSpringsOfAnyRank) {
  Case c = cases(3, DelassusForm::assembled)[0];
  ProblemPart part = testing::my_part(c, DelassusForm::assembled);
  if (Communicator().rank() == 0 && part.dynamics.rows() > 0)
    part.dynamics.law[0].kind = LawKind::spring;
  EXPECT_THROW(Convex({}).solve(part.dynamics, part.solution, Communicator()), RunError);
}

}  // namespace
}  // namespace solfec::convex_test
