#include "solver/linear_sweep.hpp"

#include <numeric>
#include <ranges>

#include "core/threads.hpp"

namespace solfec {
namespace {

using LaneVector = VectorOf<Lanes>;

constexpr int kShare = 32;  // of batches or rows, for a thread

// Of a vector over rows: the part at a batch, or at a row.
LaneVector part_at(const BatchRows& batch, const RowVector& x) { return batch.load(x); }
const Vec3& part_at(int row, const RowVector& x) { return x[row]; }
void set_part(const BatchRows& batch, const LaneVector& part, RowVector& x) {
  batch.store(part, x);
}
void set_part(int row, const Vec3& part, RowVector& x) { x[row] = part; }

}  // namespace

void LinearSweep::plan(const LocalDynamics& p, const Communicator& communicator) {
  x_.resize(static_cast<std::size_t>(p.W.all_rows()));
  P_.resize(p.law.size());
  if (communicator.size() > 1) {
    std::vector<int> rows(p.law.size());
    std::iota(rows.begin(), rows.end(), 0);
    p.W.plan(rows, own_);
    order_ = &own_;
  } else {
    order_ = &p.W.sweep_batches();
  }
  blocks_.resize(static_cast<std::size_t>(order_->size()));
}

void LinearSweep::take(const LinearizedRows& rows, std::span<const Mat3> inverse) {
  inverse_ = inverse;
  for_each_at_once(static_cast<int>(P_.size()), kShare,
                   [&](int row) { P_[row].noalias() = inverse[row] * rows.X[row]; });
  for_each_at_once(order_->size(), kShare, [&](int k) {
    const BatchRows& batch = order_->batch(k);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        blocks_[k].of[i][j] =
            gather([&](int lane) { return batch.row[lane] < 0 ? 0.0 : P_[batch.row[lane]](i, j); });
  });
}

// change(place, P W x): how much x changes at a batch or a row, which gets that from those before.
template <class Change>
void LinearSweep::sweep(FactoredForm& form, bool backwards, Change&& change) {
  const auto solve_run = [&](const RowBatches::Run& run) {
    for (int k = run.batch; k < run.batch_end; k++)
      order_->visit(k, [&](const auto& batch) {
        form.change(batch, change(batch.rows, blocks_[k].times(form.row_times(batch))));
      });
    for (const int row : order_->singles(run))
      form.change(row, change(row, Vec3(P_[row] * form.row_times(row))));
  };
  auto solve_part = [&](int part) {
    if (backwards)
      std::ranges::for_each(std::views::reverse(order_->runs(part)), solve_run);
    else
      std::ranges::for_each(order_->runs(part), solve_run);
  };
  threads().in_turns(order_->turns(), backwards, solve_part);
}

void LinearSweep::solve_and_multiply(const LocalDynamics& p, Channel& channel, const RowVector& v,
                                     RowVector& x, RowVector& product) {
  p.W.iterate_from_zero([&](FactoredForm& form) {
    sweep(form, true, [&]<class Part>(const auto& place, const Part& before) -> Part {
      const Part part = part_at(place, v) - before;
      set_part(place, part, x_);
      return part;
    });
  });
  refresh(p.halo, channel, x_);
  p.W.iterate_from_zero([&](FactoredForm& form) {
    for (int row = p.rows(); row < p.W.all_rows(); row++) form.change(row, -x_[row]);
    sweep(form, false, [&]<class Part>(const auto& place, const Part& before) -> Part {
      const Part part = part_at(place, v) - before;
      set_part(place, part, product);
      return part - part_at(place, x_);
    });
  });
  std::copy_n(x_.begin(), x.size(), x.begin());
}

void LinearSweep::solve_left(const LocalDynamics& p, RowVector& v) {
  for (std::size_t row = 0; row < v.size(); row++) v[row] = inverse_[row] * v[row];
  p.W.iterate_from_zero([&](FactoredForm& form) {
    sweep(form, false, [&]<class Part>(const auto& place, const Part& before) -> Part {
      const Part part = part_at(place, v) - before;
      set_part(place, part, v);
      return part;
    });
  });
}

}  // namespace solfec
