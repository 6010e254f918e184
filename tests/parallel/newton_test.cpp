// The Newton solver on several ranks against one: the same velocities, criteria and counts of all
// ranks together; as many messages as products.
#include "solver/newton.hpp"

#include <gtest/gtest.h>

#include "support/split_cases.hpp"
#include "support/tight_solvers.hpp"

namespace solfec::newton_test {
namespace {

using testing::Case;
using testing::flat;
using testing::ProblemPart;

TEST(ParallelNewton, RanksFindWhatOneFinds) {
  for (DelassusForm form : testing::kForms)
    for (DeltaUnit unit : {DeltaUnit::average, DeltaUnit::smallest, DeltaUnit::largest})
      for (Case& c : testing::all_cases(3, form)) {
        SCOPED_TRACE(c.name);
        NewtonSettings settings = testing::tight_newton();
        settings.delta_unit = unit;
        Newton one(settings), many(settings);
        const SolveResult result = testing::expect_what_one_rank_finds(one, many, c, form, 1e-8);
        EXPECT_NEAR(many.iterations, one.iterations, 1 + 0.2 * one.iterations);
        testing::expect_same_on_all_ranks(
            {1.0 * many.iterations, result.merit, many.merit_history.front()});
      }
}

// A sweep goes through the rows of its rank only: iterations differ, and what they find does not.
TEST(ParallelNewton, RanksFindTheSameByTheirSweeps) {
  constexpr auto form = DelassusForm::factored;
  for (Case& c : testing::all_cases(3, form)) {
    SCOPED_TRACE(c.name);
    NewtonSettings settings = testing::tight_newton();
    settings.swept = true;
    Newton one(settings), many(settings);
    const SolveResult result = testing::expect_what_one_rank_finds(one, many, c, form, 1e-8);
    testing::expect_same_on_all_ranks({1.0 * many.iterations, result.merit});
  }
}

// A product with W, and the measure of an iteration, take one message to each neighbour; an
// iteration of GMRES takes one reduction.
TEST(ParallelNewton, SendsOneMessagePerProduct) {
  for (Case& c : testing::all_cases(3, DelassusForm::factored)) {
    SCOPED_TRACE(c.name);
    NewtonSettings settings = testing::tight_newton();
    settings.swept = true;
    ProblemPart part = testing::my_part(c, DelassusForm::factored);
    Newton solver(settings);
    const Communicator communicator;
    const Traffic before = communicator.traffic();
    solver.solve(part.dynamics, part.solution, communicator);
    const Traffic after = communicator.traffic();
    double products = 1;  // and with what it begins: the start's measure
    for (int of_iteration : solver.product_history) products += of_iteration + 1;
    const auto neighbours = static_cast<double>(part.dynamics.halo.neighbours.size());
    EXPECT_EQ(after.messages - before.messages, neighbours * (products + 1));
    // Twice orthogonalised vectors take one more; norms, goals and scales two or three an
    // iteration.
    EXPECT_LE(after.collectives - before.collectives, 2 * products + 10);
  }
}

TEST(ParallelNewton, FailuresAreThoseOfAllRanks) {
  for (Case& c : testing::all_cases(4, DelassusForm::factored)) {
    SCOPED_TRACE(c.name);
    NewtonSettings settings = testing::tight_newton();
    settings.max_iterations = 2;
    ProblemPart part = testing::my_part(c, DelassusForm::factored);
    Newton fails(settings);
    EXPECT_EQ(fails.solve(part.dynamics, part.solution, Communicator()).status,
              SolveStatus::diverged);
    settings.falls_back = true;
    settings.merit_value = 0.1 * fails.merit_history.back();
    settings.max_iterations = 1;
    Newton falls(settings);
    const SolveResult result = falls.solve(part.dynamics, part.solution, Communicator());
    const auto R = testing::of_all(part, part.solution.R, c.problem.dynamics.rows());
    for (std::size_t k = part.dynamics.rows(); k < part.rows.size(); k++)
      EXPECT_EQ(part.solution.R[k], R[part.rows[k]]);
    EXPECT_TRUE(flat(R).allFinite());
    EXPECT_LE(result.merit, fails.merit_history.back() * 1.0000001);
  }
}

}  // namespace
}  // namespace solfec::newton_test
