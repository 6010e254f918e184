// The solvers of the comparison of 2018 on several ranks against one: the same steps, but for the
// rounding of sums over ranks.
#include "solver/nonsmooth.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "support/split_cases.hpp"

namespace solfec::nonsmooth_test {
namespace {

using testing::Case;
using testing::flat;
using testing::ProblemPart;

TEST(ParallelNonsmooth, RanksFindWhatOneFinds) {
  for (const NonsmoothEntry& entry : nonsmooth_methods())
    for (DelassusForm form : testing::kForms)
      for (Case& c : testing::all_cases(3, form)) {
        SCOPED_TRACE(std::string(entry.name) + c.name);
        NonsmoothSettings settings;
        settings.method = nonsmooth_method(entry.name);
        settings.merit_value = 1e-18;
        settings.max_iterations = 200000;
        if (entry.name == std::string_view("FP-DS")) settings.rho = 2;
        Nonsmooth one(settings), many(settings);
        const SolveResult result = testing::expect_what_one_rank_finds(one, many, c, form, 1e-7);
        EXPECT_NEAR(many.iterations, one.iterations, 1 + 0.2 * one.iterations);
        testing::expect_same_on_all_ranks({1.0 * many.iterations, result.merit});
      }
}

// The first iterations, with their steps, are the same but for the rounding of sums.
TEST(ParallelNonsmooth, StepsAreThoseOfOneRank) {
  for (const NonsmoothEntry& entry : nonsmooth_methods())
    for (Case& c : testing::all_cases(5, DelassusForm::assembled)) {
      SCOPED_TRACE(std::string(entry.name) + c.name);
      NonsmoothSettings settings;
      settings.method = nonsmooth_method(entry.name);
      settings.max_iterations = 4;
      const LocalDynamics& whole = c.problem.dynamics;
      LocalSolution found(whole);
      Nonsmooth(settings).solve(whole, found, Communicator::alone());
      ProblemPart part = testing::my_part(c, DelassusForm::assembled);
      Nonsmooth(settings).solve(part.dynamics, part.solution, Communicator());
      const auto R = testing::of_all(part, part.solution.R, whole.rows());
      EXPECT_LT((flat(R) - flat(found.R)).norm(), 1e-10 * (1 + flat(found.R).norm()));
    }
}

// Where one rank has a spring all throw.
TEST(ParallelNonsmooth, RefusesSpringsOfAnyRank) {
  Case c = testing::random_case(3, DelassusForm::assembled);
  ProblemPart part = testing::my_part(c, DelassusForm::assembled);
  if (Communicator().rank() == 0 && part.dynamics.rows() > 0)
    part.dynamics.law[0].kind = LawKind::spring;
  EXPECT_THROW(Nonsmooth({}).solve(part.dynamics, part.solution, Communicator()), RunError);
}

}  // namespace
}  // namespace solfec::nonsmooth_test
