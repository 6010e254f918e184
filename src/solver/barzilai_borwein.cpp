#include "solver/barzilai_borwein.hpp"

#include "solver/cone_inequality.hpp"

namespace solfec {
namespace {

class SpectralGradient {
 public:
  explicit SpectralGradient(const SolveTask& task)
      : task_(task), p_(task.problem), s_(task.solution) {
    for (int row = 0; row < p_.rows(); row++) w_.push_back(row_weight(p_, row));
    keep();
  }

  double step(int iteration) {
    for (int row = 0; row < p_.rows(); row++)
      if (w_[row] > 0) s_.R[row] = admissible(p_.law[row], R_[row] - F_[row] / (L_ * w_[row]));
    const double figure = task_.measure();
    update_step(iteration % 2 == 0);
    keep();
    return figure;
  }

 private:
  void keep() {
    R_.assign(s_.R.begin(), s_.R.begin() + p_.rows());
    F_.resize(R_.size());
    for (int row = 0; row < p_.rows(); row++) F_[row] = inequality_map(p_, row, s_.U[row]);
  }

  void update_step(bool is_long) {
    double sums[] = {0, 0, 0};  // sum w |dR|^2, dR.dF, sum |dF|^2 / w
    for (int row = 0; row < p_.rows(); row++) {
      if (!(w_[row] > 0)) continue;
      const Vec3 dR = s_.R[row] - R_[row], dF = inequality_map(p_, row, s_.U[row]) - F_[row];
      sums[0] += w_[row] * dR.squaredNorm();
      sums[1] += dR.dot(dF);
      sums[2] += dF.squaredNorm() / w_[row];
    }
    task_.communicator.sum_all(sums);
    if (sums[1] > 0) L_ = is_long ? sums[1] / sums[0] : sums[2] / sums[1];
  }

  const SolveTask& task_;
  const LocalDynamics& p_;
  LocalSolution& s_;
  std::vector<double> w_;
  std::vector<Vec3> R_, F_;  // of the owned rows
  double L_ = 1;
};

}  // namespace

IterationOutcome solve_by_barzilai_borwein(const SolveTask& task, int max_iterations) {
  const double figure = start_admissible(task);
  SpectralGradient method(task);
  return iterate_to_goal(task, figure, max_iterations,
                         [&](int iteration) { return method.step(iteration); });
}

}  // namespace solfec
