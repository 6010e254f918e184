#include "solver/nonsmooth.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"

namespace solfec {
namespace {

using Settings = NonsmoothSettings;

constexpr double kNoBound = std::numeric_limits<double>::infinity(), kLargestAlpha = 1e6;

constexpr NonsmoothParameter kParameters[] = {
    {"rho", &Settings::rho, kNoBound},
    {"nu", &Settings::nu, 1},
    {"L", &Settings::L, 1},
    {"Lmin", &Settings::L_min, 1},
    {"tollocal", &Settings::local_tolerance, 1},
    {"omega", &Settings::omega, 2},
    {"alpha", &Settings::alpha, kLargestAlpha},
    {"sigma", &Settings::sigma, kNoBound},
    {"exponent", &Settings::exponent, kNoBound},
};

constexpr std::string_view kFixedStep[] = {"rho"};
constexpr std::string_view kAdaptiveStep[] = {"rho", "nu", "L", "Lmin"};
constexpr std::string_view kRows[] = {"tollocal"};
constexpr std::string_view kRelaxedRows[] = {"tollocal", "omega"};
constexpr std::string_view kBySuccess[] = {"alpha"};
constexpr std::string_view kByError[] = {"sigma", "exponent"};

constexpr ProjectionKind kKhobotov{Correction::none, StepRule::khobotov};
constexpr ProjectionKind kExtragradient{Correction::from_start, StepRule::khobotov};
constexpr ProjectionKind kArmijo{Correction::none, StepRule::armijo};

constexpr NewtonKind newton(ContactMap map, LineSearch search, bool projections_first = false) {
  return {{map, search}, projections_first};
}

// Gauss-Seidel with Newton's method in a row.
constexpr SplittingKind rows(ContactMap map, LineSearch search, RowOrder order = RowOrder::given,
                             bool adaptive = false, bool relaxed = false) {
  return {LocalMethod::newton, {map, search}, order, adaptive, relaxed};
}

using enum ContactMap;
using enum LineSearch;

constexpr NonsmoothEntry kMethods[] = {
    // Projections: section 4
    {"FP-DS", ProjectionKind{Correction::none, StepRule::fixed}},
    {"FP-VI-UPK", kKhobotov},
    {"FP-VI-UPTS", ProjectionKind{Correction::none, StepRule::solodov_tseng}},
    {"EG-VI-UPK", kExtragradient},
    {"EG-VI-UPTS", ProjectionKind{Correction::from_start, StepRule::solodov_tseng}},
    {"FP2-VI-UPK", ProjectionKind{Correction::from_prediction, StepRule::khobotov}},
    // Newton: section 5
    {"NSN-NM", newton(natural, none)},
    {"NSN-AC", newton(alart_curnier, none)},
    {"NSN-JM", newton(jean_moreau, none)},
    {"NSN-FB", newton(fischer_burmeister, none)},
    {"NSN-NM-GP", newton(natural, goldstein_price)},
    {"NSN-AC-GP", newton(alart_curnier, goldstein_price)},
    {"NSN-JM-GP", newton(jean_moreau, goldstein_price)},
    {"NSN-FB-GP", newton(fischer_burmeister, goldstein_price)},
    {"NSN-NM-A", newton(natural, armijo)},
    {"NSN-AC-A", newton(alart_curnier, armijo)},
    {"NSN-JM-A", newton(jean_moreau, armijo)},
    {"NSN-FB-A", newton(fischer_burmeister, armijo)},
    {"NSN-AC-HYBRID", newton(alart_curnier, none, true)},
    // Splitting by rows: section 6.1
    {"NSGS-AC", rows(alart_curnier, none)},
    {"NSGS-JM", rows(jean_moreau, none)},
    {"NSGS-AC-GP", rows(alart_curnier, goldstein_price)},
    {"NSGS-JM-GP", rows(jean_moreau, goldstein_price)},
    {"NSGS-FP-DS-ONE", SplittingKind{LocalMethod::one_projection}},
    {"NSGS-FP-VI-UPK", SplittingKind{LocalMethod::adaptive_projections}},
    {"NSGS-EXACT", SplittingKind{LocalMethod::exact}},
    {"NSGS-AC-GP-ADAPTIVE", rows(alart_curnier, goldstein_price, RowOrder::given, true)},
    {"NSGS-FP-VI-UPK-ADAPTIVE",
     SplittingKind{LocalMethod::adaptive_projections, {}, RowOrder::given, true}},
    {"NSGS-AC-GP-SHUFFLED", rows(alart_curnier, goldstein_price, RowOrder::shuffled)},
    {"NSGS-AC-GP-FULLY-SHUFFLED",
     rows(alart_curnier, goldstein_price, RowOrder::shuffled_every_sweep)},
    {"PSOR-AC", rows(alart_curnier, none, RowOrder::given, false, true)},
    {"PSOR-AC-GP", rows(alart_curnier, goldstein_price, RowOrder::given, false, true)},
    // Proximal points: section 6.2
    {"PPA-NSN-AC", ProximalKind{false, none, AlphaRule::success}},
    {"PPA-NSN-AC-GP", ProximalKind{false, goldstein_price, AlphaRule::success}},
    {"PPA-NSGS-AC", ProximalKind{true, none, AlphaRule::success}},
    {"PPA-NSN-AC-SIGMA", ProximalKind{false, none, AlphaRule::error}},
    {"PPA-NSN-AC-GP-SIGMA", ProximalKind{false, goldstein_price, AlphaRule::error}},
    {"PPA-NSGS-AC-SIGMA", ProximalKind{true, none, AlphaRule::error}},
    // A part of the law held: section 7
    {"PANA-PGS-FP-VI-UPK", HeldLawKind{HeldLaw::panagiotopoulos, false, true, kKhobotov}},
    {"PANA-PGS-EG-VI-UPK", HeldLawKind{HeldLaw::panagiotopoulos, false, true, kExtragradient}},
    {"PANA-PGS-CONVEXQP-PG", HeldLawKind{HeldLaw::panagiotopoulos, false, true, kArmijo}},
    {"PANA-CONVEXQP-PG", HeldLawKind{HeldLaw::panagiotopoulos, false, false, kArmijo}},
    {"TRESCA-NSGS-FP-VI-UPK", HeldLawKind{HeldLaw::tresca, true, true, kKhobotov}},
    {"TRESCA-FP-VI-UPK", HeldLawKind{HeldLaw::tresca, false, false, kKhobotov}},
    {"TRESCA-EG-VI-UPK", HeldLawKind{HeldLaw::tresca, false, false, kExtragradient}},
    {"TRESCA-CONVEXQP-PG", HeldLawKind{HeldLaw::tresca, false, false, kArmijo}},
    {"ACLM-NSGS-FP-VI-UPK", HeldLawKind{HeldLaw::aclm, true, true, kKhobotov}},
    {"ACLM-FP-VI-UPK", HeldLawKind{HeldLaw::aclm, false, false, kKhobotov}},
    {"ACLM-EG-VI-UPK", HeldLawKind{HeldLaw::aclm, false, false, kExtragradient}},
    {"ACLM-CONVEXQP-PG", HeldLawKind{HeldLaw::aclm, false, false, kArmijo}},
    // Newer ones
    {"IPM", InteriorPointKind{}},
    {"BB", SpectralKind{}},
};

using Names = std::span<const std::string_view>;

Names parameters_of(const ProjectionKind& kind) {
  if (kind.rule == StepRule::fixed) return kFixedStep;
  return kAdaptiveStep;
}

Names parameters_of(const NewtonKind&) { return {}; }

Names parameters_of(const SplittingKind& kind) {
  if (kind.adaptive || kind.method == LocalMethod::one_projection) return {};
  return kind.relaxed ? Names(kRelaxedRows) : Names(kRows);
}

Names parameters_of(const ProximalKind& kind) {
  return kind.rule == AlphaRule::success ? Names(kBySuccess) : Names(kByError);
}

Names parameters_of(const HeldLawKind& kind) {
  return kind.by_sweeps ? Names() : Names(kAdaptiveStep);
}

Names parameters_of(const InteriorPointKind&) { return {}; }

Names parameters_of(const SpectralKind&) { return {}; }

}  // namespace

std::span<const NonsmoothParameter> nonsmooth_parameters() { return kParameters; }

std::span<const std::string_view> NonsmoothEntry::parameters() const {
  return std::visit([](const auto& k) { return parameters_of(k); }, kind);
}

std::span<const NonsmoothEntry> nonsmooth_methods() { return kMethods; }

int nonsmooth_method(std::string_view name) {
  const auto* entry = std::ranges::find(
      kMethods, name, [](const NonsmoothEntry& e) { return std::string_view(e.name); });
  DEMAND(entry != std::end(kMethods));
  return static_cast<int>(entry - std::begin(kMethods));
}

const char* Nonsmooth::short_name() const { return kMethods[settings.method].name; }

void Nonsmooth::write_settings(ArchiveWriter& archive) const {
  archive(std::string(short_name()), settings.merit_value, settings.max_iterations,
          settings.failure);
  for (const NonsmoothParameter& parameter : kParameters) archive(settings.*parameter.value);
}

ProjectionSettings Nonsmooth::projection_settings(const ProjectionKind& kind) const {
  return {kind.correction, kind.rule, settings.rho, settings.nu, settings.L, settings.L_min};
}

IterationOutcome Nonsmooth::iterate(const SolveTask& task, const ProjectionKind& kind) {
  ProjectionSettings projection = projection_settings(kind);
  return solve_by_projections(task, ConeInequality(task.problem), projection,
                              settings.max_iterations);
}

IterationOutcome Nonsmooth::iterate(const SolveTask& task, const NewtonKind& kind) {
  constexpr int kFirstIterations = 100;
  IterationOutcome first;
  if (kind.projections_first) {
    ProjectionSettings projection = projection_settings(kExtragradient);
    first = solve_by_projections(task, ConeInequality(task.problem), projection,
                                 std::min(kFirstIterations, settings.max_iterations));
    if (first.status != SolveStatus::diverged) return first;
  }
  IterationOutcome outcome =
      newton_.solve(task, nullptr, kind.settings, settings.max_iterations - first.iterations);
  outcome.iterations += first.iterations;
  return outcome;
}

IterationOutcome Nonsmooth::iterate(const SolveTask& task, const SplittingKind& kind) {
  SplittingSettings splitting;
  splitting.local = {kind.method, kind.newton.map, kind.newton.search, settings.local_tolerance};
  splitting.adaptive = kind.adaptive;
  splitting.order = kind.order;
  if (kind.relaxed) splitting.omega = settings.omega;
  return splitting_.solve(task, ConeInequality(task.problem), nullptr, splitting,
                          settings.max_iterations);
}

IterationOutcome Nonsmooth::iterate(const SolveTask& task, const ProximalKind& kind) {
  ProximalPointSettings proximal;
  proximal.by_sweeps = kind.by_sweeps;
  proximal.newton.search = kind.search;
  proximal.splitting.local.search = kind.search;
  proximal.rule = kind.rule;
  proximal.alpha = settings.alpha;
  proximal.sigma = settings.sigma;
  proximal.nu = settings.exponent;
  return proximal_.solve(task, proximal, settings.max_iterations);
}

IterationOutcome Nonsmooth::iterate(const SolveTask& task, const HeldLawKind& kind) {
  const HeldLawSettings held{kind.law, kind.by_sweeps, kind.normal_by_sweeps,
                             projection_settings(kind.projection)};
  return held_law_.solve(task, held, settings.max_iterations);
}

IterationOutcome Nonsmooth::iterate(const SolveTask& task, const InteriorPointKind&) {
  return interior_point_.solve(task, settings.max_iterations);
}

IterationOutcome Nonsmooth::iterate(const SolveTask& task, const SpectralKind&) {
  return solve_by_barzilai_borwein(task, settings.max_iterations);
}

SolveResult Nonsmooth::solve(const LocalDynamics& p, LocalSolution& s,
                             const Communicator& communicator) {
  return solve_inequality(p, s, communicator, [&](const SolveTask& task) {
    return std::visit([&](const auto& kind) { return iterate(task, kind); },
                      kMethods[settings.method].kind);
  });
}

}  // namespace solfec
