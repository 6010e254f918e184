#include <gtest/gtest.h>

#include "support/sanitizer_options.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
