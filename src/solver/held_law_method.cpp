#include "solver/held_law_method.hpp"

#include <cmath>

namespace solfec {

struct HeldLawMethod::Run {
  const LocalDynamics& problem;
  LocalSolution& solution;
  const Criterion& criterion;
  Channel& channel;
  const Communicator& communicator;
  ProjectionSettings projection[2];  // of normal problems, and of others: each keeps its rho
};

// Solves the problem with that part held at what it is now to an error of so much; returns its
// iterations.
int HeldLawMethod::solve_part(Run& run, HeldPart part, bool by_sweeps, double value) {
  constexpr int kMostInner = 10000;
  const LocalDynamics& p = run.problem;
  ConeInequality inequality(p, part);
  inequality.hold(run.solution);
  const InequalityError inner(inequality, nullptr, value, run.criterion, run.communicator);
  const bool normal = part == HeldPart::tangential;
  if (!by_sweeps)
    return solve_by_projections(p, run.solution, inequality, inner, run.channel, run.communicator,
                                run.projection[normal], kMostInner)
        .iterations;
  SplittingSettings settings;
  settings.local.method = normal ? LocalMethod::normal : LocalMethod::adaptive_projections;
  return splitting_
      .solve(p, run.solution, inequality, nullptr, inner, run.channel, run.communicator, settings,
             kMostInner)
      .iterations;
}

IterationOutcome HeldLawMethod::solve(const LocalDynamics& p, LocalSolution& s,
                                      const Criterion& criterion, Channel& channel,
                                      const Communicator& communicator,
                                      const HeldLawSettings& settings, int max_iterations) {
  constexpr double kInner = 0.1;  // of the error of the whole
  Run run{p, s, criterion, channel, communicator, {settings.projection, settings.projection}};
  const ConeInequality whole(p);
  const InequalityError whole_error(whole, nullptr, 0, criterion, communicator);
  const auto make_admissible = [&] {
    for (int row = 0; row < p.rows(); row++) s.R[row] = whole.project(row, s.R[row]);
    return criterion.measure(p, s, channel);
  };
  IterationOutcome outcome{SolveStatus::ok, 0, make_admissible()};
  std::vector<Vec3> best_R = s.R;
  double share = kInner, figure = outcome.figure;
  while (!(figure <= criterion.value())) {
    if (criterion.is_late()) {
      outcome.status = SolveStatus::out_of_time;
      break;
    }
    constexpr double kLeastShare = 1e-8;
    if (outcome.iterations == max_iterations || !std::isfinite(figure) || share < kLeastShare) {
      outcome.status = SolveStatus::diverged;
      break;
    }
    const double value = share * whole_error.figure(p, s);
    int inner = 0;
    switch (settings.law) {
      case HeldLaw::panagiotopoulos:
        inner += solve_part(run, HeldPart::tangential, settings.normal_by_sweeps, value);
        inner += solve_part(run, HeldPart::normal, settings.by_sweeps, value);
        break;
      case HeldLaw::tresca:
        inner += solve_part(run, HeldPart::threshold, settings.by_sweeps, value);
        break;
      case HeldLaw::aclm:
        inner += solve_part(run, HeldPart::slip, settings.by_sweeps, value);
        break;
    }
    // Problems that are solved before they begin are to be solved better.
    if (inner == 0) share *= kInner;
    outcome.iterations++;
    figure = make_admissible();
    if (figure < outcome.figure) {
      outcome.figure = figure;
      best_R = s.R;
    }
  }
  s.R = best_R;
  outcome.figure = criterion.measure(p, s, channel);
  return outcome;
}

}  // namespace solfec
