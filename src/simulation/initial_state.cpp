#include "simulation/initial_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "output/results_reader.hpp"

namespace solfec {

void initialize_state(Domain& domain, const std::string& directory, double time) {
  const ResultsReader results(directory);
  Domain other;
  other.bulk_materials = domain.bulk_materials;
  results.load(results.frame_at(time), other, [](int) { return ForceFunction(); });
  BodyStore& to = domain.bodies;
  const BodyStore& from = other.bodies;
  if (from.total() != to.total())
    throw value_error(fmt::format("'{}' holds {} bodies at time {:g}, this model has {}", directory,
                                  from.total(), time, to.total()));
  for (int i = 0; i < to.total(); i++)
    if (from.kind(i) != to.kind(i) || from[i].label != to[i].label)
      throw value_error(
          fmt::format("body {} of '{}' is of another kind or label than here", i, directory));
  for (int i = 0; i < to.total(); i++) {
    std::copy_n(from.q(i), BodyStore::kConfiguration, to.q(i));
    std::copy_n(from.u(i), to.freedom(i), to.u(i));
  }
}

}  // namespace solfec
