// The dump on one rank; tests/parallel compares it with those of several.
#include "simulation/locdyn_dump.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/error.hpp"
#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::locdyn_dump_test {
namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(LocdynDump, IsThatOfTheLocalDynamics) {
  const testing::ScratchDirectory scratch;
  Simulation s;
  testing::make_scene(s, scratch / "out");
  EXPECT_THROW(dump_local_dynamics(s, scratch / "dump.txt"), InputError);
  GaussSeidel solver({});
  run(s, solver, 0.2, nullptr);
  ASSERT_GT(s.domain.constraints.count(), 1);
  dump_local_dynamics(s, scratch / "dump.txt");
  dump(s.domain.local_dynamics, s.domain.local_solution, row_names(s.domain),
       scratch / "whole.txt");
  EXPECT_EQ(content(scratch / "dump.txt"), content(scratch / "whole.txt"));
  EXPECT_THROW(dump_local_dynamics(s, scratch / "no/such"), RunError);
  delete_body(s, BodyId{1});
  EXPECT_THROW(dump_local_dynamics(s, scratch / "dump.txt"), InputError);
}

}  // namespace
}  // namespace solfec::locdyn_dump_test
