// Problems of many shapes divided between the ranks that run a test: every rank makes the whole of
// each and takes its part of it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "solver/solver.hpp"
#include "support/split_problem.hpp"

namespace solfec::testing {

inline constexpr double kStep = 0.01;
inline constexpr DelassusForm kForms[] = {DelassusForm::assembled, DelassusForm::factored};

// A problem and the ranks that own its rows.
struct Case {
  std::string name;
  LocalProblem problem;
  std::vector<int> owner;
};

inline std::vector<int> random_owners(Random& random, int rows, int low, int high) {
  std::vector<int> owner;
  for (int row = 0; row < rows; row++) owner.push_back(random.integer(low, high));
  return owner;
}

inline Case random_case(int seed, DelassusForm form) {
  Random random(seed + 100);
  Case c{"random", random_problem(seed, 14, 18, kStep, form), {}};
  make_closing(c.problem, random);
  c.owner = random_owners(random, 18, 0, Communicator().size() - 1);
  return c;
}

// All rows on the last rank.
inline Case lonely_case(int seed, DelassusForm form) {
  Case c = random_case(seed, form);
  c.name = "lonely";
  std::ranges::fill(c.owner, Communicator().size() - 1);
  return c;
}

// Each row between a group of its own and one that all ranks share.
inline Case star_case(int seed, DelassusForm form, double coupling) {
  Random random(seed + 200);
  const int rows = 16;
  Case c{"star", start_problem(std::vector<int>(rows + 1, 12), rows, kStep), {}};
  for (int row = 0; row < rows; row++) add_random_row(c.problem, random, row, rows, coupling);
  finish_problem(c.problem, form);
  make_closing(c.problem, random);
  for (int row = 0; row < rows; row++) c.owner.push_back(row % Communicator().size());
  return c;
}

// Rows between a group and the next one, in blocks: a chain of ranks.
inline Case chain_case(int seed, DelassusForm form) {
  Random random(seed + 300);
  const int rows = 20, ranks = Communicator().size();
  Case c{"chain", start_problem(std::vector<int>(rows + 1, 12), rows, kStep), {}};
  for (int row = 0; row < rows; row++) add_random_row(c.problem, random, row, row + 1, 0.5);
  finish_problem(c.problem, form);
  make_closing(c.problem, random);
  for (int row = 0; row < rows; row++) c.owner.push_back(row * ranks / rows);
  return c;
}

// Rows between a group of their own and one of a few that several ranks share.
inline Case clusters_case(int seed, DelassusForm form, double coupling) {
  Random random(seed + 400);
  const int rows = 24, clusters = 8;
  Case c{"clusters", start_problem(std::vector<int>(rows + clusters, 12), rows, kStep), {}};
  for (int row = 0; row < rows; row++)
    add_random_row(c.problem, random, row, rows + row % clusters, coupling);
  finish_problem(c.problem, form);
  make_closing(c.problem, random);
  c.owner = random_owners(random, rows, 0, Communicator().size() - 1);
  return c;
}

inline std::vector<Case> all_cases(int seed, DelassusForm form) {
  std::vector<Case> cases;
  cases.push_back(random_case(seed, form));
  cases.push_back(lonely_case(seed, form));
  cases.push_back(star_case(seed, form, 1));
  cases.push_back(chain_case(seed, form));
  cases.push_back(clusters_case(seed, form, 1));
  return cases;
}

// Whose rows of different ranks are coupled weakly.
inline std::vector<Case> weak_cases(int seed, DelassusForm form) {
  std::vector<Case> cases;
  cases.push_back(star_case(seed, form, 0.2));
  cases.push_back(chain_case(seed, form));
  cases.push_back(clusters_case(seed, form, 0.3));
  return cases;
}

inline ProblemPart my_part(const Case& c, DelassusForm form) {
  return part_of(c.problem, c.owner, Communicator().rank(), form);
}

// Values of owned rows of all ranks, in the whole problem.
inline std::vector<Vec3> of_all(const ProblemPart& part, const std::vector<Vec3>& mine, int rows) {
  std::vector<double> numbers(3 * rows, 0.0);
  for (int row = 0; row < part.dynamics.rows(); row++)
    std::ranges::copy(mine[row], numbers.begin() + 3 * part.rows[row]);
  Communicator().sum_all(numbers);
  std::vector<Vec3> result;
  for (int row = 0; row < rows; row++)
    result.emplace_back(Eigen::Map<const Vec3>(&numbers[3 * row]));
  return result;
}

/// Solves a case by one solver on one rank and by another one on all ranks, which are to find the
/// same velocities and know the same external rows; returns what the second one says.
template <class Solver>
SolveResult expect_what_one_rank_finds(Solver& one, Solver& many, const Case& c, DelassusForm form,
                                       double tolerance) {
  const LocalDynamics& whole = c.problem.dynamics;
  LocalSolution found(whole);
  EXPECT_EQ(one.solve(whole, found, Communicator::alone()).status, SolveStatus::ok);
  ProblemPart part = my_part(c, form);
  const SolveResult result = many.solve(part.dynamics, part.solution, Communicator());
  EXPECT_EQ(result.status, SolveStatus::ok);
  const auto R = of_all(part, part.solution.R, whole.rows());
  const auto U = of_all(part, part.solution.U, whole.rows());
  EXPECT_LT(worst_violation(c.problem, R), tolerance);
  EXPECT_LT((flat(U) - flat(found.U)).norm(), tolerance);
  for (std::size_t k = part.dynamics.rows(); k < part.rows.size(); k++)
    EXPECT_EQ(part.solution.R[k], R[part.rows[k]]);
  return result;
}

/// Figures that are those of all ranks together.
inline void expect_same_on_all_ranks(std::vector<double> numbers) {
  const std::vector<double> mine = numbers;
  Communicator().max_all(numbers);
  EXPECT_EQ(mine, numbers);
}

}  // namespace solfec::testing
