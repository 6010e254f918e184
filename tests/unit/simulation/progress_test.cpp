// Lines on a terminal and in a pipe: tests/input/test_program.py.
#include "simulation/progress.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/scratch_directory.hpp"
#include "support/small_scene.hpp"

namespace solfec::progress_test {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Progress, StateText) {
  Simulation s;
  testing::make_scene(s, "unused");
  s.clock.time = 0.125;
  s.domain.sparsified = 7;
  PhaseTimes timing;
  timing[Phase::integration] = 1;
  timing[Phase::solution] = 3;
  auto lines = lines_of(state_text(s, timing, 2 * 86400 + 3 * 3600 + 4 * 60 + 5));
  ASSERT_EQ(lines.size(), 8u);
  EXPECT_EQ(lines[1], "Estimated end in 2 days, 3 hours, 4 minutes and 5 seconds");
  EXPECT_EQ(lines[2], "TIME: 0.125");
  EXPECT_EQ(lines[3], "BODIES: 3");
  EXPECT_EQ(lines[5], "CONSTRAINTS: 0");
  EXPECT_EQ(lines[6], "SPARSIFIED: 7");
  EXPECT_EQ(lines[7], "TIMINT: 25%, CONUPD: 0%, CONDET: 0%, LOCDYN: 0%, CONSOL: 75%, PARBAL: 0%");
  // Nothing is known of the end before the first step.
  lines = lines_of(state_text(s, {}, std::numeric_limits<double>::infinity()));
  EXPECT_EQ(lines[1], "TIME: 0.125");
}

TEST(Progress, NoEndThatIsTooFarForAClock) {
  Simulation s;
  testing::make_scene(s, "unused");
  for (const double left : {1e10, 1e40, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_EQ(lines_of(state_text(s, {}, left))[1], "TIME: 0");
}

TEST(Progress, LineThatFits) {
  const std::vector<std::string> parts = {"50%", "merit 1", "left 9"};
  for (const auto& [columns, line] : {std::pair{100, "50% | merit 1 | left 9"},
                                      {22, "50% | merit 1 | left 9"},
                                      {21, "50% | left 9"},
                                      {12, "50% | left 9"},
                                      {11, "50%"},
                                      {1, "50%"}})
    EXPECT_EQ(line_that_fits(parts, {0, 2, 1}, columns), line) << columns;
}

TEST(Progress, LeavesTheStateFile) {
  const testing::ScratchDirectory scratch;
  Simulation s;
  testing::make_scene(s, scratch.path().string());
  Progress progress(s, 1.0);
  s.clock.time = 0.5;
  s.clock.steps = 10;
  progress.update(s, true);
  progress.finish(s, "");
  std::ifstream file(scratch / "STATE");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find("TIME: 0.5\n"), std::string::npos) << text.str();
}

}  // namespace
}  // namespace solfec::progress_test
