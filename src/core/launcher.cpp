#include "core/launcher.hpp"

#include <cstdlib>
#include <initializer_list>

namespace solfec {
namespace {

constexpr const char* kEnded = "SOLFEC_LAUNCHED";

// A number from the environment, by the first of the names that is set.
int number(std::initializer_list<const char*> names, int otherwise) {
  if (std::getenv(kEnded)) return otherwise;
  for (const char* name : names)
    if (const char* text = std::getenv(name)) return std::atoi(text);
  return otherwise;
}

}  // namespace

int launched_processes() { return number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}, 1); }
int launched_rank() { return number({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0); }
void end_launch() {
  if (launched_processes() > 1) setenv(kEnded, "1", 1);
}

}  // namespace solfec
