#include "solver/nonsmooth.hpp"

#include <algorithm>
#include <limits>

#include "solver/cone_inequality.hpp"

namespace solfec {
namespace {

using Settings = NonsmoothSettings;

constexpr NonsmoothParameter kParameters[] = {
    {"rho", &Settings::rho, std::numeric_limits<double>::infinity()},
    {"nu", &Settings::nu, 1},
    {"L", &Settings::L, 1},
    {"Lmin", &Settings::L_min, 1},
};

constexpr std::string_view kFixedStep[] = {"rho"};
constexpr std::string_view kAdaptiveStep[] = {"rho", "nu", "L", "Lmin"};

constexpr NonsmoothEntry kMethods[] = {
    {NonsmoothMethod::fp_ds, "FP-DS", kFixedStep},
    {NonsmoothMethod::fp_vi_upk, "FP-VI-UPK", kAdaptiveStep},
    {NonsmoothMethod::fp_vi_upts, "FP-VI-UPTS", kAdaptiveStep},
    {NonsmoothMethod::eg_vi_upk, "EG-VI-UPK", kAdaptiveStep},
    {NonsmoothMethod::eg_vi_upts, "EG-VI-UPTS", kAdaptiveStep},
    {NonsmoothMethod::fp2_vi_upk, "FP2-VI-UPK", kAdaptiveStep},
};

// Every method has its line.
consteval bool lists_all_methods() {
  std::size_t method = 0;
  for (const NonsmoothEntry& entry : kMethods)
    if (static_cast<std::size_t>(entry.method) != method++) return false;
  return method == static_cast<std::size_t>(kLastNonsmoothMethod) + 1;
}
static_assert(lists_all_methods());

ProjectionSettings projection_settings(const Settings& s) {
  const auto with = [&](Correction correction, StepRule rule) {
    return ProjectionSettings{correction, rule, s.rho, s.nu, s.L, s.L_min};
  };
  switch (s.method) {
    case NonsmoothMethod::fp_ds:
      return with(Correction::none, StepRule::fixed);
    case NonsmoothMethod::fp_vi_upk:
      return with(Correction::none, StepRule::khobotov);
    case NonsmoothMethod::fp_vi_upts:
      return with(Correction::none, StepRule::solodov_tseng);
    case NonsmoothMethod::eg_vi_upk:
      return with(Correction::from_start, StepRule::khobotov);
    case NonsmoothMethod::eg_vi_upts:
      return with(Correction::from_start, StepRule::solodov_tseng);
    case NonsmoothMethod::fp2_vi_upk:
      return with(Correction::from_prediction, StepRule::khobotov);
  }
  __builtin_unreachable();
}

}  // namespace

std::span<const NonsmoothParameter> nonsmooth_parameters() { return kParameters; }

std::span<const NonsmoothEntry> nonsmooth_methods() { return kMethods; }

const char* Nonsmooth::short_name() const {
  return kMethods[static_cast<std::size_t>(settings.method)].name;
}

void Nonsmooth::write_settings(ArchiveWriter& archive) const {
  archive(settings.method, settings.merit_value, settings.max_iterations, settings.failure);
  for (const NonsmoothParameter& parameter : kParameters) archive(settings.*parameter.value);
}

SolveResult Nonsmooth::solve(const LocalDynamics& p, LocalSolution& s,
                             const Communicator& communicator) {
  demand_cone_inequality(p, name(), communicator);
  Channel channel(communicator);
  const Goal goal(settings.merit_value, target, p, communicator);
  const std::vector<Vec3> begin = s.R;
  const ProjectionOutcome outcome = solve_by_projections(
      p, s, goal, channel, communicator, projection_settings(settings), settings.max_iterations);
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
