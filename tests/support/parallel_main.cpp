// main() of tests on several ranks: every rank must pass; the first one prints for those that
// do.
#include <gtest/gtest.h>

#include <cstdio>

#include "parallel/communicator.hpp"
#include "support/sanitizer_options.hpp"

int main(int argc, char** argv) {
  const solfec::ParallelSession session(argc, argv);
  testing::InitGoogleTest(&argc, argv);
  const solfec::Communicator world;
  if (world.rank() > 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  const bool failed = RUN_ALL_TESTS() != 0;
  if (failed) std::fprintf(stderr, "a test has failed on rank %d\n", world.rank());
  return world.any(failed) ? 1 : 0;
}
