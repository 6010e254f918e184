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

NonsmoothSettings settings_of(std::string_view method, double merit_value) {
  NonsmoothSettings settings;
  settings.method = nonsmooth_method(method);
  settings.merit_value = merit_value;
  settings.max_iterations = 200000;
  if (method == "FP-DS") settings.rho = 2;
  return settings;
}

TEST(ParallelNonsmooth, RanksFindWhatOneFinds) {
  for (const NonsmoothEntry& entry : nonsmooth_methods()) {
    if (!std::holds_alternative<ProjectionKind>(entry.kind)) continue;
    for (DelassusForm form : testing::kForms)
      for (Case& c : testing::all_cases(3, form)) {
        SCOPED_TRACE(std::string(entry.name) + c.name);
        const NonsmoothSettings settings = settings_of(entry.name, 1e-18);
        Nonsmooth one(settings), many(settings);
        const SolveResult result = testing::expect_what_one_rank_finds(one, many, c, form, 1e-7);
        EXPECT_NEAR(many.iterations, one.iterations, 1 + 0.2 * one.iterations);
        testing::expect_same_on_all_ranks({1.0 * many.iterations, result.merit});
      }
  }
}

// One or two methods of each of the other families.
TEST(ParallelNonsmooth, FamiliesFindWhatOneRankFinds) {
  for (std::string_view name :
       {"NSN-NM-GP", "NSN-FB-GP", "NSGS-EXACT", "NSGS-AC-GP-FULLY-SHUFFLED",
        "NSGS-FP-VI-UPK-ADAPTIVE", "PSOR-AC-GP", "PPA-NSN-AC-GP", "PPA-NSGS-AC-SIGMA",
        "PANA-PGS-FP-VI-UPK", "TRESCA-NSGS-FP-VI-UPK", "ACLM-CONVEXQP-PG"})
    for (Case& c : testing::all_cases(3, DelassusForm::assembled)) {
      SCOPED_TRACE(std::string(name) + c.name);
      const NonsmoothSettings settings = settings_of(name, 1e-13);
      Nonsmooth one(settings), many(settings);
      const SolveResult result =
          testing::expect_what_one_rank_finds(one, many, c, DelassusForm::assembled, 1e-5);
      testing::expect_same_on_all_ranks({1.0 * many.iterations, result.merit});
    }
}

// The first iterations of projections, with their steps, are the same but for the rounding of sums.
// (Sweeps of several ranks go through the rows in another order.)
TEST(ParallelNonsmooth, StepsAreThoseOfOneRank) {
  for (const NonsmoothEntry& entry : nonsmooth_methods()) {
    if (!std::holds_alternative<ProjectionKind>(entry.kind)) continue;
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
