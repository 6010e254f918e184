#include "solver/linear_sweep.hpp"

#include <numeric>

#include "core/threads.hpp"

namespace solfec {
namespace {

using LaneVector = VectorOf<Lanes>;

constexpr int kShare = 32;  // of batches or runs, for a thread

}  // namespace

VectorOf<Lanes> LinearSweep::Block::times(const VectorOf<Lanes>& x) const {
  return {of[0][0] * x.x + of[0][1] * x.y + of[0][2] * x.z,
          of[1][0] * x.x + of[1][1] * x.y + of[1][2] * x.z,
          of[2][0] * x.x + of[2][1] * x.y + of[2][2] * x.z};
}

void LinearSweep::plan(const LocalDynamics& p, const Communicator& communicator) {
  z_.resize(static_cast<std::size_t>(p.W.all_rows()));
  if (communicator.size() > 1) {
    std::vector<int> rows(static_cast<std::size_t>(p.rows()));
    std::iota(rows.begin(), rows.end(), 0);
    p.W.plan(rows, own_);
    order_ = &own_;
  } else {
    order_ = &p.W.sweep_batches();
  }
  batches_.resize(static_cast<std::size_t>(order_->size()));
}

void LinearSweep::take(const LinearizedRows& rows, std::span<const Mat3> inverse) {
  rows_ = &rows;
  inverse_ = inverse;
  for_each_at_once(order_->size(), kShare, [&](int k) {
    const RowBatch& batch = order_->batch(k);
    const auto pack = [&](std::span<const Mat3> from, Block& block) {
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          block.of[i][j] = gather(
              [&](int lane) { return batch.row[lane] < 0 ? 0.0 : from[batch.row[lane]](i, j); });
    };
    pack(rows.X, batches_[k].X);
    pack(rows.Y, batches_[k].Y);
    pack(inverse, batches_[k].inverse);
  });
}

void LinearSweep::sweep(FactoredForm& form, const RowVector& v) {
  auto solve_part = [&](int part) {
    for (const RowBatches::Run& run : order_->runs(part)) {
      for (int k = run.batch; k < run.batch_end; k++) {
        const RowBatch& batch = order_->batch(k);
        const LaneVector before = batches_[k].X.times(form.row_times(batch));
        const LaneVector given = batch.load(v);
        const LaneVector z =
            batches_[k].inverse.times({given.x - before.x, given.y - before.y, given.z - before.z});
        form.change(batch, z);
        batch.store(z, z_);
      }
      for (const int row : order_->singles(run)) {
        z_[row] = inverse_[row] * (v[row] - rows_->X[row] * form.row_times(row));
        form.change(row, z_[row]);
      }
    }
  };
  threads().in_turns(order_->turns(), false, solve_part);
}

void LinearSweep::multiply(const FactoredForm& form, RowVector& product) const {
  const std::span<const RowBatches::Run> runs = order_->runs();
  for_each_at_once(static_cast<int>(runs.size()), kShare, [&](int r) {
    for (int k = runs[r].batch; k < runs[r].batch_end; k++) {
      const RowBatch& batch = order_->batch(k);
      const LaneVector by_W = batches_[k].X.times(form.row_times(batch));
      const LaneVector own = batches_[k].Y.times(batch.load(z_));
      batch.store({by_W.x + own.x, by_W.y + own.y, by_W.z + own.z}, product);
    }
    for (const int row : order_->singles(runs[r]))
      product[row] = rows_->X[row] * form.row_times(row) + rows_->Y[row] * z_[row];
  });
}

void LinearSweep::solve_and_multiply(const LocalDynamics& p, Channel& channel, const RowVector& v,
                                     RowVector& z, RowVector& product) {
  p.W.iterate_from_zero([&](FactoredForm& form) {
    sweep(form, v);
    refresh(p.halo, channel, z_);
    for (int row = p.rows(); row < p.W.all_rows(); row++) form.change(row, z_[row]);
    multiply(form, product);
  });
  std::copy_n(z_.begin(), z.size(), z.begin());
}

}  // namespace solfec
