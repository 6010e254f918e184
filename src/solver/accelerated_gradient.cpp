#include "solver/accelerated_gradient.hpp"

#include <limits>

#include "solver/cone_inequality.hpp"

namespace solfec {
namespace {

constexpr double kGrowth = 2, kDecay = 0.9;  // of L

// The root of  theta'^2 = (1 - theta') theta^2  without cancellation.
double next_theta(double theta) { return 2 * theta / (theta + std::sqrt(theta * theta + 4)); }

class AcceleratedGradient {
 public:
  explicit AcceleratedGradient(const SolveTask& task)
      : task_(task), p_(task.problem), s_(task.solution) {
    for (int row = 0; row < p_.rows(); row++) w_.push_back(row_weight(p_, row));
    R_.assign(s_.R.begin(), s_.R.begin() + p_.rows());
    for (int row = 0; row < p_.rows(); row++) F_.push_back(inequality_map(p_, row, s_.U[row]));
    y_ = R_;
    F_y_ = F_;
    F_next_ = F_;
  }

  double step() {
    descend();
    const double figure = task_.criterion.figure(p_, s_);
    carry_on();
    L_ *= kDecay;
    return figure;
  }

 private:
  // R' and its F.
  void descend() {
    constexpr int kMostTrials = 60;
    for (int k = 0; k < kMostTrials; k++) {
      for (int row = 0; row < p_.rows(); row++)
        if (w_[row] > 0) s_.R[row] = admissible(p_.law[row], y_[row] - F_y_[row] / (L_ * w_[row]));
      refresh(p_.halo, task_.channel, s_.R);
      update_velocities(p_, s_);
      for (int row = 0; row < p_.rows(); row++) F_next_[row] = inequality_map(p_, row, s_.U[row]);
      if (is_bounded()) return;
      L_ *= kGrowth;
    }
  }

  // Whether d.W d <= L |d|_w^2, up to the rounding of W d.
  bool is_bounded() const {
    constexpr double kRoundOff = 16 * std::numeric_limits<double>::epsilon();
    double sums[] = {0, 0, 0};  // |d|_w^2, d.W d, its rounding
    for (int row = 0; row < p_.rows(); row++) {
      const Vec3 d = s_.R[row] - y_[row];
      sums[0] += w_[row] * d.squaredNorm();
      sums[1] += d.dot(F_next_[row] - F_y_[row]);
      sums[2] += d.norm() * (p_.B[row].norm() + w_[row] * s_.R[row].norm());
    }
    task_.communicator.sum_all(sums);
    return sums[1] <= L_ * sums[0] + kRoundOff * sums[2];
  }

  // The next y, and R = R'.
  void carry_on() {
    double along = 0;
    for (int row = 0; row < p_.rows(); row++) along += F_y_[row].dot(s_.R[row] - R_[row]);
    const bool restart = task_.communicator.sum(along) > 0;
    const double theta = restart ? 1 : next_theta(theta_);
    const double beta = restart ? 0 : theta_ * (1 - theta_) / (theta_ * theta_ + theta);
    for (int row = 0; row < p_.rows(); row++) {
      y_[row] = s_.R[row] + beta * (s_.R[row] - R_[row]);
      F_y_[row] = F_next_[row] + beta * (F_next_[row] - F_[row]);
      R_[row] = s_.R[row];
    }
    std::swap(F_, F_next_);
    theta_ = theta;
  }

  const SolveTask& task_;
  const LocalDynamics& p_;
  LocalSolution& s_;
  std::vector<double> w_;
  std::vector<Vec3> R_, F_, y_, F_y_, F_next_;  // of the owned rows
  double L_ = 1, theta_ = 1;
};

}  // namespace

IterationOutcome solve_by_accelerated_gradient(const SolveTask& task, int max_iterations) {
  const double figure = start_admissible(task);
  AcceleratedGradient method(task);
  return iterate_to_goal(task, figure, max_iterations, [&](int) { return method.step(); });
}

}  // namespace solfec
