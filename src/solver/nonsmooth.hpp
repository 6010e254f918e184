// Solvers of the comparison of 2018 (Acary, Bremond, Huber), under its names. One table says which
// there are; their defaults are those of the paper.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "solver/barzilai_borwein.hpp"
#include "solver/held_law_method.hpp"
#include "solver/inequality_solver.hpp"
#include "solver/interior_point.hpp"
#include "solver/projection_method.hpp"
#include "solver/proximal_point.hpp"

namespace solfec {

struct NonsmoothSettings {
  int method = 0;  ///< its place in the table
  double merit_value = 1e-8;
  int max_iterations = 10000;
  // Of projections:
  double rho = 1;       ///< at the start, or all the time [N s/m]
  double nu = 2.0 / 3;  ///< by which rho is made less
  double L = 0.9;       ///< largest ratio of a step
  double L_min = 0.3;   ///< below it rho is made greater
  // Of sweeps:
  double local_tolerance = 1e-14;
  double omega = 1.3;
  // Of proximal points:
  double alpha = 1;
  double sigma = 5, exponent = 1;
  FailureAction failure = FailureAction::go_on;
};

/// A number of the settings that some methods have.
struct NonsmoothParameter {
  const char* name;  ///< in the language
  double NonsmoothSettings::*value;
  double below;  ///< it is greater than 0 and less than this
};
std::span<const NonsmoothParameter> nonsmooth_parameters();

// What a method is, without the numbers of the settings.

struct ProjectionKind {
  Correction correction;
  StepRule rule;
};

struct NewtonKind {
  NonsmoothNewtonSettings settings;
  bool projections_first = false;  ///< 100 iterations of EG-VI-UPK
};

struct SplittingKind {
  LocalMethod method;
  NonsmoothNewtonSettings newton = {};
  RowOrder order = RowOrder::given;
  bool adaptive = false;  ///< tolerance of rows
  bool relaxed = false;
};

struct ProximalKind {
  bool by_sweeps;
  LineSearch search;
  AlphaRule rule;
};

struct HeldLawKind {
  HeldLaw law;
  bool by_sweeps, normal_by_sweeps;
  ProjectionKind projection;
};

struct InteriorPointKind {};

struct SpectralKind {};

using NonsmoothKind = std::variant<ProjectionKind, NewtonKind, SplittingKind, ProximalKind,
                                   HeldLawKind, InteriorPointKind, SpectralKind>;

struct NonsmoothEntry {
  const char* name;  ///< of the paper
  NonsmoothKind kind;

  /// Names of those that it has.
  std::span<const std::string_view> parameters() const;
};
std::span<const NonsmoothEntry> nonsmooth_methods();
/// The place of a method in the table, by its name.
int nonsmooth_method(std::string_view name);

/// Iterates until the merit is at most merit_value. Where it fails, the best R that it met, the
/// start included, is left. Settings are the same on all ranks; so is what a solve leaves here.
/// Throws RunError, on all ranks, for rows that make no variational inequality
/// (cone_inequality.hpp).
class Nonsmooth : public InequalitySolver<Nonsmooth, NonsmoothSettings> {
 public:
  explicit Nonsmooth(const NonsmoothSettings& settings) : InequalitySolver(settings) {}

  SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                    const Communicator& communicator) override;
  SolverKind kind() const override { return SolverKind::nonsmooth; }
  const char* name() const override { return "NONSMOOTH_SOLVER"; }
  const char* short_name() const override;
  void write_settings(ArchiveWriter& archive) const override;

 private:
  IterationOutcome iterate(const SolveTask& task, const ProjectionKind& kind);
  IterationOutcome iterate(const SolveTask& task, const NewtonKind& kind);
  IterationOutcome iterate(const SolveTask& task, const SplittingKind& kind);
  IterationOutcome iterate(const SolveTask& task, const ProximalKind& kind);
  IterationOutcome iterate(const SolveTask& task, const HeldLawKind& kind);
  IterationOutcome iterate(const SolveTask& task, const InteriorPointKind& kind);
  IterationOutcome iterate(const SolveTask& task, const SpectralKind& kind);
  ProjectionSettings projection_settings(const ProjectionKind& kind) const;

  NonsmoothNewton newton_;
  SplittingMethod splitting_;
  ProximalPoint proximal_;
  HeldLawMethod held_law_;
  InteriorPoint interior_point_;
};

}  // namespace solfec
