#include "solver/relaxation.hpp"

#include <limits>

#include "local_dynamics/joint_law.hpp"
#include "solver/cone_inequality.hpp"
#include "solver/sweep_stages.hpp"

namespace solfec {
namespace {

class Relaxation {
 public:
  Relaxation(const LocalDynamics& p, LocalSolution& s, const Goal& goal, Channel& channel,
             const Communicator& communicator, const RelaxationSettings& settings)
      : p_(p),
        s_(s),
        goal_(goal),
        channel_(channel),
        communicator_(communicator),
        settings_(settings) {
    for (int row = 0; row < p_.rows(); row++) w_.push_back(row_weight(p_, row));
    if (settings_.splitting == Splitting::jacobi) return;
    stages_.colour(p_.halo, channel_, communicator_.rank());
    stages_.plan(p_, communicator_.size() > 1, GaussSeidelVariant::full,
                 settings_.splitting == Splitting::symmetric);
  }

  IterationOutcome run(int max_iterations) {
    last_ = max_iterations;
    figure_ = start_admissible(p_, s_, goal_, channel_);
    if (settings_.splitting == Splitting::jacobi)
      return iterate_to_goal(p_, s_, goal_, channel_, figure_, max_iterations, [&](int) {
        for (int row = 0; row < p_.rows(); row++) s_.R[row] = next(row, s_.U[row]);
        return goal_.measure(p_, s_, channel_);
      });
    return p_.W.iterate(s_.R, [&](auto& form) {
      return iterate_to_goal(p_, s_, goal_, channel_, figure_, max_iterations,
                             [&](int iteration) { return sweep(form, iteration); });
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

  template <class Form>
  double sweep(Form& form, int iteration) {
    double change = 0;  // sum w |dR|^2
    const bool backwards = settings_.splitting == Splitting::symmetric && iteration % 2 == 0;
    for (const Stage& stage : stages_.of(backwards)) {
      receive_reactions(p_.halo, stage, channel_, s_.R, form);
      for (int row : stage.rows) {
        const Vec3 R = next(row, p_.B[row] + form.row_times(row)), dR = R - s_.R[row];
        s_.R[row] = R;
        form.change(row, dR);
        change += w_[row] * dR.squaredNorm();
      }
      for (int k : stage.send) send_rows(p_.halo.neighbours[k], channel_, s_.R);
    }
    channel_.finish();
    change = communicator_.sum(change);
    judge(form, std::sqrt(change), iteration);
    if (change == 0 && !(figure_ <= goal_.value()))
      return std::numeric_limits<double>::infinity();  // nothing will get better
    return figure_;
  }

  // The figure costs as much as a sweep. It is asked for when the change, by the ratio of both when
  // last seen, lets expect that the goal is reached; and of the last sweep.
  template <class Form>
  void judge(const Form& form, double change, int iteration) {
    if (change > ask_at_ && iteration < ask_after_ && iteration < last_) return;
    for (int row = 0; row < p_.rows(); row++) s_.U[row] = p_.B[row] + form.row_times(row);
    figure_ = goal_.figure(p_, s_);
    ask_at_ = change * goal_.needed_decrease(figure_);
    ask_after_ = iteration + iteration / 10 + 10;
  }

  const LocalDynamics& p_;
  LocalSolution& s_;
  const Goal& goal_;
  Channel& channel_;
  const Communicator& communicator_;
  const RelaxationSettings& settings_;
  std::vector<double> w_;
  SweepStages stages_;
  double figure_ = 0;  // of the last R that was judged
  double ask_at_ = std::numeric_limits<double>::infinity();
  int ask_after_ = 0, last_ = 0;  // iterations
};

}  // namespace

IterationOutcome solve_by_relaxation(const LocalDynamics& problem, LocalSolution& solution,
                                     const Goal& goal, Channel& channel,
                                     const Communicator& communicator,
                                     const RelaxationSettings& settings, int max_iterations) {
  return Relaxation(problem, solution, goal, channel, communicator, settings).run(max_iterations);
}

}  // namespace solfec
