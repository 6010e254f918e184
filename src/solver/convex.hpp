// The convex problem of a step (cone complementarity problem, CCP; Anitescu and Tasora 2007, Tasora
// and Anitescu 2011): contacts have the convex law (contact_law.hpp), so that R is a minimum of a
// convex function over cones. Velocities are unique, but contacts that slide open.
#pragma once

#include <span>

#include "solver/inequality_solver.hpp"
#include "solver/interior_point.hpp"
#include "solver/relaxation.hpp"

namespace solfec {

enum class ConvexMethod : std::uint8_t {
  apgd,
  gauss_seidel,
  ssor,
  jacobi,
  interior_point,
  barzilai_borwein
};

inline constexpr ConvexMethod kLastConvexMethod = ConvexMethod::barzilai_borwein;

struct ConvexSettings {
  ConvexMethod method = ConvexMethod::apgd;
  double merit_value = 1e-8;
  int max_iterations = 10000;
  double omega = 1;   ///< of a step of relaxation (relaxation.hpp)
  double lambda = 1;  ///< share of a step that is taken, at most 1
  FailureAction failure = FailureAction::go_on;
};

struct ConvexEntry {
  ConvexMethod method;
  const char* name;        ///< in the language
  const char* short_name;  ///< of solfec-solve
  double omega;            ///< by default; 0: the method has no omega and lambda
};
/// In the order of ConvexMethod.
std::span<const ConvexEntry> convex_methods();
const ConvexEntry& entry_of(ConvexMethod method);

/// Iterates until the merit, or the error of the target, both those of the convex law, is small
/// enough. Where it fails, the best R that it has judged, the start included, is left. Settings are
/// the same on all ranks; so is what a solve leaves here. Throws RunError, on all ranks, for rows
/// that make no variational inequality (cone_inequality.hpp).
class Convex : public InequalitySolver<Convex, ConvexSettings> {
 public:
  explicit Convex(const ConvexSettings& settings) : InequalitySolver(settings) {}

  SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                    const Communicator& communicator) override;
  SolverKind kind() const override { return SolverKind::convex; }
  const char* name() const override { return "CONVEX_SOLVER"; }
  const char* short_name() const override { return entry_of(settings.method).short_name; }
  ContactLaws contact_laws() const override { return ContactLaws::convex; }
  void write_settings(ArchiveWriter& archive) const override;

 private:
  SweepStages stages_;
  InteriorPoint interior_point_;
};

}  // namespace solfec
