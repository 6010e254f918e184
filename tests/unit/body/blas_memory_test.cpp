#include "body/blas_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <new>

namespace solfec::blas_memory_test {
namespace {

// In a process of its own: first without room for it, then with.
[[noreturn]] void take_it_twice() {
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit before;
  getrlimit(RLIMIT_AS, &before);
  const rlimit small{static_cast<rlim_t>(pages) * 4096 + (rlim_t{64} << 20), before.rlim_max};
  setrlimit(RLIMIT_AS, &small);
  bool thrown = false;
  try {
    take_blas_memory();
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  setrlimit(RLIMIT_AS, &before);
  take_blas_memory();
  std::_Exit(thrown ? 0 : 1);
}

TEST(BlasMemoryDeathTest, IsAskedForOnce) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer needs more than any limit";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(take_it_twice(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace solfec::blas_memory_test
