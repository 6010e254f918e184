#include "output/script_copy.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "support/scratch_directory.hpp"

namespace solfec::script_copy_test {
namespace {

using testing::ScratchDirectory;

TEST(ScriptCopy, ComesBackUnlessItWasChanged) {
  for (const std::string script : {"RUN\n", "RUN", "", "\r\n\xff\n\n", "# Copy made by Solfec\n"}) {
    const ScratchDirectory scratch;
    const std::string directory = scratch.path().string();
    EXPECT_EQ(read_script_copy(directory), std::nullopt);
    EXPECT_NO_THROW(demand_script_copy(directory, script));
    write_script_copy(directory, script);
    const std::string whole = script.ends_with('\n') ? script : script + "\n";
    EXPECT_EQ(read_script_copy(directory), whole);
    EXPECT_NO_THROW(demand_script_copy(directory, "another script"));
    std::ofstream(script_copy_path(directory), std::ios::app) << "x";
    EXPECT_EQ(read_script_copy(directory), std::nullopt);
    EXPECT_THROW(demand_script_copy(directory, "another script"), RunError);
  }
}

// A script may lie where its copy goes.
TEST(ScriptCopy, TheScriptItselfStays) {
  const ScratchDirectory scratch;
  const std::string directory = scratch.path().string();
  std::ofstream(script_copy_path(directory)) << "the script";
  EXPECT_THROW(demand_script_copy(directory, "another script"), RunError);
  EXPECT_NO_THROW(demand_script_copy(directory, "the script"));
  write_script_copy(directory, "the script");
  EXPECT_EQ(std::filesystem::file_size(script_copy_path(directory)), 10u);
}

TEST(ScriptCopy, ALinkIsNone) {
  const ScratchDirectory scratch, other;
  write_script_copy(other.path().string(), "text\n");
  const std::string directory = scratch.path().string();
  std::filesystem::create_symlink(script_copy_path(other.path().string()),
                                  script_copy_path(directory));
  EXPECT_EQ(read_script_copy(directory), std::nullopt);
  EXPECT_THROW(demand_script_copy(directory, "text"), RunError);
}

}  // namespace
}  // namespace solfec::script_copy_test
