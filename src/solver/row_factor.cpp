#include "solver/row_factor.hpp"

#include <klu.h>

#include <algorithm>
#include <cmath>

namespace solfec {

struct RowFactor::Klu {
  Klu() { klu_defaults(&common); }
  ~Klu() { clear(); }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  void clear_numbers() { klu_free_numeric(&numeric, &common); }
  void clear() {
    clear_numbers();
    klu_free_symbolic(&symbolic, &common);
  }

  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

RowFactor::RowFactor() : klu_(std::make_unique<Klu>()) {}
RowFactor::~RowFactor() = default;

bool RowFactor::takes_blocks(const Delassus& W) {
  constexpr int kSmallBody = 12;
  for (int row = 0; row < W.rows(); row++)
    for (int side : {0, 1})
      if (W.end(row, side).size > kSmallBody) return true;
  return W.groups() == 0;
}

void RowFactor::end_row() { begin_.push_back(static_cast<int>(column_.size())); }

// A, block row by block row.
void RowFactor::add_blocks(const Delassus& W, const std::vector<Mat3>& X,
                           const std::vector<Mat3>& Y) {
  const int rows = W.rows();
  std::vector<int> columns[3];
  std::vector<double> values[3];
  const auto add = [&](int column, const Mat3& A) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        if (A(i, j) != 0) {
          columns[i].push_back(3 * column + j);
          values[i].push_back(A(i, j));
        }
  };
  for (int row = 0; row < rows; row++) {
    for (int i = 0; i < 3; i++) {
      columns[i].clear();
      values[i].clear();
    }
    if (X[row].isZero(0))
      add(row, Y[row]);
    else
      W.visit_blocks(row, [&](int column, const Mat3& W_ab) {
        if (column == row)
          add(column, X[row] * W_ab + Y[row]);
        else if (column < rows)
          add(column, X[row] * W_ab);
      });
    for (int i = 0; i < 3; i++) {
      column_.insert(column_.end(), columns[i].begin(), columns[i].end());
      value_.insert(value_.end(), values[i].begin(), values[i].end());
      end_row();
    }
  }
}

// (Y, sqrt(h) X G), scalar row by scalar row, and the rows of the bodies.
void RowFactor::add_bodies(const Delassus& W, const std::vector<Mat3>& X,
                           const std::vector<Mat3>& Y) {
  const double root = std::sqrt(W.step());
  const auto add = [&](int column, double value) {
    if (value == 0) return;
    column_.push_back(column);
    value_.push_back(value);
  };
  for (int row = 0; row < W.rows(); row++)
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) add(3 * row + j, Y[row](i, j));
      const Eigen::RowVector3d x = root * X[row].row(i);
      if (!x.isZero(0))
        for (int side : {0, 1}) {
          const RowBlock& end = W.end(row, side);
          const double* G = W.end_block(end);
          for (int j = 0; j < end.size; j++)
            add(3 * W.rows() + end.y + j,
                x[0] * G[j] + x[1] * G[end.size + j] + x[2] * G[2 * end.size + j]);
        }
      end_row();
    }
  add_velocities(W);
}

