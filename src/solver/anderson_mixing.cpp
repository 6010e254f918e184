#include "solver/anderson_mixing.hpp"

#include <algorithm>
#include <cmath>

#include "core/threads.hpp"

namespace solfec {
namespace {

// Of the largest diagonal entry of the normal matrix: what its rounding may be.
constexpr double kRegularisation = 1e-12;

// Of |dG|^2: reactions that balance each other change f by rounding alone, and nothing else would
// bound how far a combination goes along them. It counts where |dF| < 3E-5 |dG|.
constexpr double kDamping = 1e-9;

// Numbers of a part: all that a part of a pass needs has room in the cache. Sums are taken over
// parts, so that the number of threads is not seen in them.
constexpr int kPart = 1024;

// On the stack, and aligned.
using Part = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kPart, 1>;

static_assert(sizeof(Vec3) == 3 * sizeof(double));

Eigen::Map<const Eigen::VectorXd> numbers(std::span<const Vec3> rows) {
  return {rows.empty() ? nullptr : rows[0].data(), static_cast<Eigen::Index>(3 * rows.size())};
}

Eigen::Map<Eigen::VectorXd> numbers(std::span<Vec3> rows) {
  return {rows.empty() ? nullptr : rows[0].data(), static_cast<Eigen::Index>(3 * rows.size())};
}

}  // namespace

// work(part, begin, size)
template <class Work>
void AndersonMixing::for_parts(Work&& work) const {
  const auto size = static_cast<int>(weight_.size());
  for_each_at_once((size + kPart - 1) / kPart, 4, [&](int part) {
    const int begin = part * kPart;
    work(part, begin, std::min(kPart, size - begin));
  });
}

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
  last_f_.resize(weight_.size());
  last_g_.resize(weight_.size());
  part_sums_ = Eigen::MatrixXd::Zero(2 * memory + 1, (weight_.size() + kPart - 1) / kPart);
}

// In place of the oldest one.
void AndersonMixing::add_column() {
  if (columns_ == 0) newest_ = memory_ - 1;
  newest_ = (newest_ + 1) % memory_;
  columns_ = std::min(columns_ + 1, memory_);
}

// The newest column, and its products with all of them, those of f, and its damping in one pass.
void AndersonMixing::keep_change(std::span<const Vec3> R, std::span<const Vec3> g,
                                 const Communicator& communicator) {
  if (has_last_) add_column();
  const int columns = has_last_ ? columns_ : 0;
  const auto from = numbers(R), to = numbers(g);
  for_parts([&](int part, int begin, int size) {
    const auto piece = [&](auto& x) { return x.segment(begin, size); };
    const Part f = piece(weight_).cwiseProduct(piece(to) - piece(from));
    if (columns > 0) {
      auto dF = dF_.block(begin, newest_, size, 1), dG = dG_.block(begin, newest_, size, 1);
      dF = f - piece(last_f_);
      dG = piece(to) - piece(last_g_);
      const auto all = dF_.block(begin, 0, size, columns);
      auto sums = part_sums_.col(part);
      sums.head(columns).noalias() = all.transpose() * dF;
      sums.segment(columns, columns).noalias() = all.transpose() * f;
      sums[2 * columns] = piece(weight_).cwiseProduct(dG.col(0)).squaredNorm();
    }
    piece(last_f_) = f;
    piece(last_g_) = piece(to);
  });
  has_last_ = true;
  if (columns == 0) return;
  Eigen::VectorXd sums = part_sums_.topRows(2 * columns + 1).rowwise().sum();
  communicator.sum_all({sums.data(), static_cast<std::size_t>(sums.size())});
  gram_.col(newest_).head(columns) = sums.head(columns);
  gram_.row(newest_).head(columns) = sums.head(columns).transpose();
  rhs_.head(columns) = sums.segment(columns, columns);
  damping_(newest_) = kDamping * sums[2 * columns];
}

void AndersonMixing::mix(std::span<const Vec3> R, std::span<Vec3> g, std::span<Vec3> change,
                         const Communicator& communicator) {
  keep_change(R, g, communicator);
  Eigen::VectorXd gamma(columns_);
  if (columns_ > 0) {
    Eigen::MatrixXd A = gram_.topLeftCorner(columns_, columns_);
    const double rounding = kRegularisation * A.diagonal().maxCoeff();
    A.diagonal().array() += rounding + damping_.head(columns_).array();
    gamma = A.ldlt().solve(rhs_.head(columns_));
  }
  if (columns_ == 0 || !gamma.allFinite()) {
    forget();
    numbers(change).setZero();
    return;
  }
  auto to = numbers(g), step = numbers(change);
  for_parts([&](int, int begin, int size) {
    // Eigen begins what is not aligned with single numbers, and zeros of these have another sign.
    const Part move = -(dG_.block(begin, 0, size, columns_) * gamma);
    step.segment(begin, size) = move;
    to.segment(begin, size) += move;
  });
}

}  // namespace solfec
