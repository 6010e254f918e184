#include "core/error.hpp"

#include <fmt/format.h>

namespace solfec {

void broken_invariant(const char* condition, const char* file, int line) {
  throw std::logic_error(fmt::format(
      "internal error: '{}' does not hold at {}:{} (please report it with your input file)",
      condition, file, line));
}

}  // namespace solfec
