// Penalty solver (manual, section 9.2): each contact is a spring and a damper of its own.
#pragma once

#include "solver/gauss_seidel.hpp"

namespace solfec {

/// One pass over the contacts; every row uses its own B only, so that the outcome does not depend
/// on the order of rows. All contacts have the law of SPRING_DASHPOT. Joints are iterated then
/// (Gauss-Seidel, to a relative change of 1E-6), with the contacts' reactions given.
class Penalty : public Solver {
 public:
  explicit Penalty(bool explicit_normal);

  SolveResult solve(const LocalDynamics& problem, LocalSolution& solution,
                    const Communicator& communicator) override;
  SolverKind kind() const override { return SolverKind::penalty; }
  const char* name() const override { return "PENALTY_SOLVER"; }
  void write_settings(ArchiveWriter& archive) const override { archive(explicit_normal_); }
  ContactLaws contact_laws() const override { return ContactLaws::springs; }
  bool explicit_normal() const { return explicit_normal_; }

 private:
  bool explicit_normal_;
  GaussSeidel joints_;
};

}  // namespace solfec
