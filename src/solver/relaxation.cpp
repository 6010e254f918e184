#include "solver/relaxation.hpp"

#include <cmath>
#include <limits>

#include "local_dynamics/joint_law.hpp"
#include "solver/cone_inequality.hpp"

namespace solfec {
namespace {

class Relaxation {
 public:
  Relaxation(const SolveTask& task, const RelaxationSettings& settings, SweepStages& stages,
             int max_iterations)
      : task_(task),
        p_(task.problem),
        s_(task.solution),
        settings_(settings),
        stages_(stages),
        max_iterations_(max_iterations) {
    for (int row = 0; row < p_.rows(); row++) w_.push_back(row_weight(p_, row));
  }

  IterationOutcome run() {
    figure_ = start_admissible(task_);
    if (settings_.splitting == Splitting::jacobi)
      return iterate_to_goal(task_, figure_, max_iterations_, [&](int) {
        for (int row = 0; row < p_.rows(); row++) s_.R[row] = next(row, s_.U[row]);
        return task_.measure();
      });
    stages_.prepare(p_, task_.channel, task_.communicator,
                    settings_.splitting == Splitting::symmetric);
    return p_.W.iterate(s_.R, [&](auto& form) {
      return iterate_to_goal(task_, figure_, max_iterations_,
                             [&](int iteration) { return step(form, iteration); });
    });
  }

 private:
  // R of a row from its velocity.
  Vec3 next(int row, const Vec3& U) const {
    const RowLaw& law = p_.law[row];
    const Vec3& R = s_.R[row];
    const double omega = settings_.omega, lambda = settings_.lambda;
    if (!law.is_contact()) {
      const Mat3& W = p_.W.diagonal(row);
      return R +
             lambda * omega * (joint_reaction(law, W, p_.W.diagonal_inverse(row), U - W * R) - R);
    }
    if (w_[row] == 0) return R;
    const Vec3 projected = admissible(law, R - omega / w_[row] * inequality_map(p_, row, U));
    // Projected again, for rounding.
    return lambda == 1 ? projected : admissible(law, R + lambda * (projected - R));
  }

  // Returns sum w |dR|^2.
  template <class Form>
  double sweep(Form& form, bool backwards) {
    double change = 0;
    for (const Stage& stage : stages_.of(backwards)) {
      receive_reactions(p_.halo, stage, task_.channel, s_.R, form);
      for (int row : stage.rows) {
        const Vec3 R = next(row, p_.B[row] + form.row_times(row)), dR = R - s_.R[row];
        s_.R[row] = R;
        form.change(row, dR);
        change += w_[row] * dR.squaredNorm();
      }
      for (int k : stage.send) send_rows(p_.halo.neighbours[k], task_.channel, s_.R);
    }
    task_.channel.finish();
    return task_.communicator.sum(change);
  }

  // Returns the figure of the last R that was judged.
  template <class Form>
  double step(Form& form, int iteration) {
    if (change_ == 0) return kInfinity;  // nothing will get better
    change_ =
        std::sqrt(sweep(form, settings_.splitting == Splitting::symmetric && iteration % 2 == 0));
    if (change_ > 0 && iteration < max_iterations_ && !check_.is_due(change_, iteration))
      return figure_;
    velocities(p_, form, s_.U);
    const Criterion& goal = task_.criterion;
    figure_ = goal.figure(p_, s_);
    check_.learn(change_, goal.error(goal.value()) / goal.error(figure_), iteration);
    return figure_;
  }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const SolveTask& task_;
  const LocalDynamics& p_;
  LocalSolution& s_;
  const RelaxationSettings& settings_;
  SweepStages& stages_;
  int max_iterations_;
  std::vector<double> w_;
  double figure_ = 0;          // of the last R that was judged
  double change_ = kInfinity;  // of R in the last sweep
  DeferredCheck check_{kInfinity};
};

}  // namespace

IterationOutcome solve_by_relaxation(const SolveTask& task, const RelaxationSettings& settings,
                                     SweepStages& stages, int max_iterations) {
  return Relaxation(task, settings, stages, max_iterations).run();
}

}  // namespace solfec
