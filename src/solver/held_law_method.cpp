#include "solver/held_law_method.hpp"

#include <limits>

#include "solver/goal_iteration.hpp"

namespace solfec {

struct HeldLawMethod::Run {
  const LocalDynamics& problem;
  LocalSolution& solution;
  const Criterion& criterion;
  Channel& channel;
  const Communicator& communicator;
  ProjectionSettings projection[2];  // of normal problems, and of others: each keeps its rho
};

// Solves the problem with that part held at what it is now to an error of so much.
void HeldLawMethod::solve_part(Run& run, HeldPart part, bool by_sweeps, double value) {
  constexpr int kMostInner = 10000;
  const LocalDynamics& p = run.problem;
  ConeInequality inequality(p, part);
  inequality.hold(run.solution);
  const InequalityError inner(inequality, nullptr, value, run.criterion, run.communicator);
  const bool normal = part == HeldPart::tangential;
  if (!by_sweeps) {
    solve_by_projections(p, run.solution, inequality, inner, run.channel, run.communicator,
                         run.projection[normal], kMostInner);
    return;
  }
  SplittingSettings settings;
  settings.local.method = normal ? LocalMethod::normal : LocalMethod::adaptive_projections;
  splitting_.solve(p, run.solution, inequality, nullptr, inner, run.channel, run.communicator,
                   settings, kMostInner);
}

IterationOutcome HeldLawMethod::solve(const LocalDynamics& p, LocalSolution& s,
                                      const Criterion& criterion, Channel& channel,
                                      const Communicator& communicator,
                                      const HeldLawSettings& settings, int max_iterations) {
  constexpr double kInner = 0.1, kLeastShare = 1e-8;  // of the error of the whole
  Run run{p, s, criterion, channel, communicator, {settings.projection, settings.projection}};
  const ConeInequality whole(p);
  const InequalityError whole_error(whole, nullptr, 0, criterion, communicator);
  double share = kInner;
  std::vector<Vec3> last = s.R;  // before it is made admissible, to be judged
  const auto iteration = [&](int) {
    s.R = last;
    criterion.measure(p, s, channel);
    const double value = share * whole_error.figure(p, s);
    switch (settings.law) {
      case HeldLaw::panagiotopoulos:
        solve_part(run, HeldPart::tangential, settings.normal_by_sweeps, value);
        solve_part(run, HeldPart::normal, settings.by_sweeps, value);
        break;
      case HeldLaw::tresca:
        solve_part(run, HeldPart::threshold, settings.by_sweeps, value);
        break;
      case HeldLaw::aclm:
        solve_part(run, HeldPart::slip, settings.by_sweeps, value);
        break;
    }
    // Problems whose solution is where they begin are to be solved better.
    if (!communicator.any(s.R != last)) share *= kInner;
    last = s.R;
    if (share < kLeastShare) return std::numeric_limits<double>::infinity();  // it stands
    return start_admissible(p, s, criterion, channel);
  };
  const double start = start_admissible(p, s, criterion, channel);
  return iterate_to_goal(p, s, criterion, channel, start, max_iterations, iteration);
}

}  // namespace solfec
