#include "solver/registry.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "solver/automatic.hpp"
#include "solver/newton.hpp"
#include "solver/penalty.hpp"

namespace solfec {
namespace {

constexpr int kNoLimit = std::numeric_limits<int>::max();

std::unique_ptr<Solver> make_gauss_seidel(const ErrorTarget& target) {
  GaussSeidelSettings settings;
  settings.max_iterations = kNoLimit;
  return GaussSeidel(settings).with_target(target);
}

// With the report's best parameters for rigid bodies, and no other solver behind it.
std::unique_ptr<Solver> make_newton(const ErrorTarget& target) {
  NewtonSettings settings;
  settings.max_iterations = settings.max_products = kNoLimit;
  settings.delta = 0.01;
  settings.delta_unit = DeltaUnit::average;
  settings.omega = 1e-3 * target.error;
  settings.falls_back = false;
  return Newton(settings).with_target(target);
}

std::unique_ptr<Solver> make_automatic(const ErrorTarget& target) {
  AutomaticSettings settings;
  settings.max_iterations = kNoLimit;
  return Automatic(settings).with_target(target);
}

constexpr SolverEntry kSolvers[] = {
    {SolverKind::gauss_seidel, "GAUSS_SEIDEL_SOLVER", "GS", make_gauss_seidel},
    {SolverKind::penalty, "PENALTY_SOLVER", nullptr, nullptr},
    {SolverKind::newton, "NEWTON_SOLVER", "PQN", make_newton},
    {SolverKind::automatic, "AUTO_SOLVER", "AUTO", make_automatic},
};

// Every kind has its line.
consteval bool lists_all_kinds() {
  std::size_t kind = 0;  // none
  for (const SolverEntry& entry : kSolvers)
    if (static_cast<std::size_t>(entry.kind) != ++kind) return false;
  return kind == static_cast<std::size_t>(kLastSolverKind);
}
static_assert(lists_all_kinds());

}  // namespace

std::span<const SolverEntry> solvers() { return kSolvers; }

const SolverEntry& entry_of(SolverKind kind) {
  const auto found = std::ranges::find(kSolvers, kind, &SolverEntry::kind);
  DEMAND(found != std::end(kSolvers));
  return *found;
}

}  // namespace solfec
