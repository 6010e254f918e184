#include "solver/held_law_method.hpp"

#include <limits>

namespace solfec {

// Solves the problem with that part held at what it is now to an error of so much.
void HeldLawMethod::solve_part(const SolveTask& task, HeldPart part, bool by_sweeps, double value,
                               ProjectionSettings& projection) {
  constexpr int kMostInner = 10000;
  ConeInequality inequality(task.problem, part);
  inequality.hold(task.solution);
  const InequalityError criterion(inequality, nullptr, value, task.criterion, task.communicator);
  const SolveTask problem = task.until(criterion);
  if (!by_sweeps) {
    solve_by_projections(problem, inequality, projection, kMostInner);
    return;
  }
  SplittingSettings settings;
  settings.local.method =
      part == HeldPart::tangential ? LocalMethod::normal : LocalMethod::adaptive_projections;
  splitting_.solve(problem, inequality, nullptr, settings, kMostInner);
}

IterationOutcome HeldLawMethod::solve(const SolveTask& task, const HeldLawSettings& settings,
                                      int max_iterations) {
  constexpr double kInner = 0.1, kLeastShare = 1e-8;  // of the error of the whole
  LocalSolution& s = task.solution;
  const ConeInequality whole(task.problem);
  const InequalityError whole_error(whole, nullptr, 0, task.criterion, task.communicator);
  // Of normal problems and of others: each keeps its rho.
  ProjectionSettings of_normal = settings.projection, projection = settings.projection;
  double share = kInner;
  std::vector<Vec3> reached = s.R;  // before it is made admissible, to be judged
  const auto iteration = [&](int) {
    s.R = reached;
    task.measure();
    const double value = share * whole_error.figure(task.problem, s);
    switch (settings.law) {
      case HeldLaw::panagiotopoulos:
        solve_part(task, HeldPart::tangential, settings.normal_by_sweeps, value, of_normal);
        solve_part(task, HeldPart::normal, settings.by_sweeps, value, projection);
        break;
      case HeldLaw::tresca:
        solve_part(task, HeldPart::threshold, settings.by_sweeps, value, projection);
        break;
      case HeldLaw::aclm:
        solve_part(task, HeldPart::slip, settings.by_sweeps, value, projection);
        break;
    }
    // Problems whose solution is where they begin are to be solved better.
    if (!task.communicator.any(s.R != reached)) share *= kInner;
    reached = s.R;
    const double figure = start_admissible(task);
    return share < kLeastShare ? std::numeric_limits<double>::infinity() : figure;  // it stands
  };
  return iterate_to_goal(task, start_admissible(task), max_iterations, iteration);
}

}  // namespace solfec
