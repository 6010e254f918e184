// Solvers of the comparison of 2018 (Acary, Bremond, Huber), under its names. One table says which
// there are and which parameters each has; its defaults are those of the paper.
#pragma once

#include <span>
#include <string_view>

#include "solver/iterative_solver.hpp"
#include "solver/joint_reactions.hpp"
#include "solver/projection_method.hpp"

namespace solfec {

enum class NonsmoothMethod : std::uint8_t {
  fp_ds,
  fp_vi_upk,
  fp_vi_upts,
  eg_vi_upk,
  eg_vi_upts,
  fp2_vi_upk  ///< not in the paper (projection_method.hpp)
};

inline constexpr NonsmoothMethod kLastNonsmoothMethod = NonsmoothMethod::fp2_vi_upk;

struct NonsmoothSettings {
  NonsmoothMethod method = NonsmoothMethod::eg_vi_upk;
  double merit_value = 1e-8;
  int max_iterations = 10000;
  double rho = 1;       ///< at the start, or all the time [N s/m]
  double nu = 2.0 / 3;  ///< by which rho is made less
  double L = 0.9;       ///< largest ratio of a step
  double L_min = 0.3;   ///< below it rho is made greater
  FailureAction failure = FailureAction::go_on;
};

/// A number of the settings that some methods have.
struct NonsmoothParameter {
  const char* name;  ///< in the language
  double NonsmoothSettings::*value;
  double below;  ///< it is greater than 0 and less than this
};
std::span<const NonsmoothParameter> nonsmooth_parameters();

struct NonsmoothEntry {
  NonsmoothMethod method;
  const char* name;  ///< of the paper
  std::span<const std::string_view> parameters;
};
/// In the order of NonsmoothMethod.
std::span<const NonsmoothEntry> nonsmooth_methods();

/// Iterates until the merit is at most merit_value. Where it fails, the best R that it met, the
/// start included, is left. Settings are the same on all ranks; so is what a solve leaves here.
/// Throws RunError, on all ranks, for rows that make no variational inequality
/// (cone_inequality.hpp).
class Nonsmooth : public IterativeSolver<Nonsmooth, NonsmoothSettings> {
 public:
  explicit Nonsmooth(const NonsmoothSettings& settings) : IterativeSolver(settings) {}

  SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                    const Communicator& communicator) override;
  SolverKind kind() const override { return SolverKind::nonsmooth; }
  const char* name() const override { return "NONSMOOTH_SOLVER"; }
  const char* short_name() const override;
  void write_settings(ArchiveWriter& archive) const override;

 private:
  JointReactions joint_reactions_;
};

}  // namespace solfec
