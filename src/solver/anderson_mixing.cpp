#include "solver/anderson_mixing.hpp"

#include <algorithm>
#include <utility>

namespace solfec {
namespace {

// Of the largest diagonal entry of the normal matrix: what its rounding may be.
constexpr double kRegularisation = 1e-12;

}  // namespace

void AndersonMixing::start(const LocalDynamics& p, int memory) {
  memory_ = memory;
  columns_ = newest_ = 0;
  has_last_ = false;
  weight_.clear();
  for (int row = 0; row < p.rows(); row++) weight_.push_back(reaction_scale(p.W.diagonal(row)));
  dF_.resize(memory);
  dG_.resize(memory);
  gram_ = Eigen::MatrixXd::Zero(memory, memory);
  rhs_ = Eigen::VectorXd::Zero(memory);
}

// In place of the oldest one.
void AndersonMixing::keep_change(std::span<const Vec3> g) {
  if (columns_ == 0) newest_ = memory_ - 1;
  newest_ = (newest_ + 1) % memory_;
  columns_ = std::min(columns_ + 1, memory_);
  std::vector<Vec3>&dF = dF_[newest_], &dG = dG_[newest_];
  dF.resize(g.size());
  dG.resize(g.size());
  for (std::size_t row = 0; row < g.size(); row++) {
    dF[row] = f_[row] - last_f_[row];
    dG[row] = g[row] - last_g_[row];
  }
}

// Of the newest column with all, and of f with all, in one reduction.
void AndersonMixing::update_products(const Communicator& communicator) {
  std::vector<double> sums(2 * static_cast<std::size_t>(columns_), 0.0);
  const std::vector<Vec3>& newest = dF_[newest_];
  for (int k = 0; k < columns_; k++) {
    double with_newest = 0, with_f = 0;
    for (std::size_t row = 0; row < f_.size(); row++) {
      const Vec3 weighted = weight_[row] * dF_[k][row];
      with_newest += weighted.dot(newest[row]);
      with_f += weighted.dot(f_[row]);
    }
    sums[2 * k] = with_newest;
    sums[2 * k + 1] = with_f;
  }
  communicator.sum_all(sums);
  for (int k = 0; k < columns_; k++) {
    gram_(k, newest_) = gram_(newest_, k) = sums[2 * k];
    rhs_[k] = sums[2 * k + 1];
  }
}

void AndersonMixing::mix(std::span<const Vec3> R, std::span<Vec3> g,
                         const Communicator& communicator) {
  f_.resize(g.size());
  for (std::size_t row = 0; row < g.size(); row++) f_[row] = g[row] - R[row];
  if (has_last_) {
    keep_change(g);
    update_products(communicator);
  }
  has_last_ = true;
  std::swap(last_f_, f_);
  last_g_.assign(g.begin(), g.end());
  if (columns_ == 0) return;
  Eigen::MatrixXd A = gram_.topLeftCorner(columns_, columns_);
  A.diagonal().array() += kRegularisation * A.diagonal().maxCoeff();
  const Eigen::VectorXd gamma = A.ldlt().solve(rhs_.head(columns_));
  if (!gamma.allFinite()) {
    forget();
    return;
  }
  for (int k = 0; k < columns_; k++)
    for (std::size_t row = 0; row < g.size(); row++) g[row] -= gamma[k] * dG_[k][row];
}

}  // namespace solfec
