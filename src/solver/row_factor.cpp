#include "solver/row_factor.hpp"

#include <klu.h>

#include <algorithm>

namespace solfec {

struct RowFactor::Klu {
  Klu() { klu_defaults(&common); }
  ~Klu() { clear(); }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;

  void clear() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }

  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
};

RowFactor::RowFactor() : klu_(std::make_unique<Klu>()) {}
RowFactor::~RowFactor() = default;

void RowFactor::set_matrix(const Delassus& W, const std::vector<Mat3>& X,
                           const std::vector<Mat3>& Y) {
  const int rows = W.rows();
  begin_.assign(1, 0);
  column_.clear();
  value_.clear();
  // Entries of one block row, scalar row by scalar row.
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
      begin_.push_back(static_cast<int>(column_.size()));
    }
  }
  klu_->clear();
  if (rows > 0)
    klu_->symbolic = klu_analyze(3 * rows, begin_.data(), column_.data(), &klu_->common);
}

double RowFactor::operations() const {
  // Beside the elimination each entry is ordered, copied and substituted.
  constexpr double kPerEntry = 100;
  const double elimination = klu_->symbolic ? std::max(klu_->symbolic->est_flops, 0.0) : 0.0;
  return elimination + kPerEntry * static_cast<double>(value_.size());
}

bool RowFactor::factorise() {
  if (begin_.size() == 1) return true;
  if (!klu_->symbolic) return false;
  klu_->numeric =
      klu_factor(begin_.data(), column_.data(), value_.data(), klu_->symbolic, &klu_->common);
  return klu_->numeric != nullptr && klu_->common.status == KLU_OK;
}

void RowFactor::solve(const std::vector<Vec3>& b, std::vector<Vec3>& x) {
  x = b;
  if (x.empty()) return;
  klu_tsolve(klu_->symbolic, klu_->numeric, static_cast<int>(3 * x.size()), 1, x.front().data(),
             &klu_->common);
}

}  // namespace solfec
