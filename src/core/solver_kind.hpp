// Which solver made a step: solvers say it, and results hold it.
#pragma once

#include <cstdint>

namespace solfec {

enum class SolverKind : std::uint8_t {
  none,
  gauss_seidel,
  penalty,
  newton,
  automatic,
  nonsmooth,
  convex
};

inline constexpr SolverKind kLastSolverKind = SolverKind::convex;

}  // namespace solfec
