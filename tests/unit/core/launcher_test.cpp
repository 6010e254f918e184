#include "core/launcher.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace solfec::launcher_test {
namespace {

TEST(Launcher, TellsRanksUntilTheyStartOthers) {
  for (const char* name :
       {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SOLFEC_LAUNCHED"})
    unsetenv(name);
  EXPECT_EQ(launched_processes(), 1);
  EXPECT_EQ(launched_rank(), 0);
  end_launch();  // of no ranks: they may be started from here
  EXPECT_FALSE(has_launcher());
  setenv("PMI_SIZE", "3", 1);
  setenv("PMI_RANK", "2", 1);
  EXPECT_EQ(launched_processes(), 3);
  EXPECT_EQ(launched_rank(), 2);
  end_launch();
  EXPECT_TRUE(has_launcher());
  EXPECT_EQ(launched_processes(), 1);
  EXPECT_EQ(launched_rank(), 0);
}

}  // namespace
}  // namespace solfec::launcher_test
