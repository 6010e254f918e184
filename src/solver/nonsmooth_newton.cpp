#include "solver/nonsmooth_newton.hpp"

#include <cmath>
#include <limits>

#include "local_dynamics/linearization.hpp"

namespace solfec {

struct NonsmoothNewton::Run {
  const SolveTask& task;
  const ProximalTerm* term;
  const NonsmoothNewtonSettings& settings;
};

// The rows at R; returns |G|^2, contacts by forces, joints by the forces that their velocities ask
// for.
double NonsmoothNewton::linearise(const Run& run) {
  const LocalDynamics& p = run.task.problem;
  LocalSolution& s = run.task.solution;
  refresh(p.halo, run.task.channel, s.R);
  update_velocities(p, s);
  LinearizedRows& rows = step_.rows;
  double sum = 0;
  for (int row = 0; row < p.rows(); row++) {
    if (run.term) s.U[row] += run.term->velocity(row, s.R[row]);
    const RowLinearization l = linearize(p, s, row, run.settings.map, steps_[row]);
    // The search is by |G|^2 / 2 (the paper prints |G| / 2), where contacts are forces.
    const double rho = steps_[row].normal;
    rows.C[row] = rho * l.C;
    rows.X[row] = rho * l.X;
    rows.Y[row] = rho * l.Y;
    if (run.term) rows.Y[row] += run.term->shift * rows.X[row];
    sum += rows.C[row].squaredNorm();
  }
  return run.task.communicator.sum(sum);
}

// Leaves the rows of the new R, and returns their |G|^2.
double NonsmoothNewton::move(const Run& run, double square) {
  LocalSolution& s = run.task.solution;
  base_ = s.R;
  double next = square;
  search_along(run.settings.search, 0.5 * square, -square, [&](double t) {
    for (std::size_t row = 0; row < step_.dR.size(); row++)
      s.R[row] = base_[row] - t * step_.dR[row];
    next = linearise(run);
    return 0.5 * next;
  });
  return next;
}

IterationOutcome NonsmoothNewton::solve(const SolveTask& task, const ProximalTerm* term,
                                        const NonsmoothNewtonSettings& settings,
                                        int max_iterations) {
  constexpr double kLinearResidual = 1e-10, kInfinity = std::numeric_limits<double>::infinity();
  constexpr int kStalled = 1000;  // iterations without half of the figure: it goes round
  const LocalDynamics& p = task.problem;
  std::vector<Vec3>& R = task.solution.R;
  const Run run{task, term, settings};
  step_.start(p);
  steps_.clear();
  for (int row = 0; row < p.rows(); row++)
    steps_.push_back(contact_steps(settings.map, p.W.diagonal(row)));
  std::vector<Vec3> reached = R;  // before it is made admissible, to be judged
  double square = linearise(run);
  const double start = start_admissible(task);
  LastHalved halved{start};
  return iterate_to_goal(task, start, max_iterations, [&](int iteration) {
    if (iteration - halved.step > kStalled || !std::isfinite(square) ||
        !step_.compute(p, task.channel, task.communicator, kLinearResidual))
      return kInfinity;
    R = reached;
    square = move(run, square);
    reached = R;
    const double figure = start_admissible(task);
    halved.see(figure, iteration);
    return figure;
  });
}

}  // namespace solfec
