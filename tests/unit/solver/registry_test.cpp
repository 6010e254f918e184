#include "solver/registry.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "solver/graded_solve.hpp"
#include "support/local_problem.hpp"

namespace solfec::registry_test {
namespace {

TEST(SolverRegistry, HasEachKindOnce) {
  std::set<SolverKind> kinds;
  std::set<std::string> commands, short_names;
  for (const SolverEntry& entry : solvers()) {
    EXPECT_TRUE(kinds.insert(entry.kind).second);
    EXPECT_TRUE(commands.insert(entry.command).second);
    EXPECT_EQ(entry.short_name == nullptr, entry.make == nullptr);
    if (entry.short_name) {
      EXPECT_TRUE(short_names.insert(entry.short_name).second);
    }
    EXPECT_EQ(&entry_of(entry.kind), &entry);
  }
  EXPECT_EQ(kinds, (std::set{SolverKind::gauss_seidel, SolverKind::penalty, SolverKind::newton,
                             SolverKind::automatic}));
  EXPECT_THROW(entry_of(SolverKind::none), std::logic_error);
}

TEST(SolverRegistry, MakesSolversThatStopByTheTarget) {
  for (const SolverEntry& entry : solvers()) {
    if (!entry.make) continue;
    const auto solver = entry.make({1e-6, 60});
    EXPECT_EQ(solver->kind(), entry.kind);
    EXPECT_STREQ(solver->name(), entry.command);
    testing::LocalProblem p = testing::closing_contacts(1, 4, 12);
    EXPECT_EQ(solve_graded(p.dynamics, p.solution, *solver, 1e-6).grade, Grade::ok)
        << entry.command;
  }
}

// A copy has the settings of the solver, and a criterion of its own.
TEST(SolverRegistry, CopiesHaveTheSameSettings) {
  const auto settings = [](const Solver& solver) {
    ArchiveWriter archive;
    solver.write_settings(archive);
    return archive.bytes();
  };
  std::set<Bytes> all;
  for (const SolverEntry& entry : solvers()) {
    if (!entry.make) continue;
    const auto solver = entry.make({1e-3, 60});
    const auto copy = solver->with_target({1e-9, 60});
    EXPECT_EQ(copy->kind(), entry.kind);
    EXPECT_EQ(settings(*copy), settings(*solver));
    all.insert(settings(*solver));
  }
  EXPECT_EQ(all.size(), 3u);
}

}  // namespace
}  // namespace solfec::registry_test
