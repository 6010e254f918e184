#include "core/launcher.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>

namespace solfec {
namespace {

constexpr const char* kEnded = "SOLFEC_LAUNCHED";

constexpr std::initializer_list<const char*> kSizes = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"};

// A number from the environment, by the first of the names that is set.
int number(std::initializer_list<const char*> names, int otherwise) {
  if (std::getenv(kEnded)) return otherwise;
  for (const char* name : names)
    if (const char* text = std::getenv(name)) return std::atoi(text);
  return otherwise;
}

}  // namespace

int launched_processes() { return number(kSizes, 1); }
int launched_rank() { return number({"OMPI_COMM_WORLD_RANK", "PMI_RANK"}, 0); }
int processes_on_machine() {
  for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
    if (const char* text = std::getenv(name)) return std::max(1, std::atoi(text));
  return 1;
}
bool has_launcher() {
  return std::ranges::any_of(kSizes, [](const char* name) { return std::getenv(name) != nullptr; });
}

void end_launch() {
  if (launched_processes() > 1) setenv(kEnded, "1", 1);
}

}  // namespace solfec
