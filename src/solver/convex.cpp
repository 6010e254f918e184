#include "solver/convex.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "solver/accelerated_gradient.hpp"
#include "solver/cone_inequality.hpp"
#include "solver/relaxation.hpp"

namespace solfec {
namespace {

constexpr ConvexEntry kConvexMethods[] = {
    {ConvexMethod::apgd, "APGD", "CCP-APGD", 0},
    {ConvexMethod::gauss_seidel, "GS", "CCP-GS", 1},
    {ConvexMethod::ssor, "SSOR", "CCP-SSOR", 1},
    {ConvexMethod::jacobi, "JACOBI", "CCP-JACOBI", 0.2},
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
      break;
  }
  DEMAND(!"accelerated gradients relax nothing");
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
  demand_cone_inequality(p, name(), communicator);
  DEMAND(std::ranges::none_of(
      p.law, [](const RowLaw& law) { return law.kind == LawKind::signorini_coulomb; }));
  Channel channel(communicator);
  const Goal goal(settings.merit_value, target, p, communicator);
  const std::vector<Vec3> begin = s.R;
  const IterationOutcome outcome =
      settings.method == ConvexMethod::apgd
          ? solve_by_accelerated_gradient(p, s, goal, channel, communicator,
                                          settings.max_iterations)
          : solve_by_relaxation(p, s, goal, channel, communicator,
                                {splitting_of(settings.method), settings.omega, settings.lambda},
                                settings.max_iterations);
  status = outcome.status;
  iterations = outcome.iterations;
  double reached = outcome.figure;
  if (target) {
    reached = merit(p, s, communicator);
  } else {
    reached = joint_reactions_.take_least_norm(
        p, s, {begin, reached, settings.merit_value, goal.scale()}, channel, communicator);
  }
  record.add(iterations);
  return {status, iterations, reached};
}

}  // namespace solfec
