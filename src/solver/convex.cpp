#include "solver/convex.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "solver/accelerated_gradient.hpp"
#include "solver/barzilai_borwein.hpp"

namespace solfec {
namespace {

constexpr ConvexEntry kConvexMethods[] = {
    {ConvexMethod::apgd, "APGD", "CCP-APGD", 0},
    {ConvexMethod::gauss_seidel, "GS", "CCP-GS", 1},
    {ConvexMethod::ssor, "SSOR", "CCP-SSOR", 1},
    {ConvexMethod::jacobi, "JACOBI", "CCP-JACOBI", 0.2},
    {ConvexMethod::interior_point, "IPM", "CCP-IPM", 0},
    {ConvexMethod::barzilai_borwein, "BB", "CCP-BB", 0},
};

// Every method has its line.
consteval bool lists_all_convex_methods() {
  std::size_t method = 0;
  for (const ConvexEntry& entry : kConvexMethods)
    if (static_cast<std::size_t>(entry.method) != method++) return false;
  return method == static_cast<std::size_t>(kLastConvexMethod) + 1;
}
static_assert(lists_all_convex_methods());

Splitting splitting_of(ConvexMethod method) {
  switch (method) {
    case ConvexMethod::gauss_seidel:
      return Splitting::gauss_seidel;
    case ConvexMethod::ssor:
      return Splitting::symmetric;
    case ConvexMethod::jacobi:
      return Splitting::jacobi;
    case ConvexMethod::apgd:
    case ConvexMethod::interior_point:
    case ConvexMethod::barzilai_borwein:
      break;
  }
  DEMAND(!"the method relaxes nothing");
  return {};
}

}  // namespace

std::span<const ConvexEntry> convex_methods() { return kConvexMethods; }

const ConvexEntry& entry_of(ConvexMethod method) {
  return kConvexMethods[static_cast<std::size_t>(method)];
}

void Convex::write_settings(ArchiveWriter& archive) const {
  const ConvexSettings& s = settings;
  archive(s.method, s.merit_value, s.max_iterations, s.omega, s.lambda, s.failure);
}

SolveResult Convex::solve(const LocalDynamics& p, LocalSolution& s,
                          const Communicator& communicator) {
  DEMAND(std::ranges::none_of(
      p.law, [](const RowLaw& law) { return law.kind == LawKind::signorini_coulomb; }));
  return solve_inequality(p, s, communicator, [&](const SolveTask& task) {
    if (settings.method == ConvexMethod::apgd)
      return solve_by_accelerated_gradient(task, settings.max_iterations);
    if (settings.method == ConvexMethod::interior_point)
      return interior_point_.solve(task, settings.max_iterations);
    if (settings.method == ConvexMethod::barzilai_borwein)
      return solve_by_barzilai_borwein(task, settings.max_iterations);
    return solve_by_relaxation(task,
                               {splitting_of(settings.method), settings.omega, settings.lambda},
                               stages_, settings.max_iterations);
  });
}

}  // namespace solfec
