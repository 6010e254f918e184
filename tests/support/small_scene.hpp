// The small model, ready to RUN.
#pragma once

#include "simulation/run.hpp"
#include "simulation/simulation.hpp"
#include "solver/gauss_seidel.hpp"
#include "support/small_model.hpp"

namespace solfec::testing {

/// As scripts make bodies.
inline BodyId add(Simulation& s, BodyKind kind, Shape shape, const std::string& label) {
  return make_body(s, small_body(kind, std::move(shape), label));
}

inline void make_scene(Simulation& s, const std::string& directory, double step = 1e-3) {
  s.results.directory = directory;
  s.settings.step = step;
  s.settings.verbosity = Verbosity::off;
  make_model(s);
}

}  // namespace solfec::testing