// (-sqrt(h) G^T, I)
void RowFactor::add_velocities(const Delassus& W) {
  const double root = std::sqrt(W.step());
  const int rows = W.rows(), first = 3 * rows;
  int velocities = 0;
  for (int row = 0; row < rows; row++)
    for (int side : {0, 1})
      velocities = std::max(velocities, W.end(row, side).y + W.end(row, side).size);
  // Where the entries of each velocity go: I after those of the rows.
  std::vector<int> next(static_cast<std::size_t>(velocities) + 1, 0);
  for (int row = 0; row < rows; row++)
    for (int side : {0, 1}) {
      const RowBlock& end = W.end(row, side);
      for (int j = 0; j < end.size; j++) next[end.y + j + 1] += 3;
    }
  next[0] = static_cast<int>(column_.size());
  for (int k = 0; k < velocities; k++) {
    next[k + 1] += next[k] + 1;
    begin_.push_back(next[k + 1]);
  }
  column_.resize(next.back());
  value_.resize(next.back());
  for (int row = 0; row < rows; row++)
    for (int side : {0, 1}) {
      const RowBlock& end = W.end(row, side);
      const double* G = W.end_block(end);
      for (int j = 0; j < end.size; j++)
        for (int i = 0; i < 3; i++) {
          const int place = next[end.y + j]++;
          column_[place] = 3 * row + i;
          value_[place] = -root * G[i * end.size + j];
        }
    }
  for (int k = 0; k < velocities; k++) {
    column_[next[k]] = first + k;
    value_[next[k]] = 1;
  }
}

void RowFactor::set_matrix(const Delassus& W, const std::vector<Mat3>& X,
                           const std::vector<Mat3>& Y) {
  std::swap(begin_, last_begin_);
  std::swap(column_, last_column_);
  begin_.assign(1, 0);
  column_.clear();
  value_.clear();
  // A pivot is taken off the diagonal where that has less than so much of a column's largest entry.
  // With bodies it hardly ever is: small Y of contacts that stick would cost many times the
  // entries, and what rounding loses the iteration around the factors gets back.
  constexpr double kLeastPivot = 1e-3, kLeastPivotWithBodies = 1e-12;
  if (takes_blocks(W)) {
    klu_->common.tol = kLeastPivot;
    renew_pivots();
    add_blocks(W, X, Y);
  } else {
    klu_->common.tol = kLeastPivotWithBodies;
    add_bodies(W, X, Y);
  }
  if (klu_->symbolic && begin_ == last_begin_ && column_ == last_column_) return;
  klu_->clear();
  const int size = static_cast<int>(begin_.size()) - 1;
  if (size > 0) klu_->symbolic = klu_analyze(size, begin_.data(), column_.data(), &klu_->common);
}

double RowFactor::operations() const {
  // An operation of the elimination takes longer than one of a product with W; beside it each entry
  // is ordered, copied and substituted. Times of interior points on the problems of
  // tests/benchmark/problem_library.py are half to twice these, counted by the times of sweeps.
  constexpr double kElimination = 1.7, kPerEntry = 100;
  const double elimination = klu_->symbolic ? std::max(klu_->symbolic->est_flops, 0.0) : 0.0;
  return kElimination * elimination + kPerEntry * static_cast<double>(value_.size());
}

bool RowFactor::factorise() {
  if (begin_.size() == 1) return true;
  Klu& k = *klu_;
  if (!k.symbolic) return false;
  // Also where a pivot is no number.
  const auto is_regular = [&] {
    return klu_rcond(k.symbolic, k.numeric, &k.common) && k.common.rcond > 0;
  };
  if (keeps_pivots_ && k.numeric &&
      klu_refactor(begin_.data(), column_.data(), value_.data(), k.symbolic, k.numeric,
                   &k.common) &&
      is_regular())
    return true;
  k.clear_numbers();
  k.numeric = klu_factor(begin_.data(), column_.data(), value_.data(), k.symbolic, &k.common);
  keeps_pivots_ = k.numeric && k.common.status == KLU_OK && is_regular();
  return keeps_pivots_;
}

void RowFactor::solve(const std::vector<Vec3>& b, std::vector<Vec3>& x) {
  x = b;
  if (x.empty()) return;
  const std::size_t rows = 3 * b.size();
  extended_.assign(begin_.size() - 1, 0.0);
  std::copy_n(b.front().data(), rows, extended_.begin());
  klu_tsolve(klu_->symbolic, klu_->numeric, static_cast<int>(extended_.size()), 1, extended_.data(),
             &klu_->common);
  std::copy_n(extended_.begin(), rows, x.front().data());
}

}  // namespace solfec
