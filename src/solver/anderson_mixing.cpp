#include "solver/anderson_mixing.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace solfec {
namespace {

// Of the largest diagonal entry of the normal matrix: what its rounding may be.
constexpr double kRegularisation = 1e-12;

// Of |dG|^2: reactions that balance each other change f by rounding alone, and nothing else would
// bound how far a combination goes along them. It counts where |dF| < 3E-5 |dG|.
constexpr double kDamping = 1e-9;

}  // namespace

void AndersonMixing::start(const LocalDynamics& p, int memory) {
  memory_ = memory;
  columns_ = newest_ = 0;
  has_last_ = false;
  weight_.resize(3 * p.rows());
  for (int row = 0; row < p.rows(); row++)
    weight_.segment<3>(3 * row).setConstant(std::sqrt(reaction_scale(p.W.diagonal(row))));
  dF_.resize(weight_.size(), memory);
  dG_.resize(weight_.size(), memory);
  gram_ = Eigen::MatrixXd::Zero(memory, memory);
  damping_ = rhs_ = Eigen::VectorXd::Zero(memory);
}

// In place of the oldest one.
void AndersonMixing::keep_change(const Numbers& g) {
  if (columns_ == 0) newest_ = memory_ - 1;
  newest_ = (newest_ + 1) % memory_;
  columns_ = std::min(columns_ + 1, memory_);
  dF_.col(newest_) = f_ - last_f_;
  dG_.col(newest_) = g - last_g_;
}

// Of the newest column with all, and of f with all, in one reduction.
void AndersonMixing::update_products(const Communicator& communicator) {
  Eigen::MatrixXd sums(columns_ + 1, 2);
  sums.col(0).head(columns_).noalias() = dF_.leftCols(columns_).transpose() * dF_.col(newest_);
  sums.col(1).head(columns_).noalias() = dF_.leftCols(columns_).transpose() * f_;
  sums.row(columns_).setConstant(weight_.cwiseProduct(dG_.col(newest_)).squaredNorm());
  communicator.sum_all({sums.data(), static_cast<std::size_t>(sums.size())});
  for (int k = 0; k < columns_; k++) gram_(k, newest_) = gram_(newest_, k) = sums(k, 0);
  rhs_.head(columns_) = sums.col(1).head(columns_);
  damping_(newest_) = kDamping * sums(columns_, 0);
}

void AndersonMixing::mix(std::span<const Vec3> R, std::span<Vec3> g,
                         const Communicator& communicator) {
  static_assert(sizeof(Vec3) == 3 * sizeof(double));
  const auto size = static_cast<Eigen::Index>(3 * g.size());
  double* numbers = g.empty() ? nullptr : g[0].data();
  Eigen::Map<Eigen::VectorXd> to(numbers, size);
  const Numbers from(R.empty() ? nullptr : R[0].data(), size), now(numbers, size);
  f_ = weight_.cwiseProduct(now - from);
  if (has_last_) {
    keep_change(now);
    update_products(communicator);
  }
  has_last_ = true;
  std::swap(last_f_, f_);
  last_g_ = now;
  if (columns_ == 0) return;
  Eigen::MatrixXd A = gram_.topLeftCorner(columns_, columns_);
  const double rounding = kRegularisation * A.diagonal().maxCoeff();
  A.diagonal().array() += rounding + damping_.head(columns_).array();
  const Eigen::VectorXd gamma = A.ldlt().solve(rhs_.head(columns_));
  if (!gamma.allFinite()) {
    forget();
    return;
  }
  to.noalias() -= dG_.leftCols(columns_) * gamma;
}

}  // namespace solfec
