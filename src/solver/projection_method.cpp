#include "solver/projection_method.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace solfec {
namespace {

// A point of the iteration: R, external rows too, and F there.
struct Point {
  std::vector<Vec3> R, F;
};

class Iteration {
 public:
  Iteration(const SolveTask& task, const ConeInequality& inequality, ProjectionSettings& settings)
      : task_(task),
        p_(task.problem),
        s_(task.solution),
        inequality_(inequality),
        settings_(settings),
        rho_(settings.rho) {}

  IterationOutcome run(int max_iterations) {
    for (int row = 0; row < p_.rows(); row++) s_.R[row] = inequality_.project(row, s_.R[row]);
    const double figure = task_.measure(), rho = rho_;
    keep(now_);
    const IterationOutcome outcome =
        iterate_to_goal(task_, figure, max_iterations, [&](int) { return step(); });
    if (!std::isnormal(rho_)) rho_ = rho;  // what became of it is of no use to the next solve
    return outcome;
  }

 private:
  // Makes the next R; returns its figure.
  double step() {
    const double r = predict();
    double figure;
    if (settings_.correction != Correction::none) {
      move((settings_.correction == Correction::from_start ? now_ : trial_).R, trial_.F);
      figure = task_.measure();
      keep(now_);
    } else {
      figure = task_.criterion.figure(p_, s_);
      std::swap(now_, trial_);
    }
    if (settings_.rule != StepRule::fixed && r < settings_.L_min) rho_ /= settings_.nu;
    return figure;
  }

  // Rbar, with a rho that will do; returns r.
  double predict() {
    constexpr int kMostTrials = 100;
    constexpr double kShortest = 1e-10;  // of a step, in one trial
    for (int k = 1;; k++) {
      move(now_.R, now_.F);
      refresh(p_.halo, task_.channel, s_.R);
      update_velocities(p_, s_);
      keep(trial_);
      if (settings_.rule == StepRule::fixed) return 1;
      const double r = ratio();
      if (r <= settings_.L || k == kMostTrials) return r;
      rho_ *= settings_.nu * std::clamp(1 / r, kShortest, 1.0);
    }
  }

  // R of the solution = P_X (from - rho along).
  void move(const std::vector<Vec3>& from, const std::vector<Vec3>& along) {
    for (int row = 0; row < p_.rows(); row++)
      if (row_weight(p_, row) > 0)
        s_.R[row] = inequality_.project(row, from[row] - rho_ * along[row]);
  }

  // R and U of the solution.
  void keep(Point& point) const {
    point.R = s_.R;
    point.F.resize(p_.law.size());
    for (int row = 0; row < p_.rows(); row++) point.F[row] = inequality_.map(row, s_.U[row]);
  }

  double ratio() const {
    double sums[] = {0, 0, 0, 0};  // |dR|^2, |dF|^2, dR.dF, dR.F
    for (int row = 0; row < p_.rows(); row++) {
      const Vec3 dR = now_.R[row] - trial_.R[row], dF = now_.F[row] - trial_.F[row];
      sums[0] += dR.squaredNorm();
      sums[1] += dF.squaredNorm();
      sums[2] += dR.dot(dF);
      sums[3] += dR.dot(now_.F[row]);
    }
    task_.communicator.sum_all(sums);
    if (sums[0] == 0) return 0;
    if (!std::isfinite(sums[0] + sums[1])) return std::numeric_limits<double>::infinity();
    switch (settings_.rule) {
      case StepRule::khobotov:
        return rho_ * std::sqrt(sums[1] / sums[0]);
      case StepRule::solodov_tseng:
        return rho_ * sums[2] / sums[0];
      case StepRule::armijo:
        // The rule reads  r <= L  with the r of this ratio; F(R).(R - Rbar) >= |R - Rbar|^2 / rho.
        return sums[3] > 0 ? 0.5 * sums[2] / sums[3] : 0;
      case StepRule::fixed:
        break;
    }
    return 1;
  }

  const SolveTask& task_;
  const LocalDynamics& p_;
  LocalSolution& s_;
  const ConeInequality& inequality_;
  const ProjectionSettings& settings_;
  double& rho_;
  Point now_, trial_;
};

}  // namespace

IterationOutcome solve_by_projections(const SolveTask& task, const ConeInequality& inequality,
                                      ProjectionSettings& settings, int max_iterations) {
  return Iteration(task, inequality, settings).run(max_iterations);
}

}  // namespace solfec
