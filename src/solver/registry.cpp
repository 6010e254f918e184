#include "solver/registry.hpp"

#include <limits>
#include <utility>

#include "core/error.hpp"
#include "solver/automatic.hpp"
#include "solver/convex.hpp"
#include "solver/newton.hpp"
#include "solver/nonsmooth.hpp"
#include "solver/penalty.hpp"

namespace solfec {
namespace {

constexpr int kNoLimit = std::numeric_limits<int>::max();

constexpr int kUsualMemory = 5;

using Solvers = std::vector<std::unique_ptr<Solver>>;

template <class S, class Settings>
Solvers only(const Settings& settings, const ErrorTarget& target) {
  Solvers result;
  result.push_back(S(settings).with_target(target));
  return result;
}

Solvers make_gauss_seidel(const ErrorTarget& target) {
  GaussSeidelSettings settings;
  settings.max_iterations = kNoLimit;
  Solvers result = only<GaussSeidel>(settings, target);
  settings.memory = kUsualMemory;
  result.push_back(GaussSeidel(settings).with_target(target));
  return result;
}

// With the report's best parameters for rigid bodies, and no other solver behind it.
Solvers make_newton(const ErrorTarget& target) {
  NewtonSettings settings;
  settings.max_iterations = settings.max_products = kNoLimit;
  settings.delta = 0.01;
  settings.delta_unit = DeltaUnit::average;
  settings.omega = 1e-3 * target.error;
  settings.falls_back = false;
  return only<Newton>(settings, target);
}

Solvers make_automatic(const ErrorTarget& target) {
  AutomaticSettings settings;
  settings.max_iterations = kNoLimit;
  return only<Automatic>(settings, target);
}

Solvers make_nonsmooth(const ErrorTarget& target) {
  Solvers result;
  for (const NonsmoothEntry& entry : nonsmooth_methods()) {
    NonsmoothSettings settings;
    settings.method = nonsmooth_method(entry.name);
    settings.max_iterations = kNoLimit;
    result.push_back(Nonsmooth(settings).with_target(target));
  }
  return result;
}

Solvers make_convex(const ErrorTarget& target) {
  Solvers result;
  for (const ConvexEntry& entry : convex_methods()) {
    ConvexSettings settings;
    settings.method = entry.method;
    settings.max_iterations = kNoLimit;
    if (entry.omega > 0) settings.omega = entry.omega;
    result.push_back(Convex(settings).with_target(target));
  }
  return result;
}

constexpr SolverEntry kSolvers[] = {
    {SolverKind::gauss_seidel, "GAUSS_SEIDEL_SOLVER", make_gauss_seidel},
    {SolverKind::penalty, "PENALTY_SOLVER", nullptr},
    {SolverKind::newton, "NEWTON_SOLVER", make_newton},
    {SolverKind::automatic, "AUTO_SOLVER", make_automatic},
    {SolverKind::nonsmooth, "NONSMOOTH_SOLVER", make_nonsmooth},
    {SolverKind::convex, "CONVEX_SOLVER", make_convex},
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

std::vector<std::string> short_names() {
  std::vector<std::string> names;
  for (const SolverEntry& entry : kSolvers)
    if (entry.make)
      for (const auto& solver : entry.make({})) names.emplace_back(solver->short_name());
  return names;
}

std::unique_ptr<Solver> make_solver(const std::string& short_name, const ErrorTarget& target) {
  for (const SolverEntry& entry : kSolvers)
    if (entry.make)
      for (std::unique_ptr<Solver>& solver : entry.make(target))
        if (solver->short_name() == short_name) return std::move(solver);
  broken_invariant("a solver has this name", __FILE__, __LINE__);
}

}  // namespace solfec
