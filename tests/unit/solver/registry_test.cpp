#include "solver/registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "solver/graded_solve.hpp"
#include "support/local_problem.hpp"

namespace solfec::registry_test {
namespace {

TEST(SolverRegistry, HasEachKindOnce) {
  std::set<SolverKind> kinds;
  std::set<std::string> commands;
  for (const SolverEntry& entry : solvers()) {
    EXPECT_TRUE(kinds.insert(entry.kind).second);
    EXPECT_TRUE(commands.insert(entry.command).second);
    if (!entry.make) continue;
    for (const auto& solver : entry.make({})) {
      EXPECT_EQ(solver->kind(), entry.kind);
      EXPECT_STREQ(solver->name(), entry.command);
      EXPECT_NE(solver->short_name(), nullptr);
    }
  }
  EXPECT_EQ(kinds, (std::set{SolverKind::gauss_seidel, SolverKind::penalty, SolverKind::newton,
                             SolverKind::automatic, SolverKind::nonsmooth, SolverKind::convex}));
}

TEST(SolverRegistry, MakesSolversThatStopByTheTarget) {
  const std::vector<std::string> names = short_names();
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names) {
    if (name == "FP-DS") continue;  // its step fits no problem but by chance
    const auto solver = make_solver(name, {1e-6, 60});
    EXPECT_EQ(solver->short_name(), name);
    testing::LocalProblem p = testing::closing_contacts(1, 4, 12);
    EXPECT_EQ(solve_graded(p.dynamics, p.solution, *solver, 1e-6).grade, Grade::ok) << name;
  }
  EXPECT_THROW(make_solver("PENALTY", {}), std::logic_error);
}

// A copy has the settings of the solver, and a criterion of its own.
TEST(SolverRegistry, CopiesHaveTheSameSettings) {
  const auto settings = [](const Solver& solver) {
    ArchiveWriter archive;
    solver.write_settings(archive);
    return archive.bytes();
  };
  std::set<Bytes> all;
  for (const std::string& name : short_names()) {
    const auto solver = make_solver(name, {1e-3, 60});
    const auto copy = solver->with_target({1e-9, 60});
    EXPECT_EQ(copy->kind(), solver->kind());
    EXPECT_EQ(settings(*copy), settings(*solver));
    all.insert(settings(*solver));
  }
  EXPECT_EQ(all.size(), short_names().size());
}

}  // namespace
}  // namespace solfec::registry_test
