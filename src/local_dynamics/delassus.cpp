#include "local_dynamics/delassus.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>

#include "core/error.hpp"
#include "core/room.hpp"
#include "core/threads.hpp"
#include "local_dynamics/ball_row.hpp"
#include "math/decompositions.hpp"

namespace solfec {
namespace {

constexpr int kShare = 256;  // rows that are worth the start of a thread

// Visits the union of two rising lists in rising order.
template <class Visit>
void merge(std::span<const int> a, std::span<const int> b, Visit&& visit) {
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const bool first = i < a.size() && (j == b.size() || a[i] <= b[j]);
    const bool second = j < b.size() && (i == a.size() || b[j] <= a[i]);
    visit(first ? a[i] : b[j]);
    i += first;
    j += second;
  }
}

Mat3 robust_inverse(const Mat3& W) {
  constexpr double kSingular = 1e-12, kFloor = 1e-8;
  const Mat3 inverse = W.inverse();
  if (inverse.allFinite() && inverse.norm() * W.norm() * kSingular < 1) return inverse;
  if (!W.allFinite() || W.isZero(0)) return Mat3::Zero();
  const auto [U, values, V] = singular_values(W);
  Mat3 result = Mat3::Zero();
  for (int k = 0; k < 3; k++) {
    const Vec3 u = U.col(k), v = V.col(k);
    const bool singular = values[k] < kSingular * values[0];
    // The sign of u is any where W u vanishes; reactions act along velocities.
    const double sign = singular && u.dot(v) < 0 ? -1 : 1;
    result += sign / (singular ? kFloor * values[0] : values[k]) * v * u.transpose();
  }
  return result;
}

}  // namespace

void Delassus::clear(double h, std::span<const int> group_sizes) {
  h_ = h;
  assembled_ = given_ = false;
  group_size_.assign(group_sizes.begin(), group_sizes.end());
  group_y_.resize(group_size_.size());
  int velocities = 0;
  for (std::size_t g = 0; g < group_size_.size(); g++) {
    group_y_[g] = velocities;
    velocities += (group_size_[g] + kVelocityLine - 1) / kVelocityLine * kVelocityLine;
  }
  y_.resize(velocities + kVelocityLine);
  factored_.rows.clear();
  factored_.G.clear();
  batches_.clear();
  sweep_.clear();
  places_.clear();
  owned_ = -1;
}

std::span<double> Delassus::velocities() const {
  constexpr std::size_t kLine = kVelocityLine * sizeof(double);
  void* begin = y_.data();
  std::size_t room = y_.size() * sizeof(double);
  const std::size_t numbers = y_.size() - kVelocityLine;
  DEMAND(std::align(kLine, numbers * sizeof(double), begin, room) != nullptr);
  return {static_cast<double*>(begin), numbers};
}

void Delassus::make_room(std::size_t rows, std::size_t numbers) {
  clear_for(factored_.rows, rows);
  clear_for(factored_.G, numbers);
}

double* Delassus::add_row(int group1, int group2) {
  RowBlocks row;
  const std::size_t begin = factored_.G.size();
  std::size_t next = begin;
  const int groups[2] = {group1, group2};
  for (int k : {0, 1}) {
    const int g = groups[k];
    const int size = g < 0 ? 0 : group_size_[g];
    row.end[k] = {size, size > 0 ? g : -1, size > 0 ? group_y_[g] : 0,
                  static_cast<std::uint32_t>(next)};
    next += static_cast<std::size_t>(3 * size);
  }
  DEMAND(next <= std::numeric_limits<std::uint32_t>::max());
  factored_.rows.push_back(row);
  factored_.G.resize(next);
  return factored_.G.data() + begin;
}

void Delassus::finish_rows(std::span<const int> order) {
  if (owned_ < 0) begin_external();
  DEMAND(order.empty() || static_cast<int>(order.size()) == all_rows());
  factored_.order.resize(factored_.rows.size());
  if (order.empty())
    std::iota(factored_.order.begin(), factored_.order.end(), 0);
  else
    std::ranges::copy(order, factored_.order.begin());
  diagonal_.resize(owned_);
  for_each_at_once(owned_, kShare, [&](int row) {
    Mat3 W = Mat3::Zero();
    for (const RowBlock& end : factored_.rows[row].end) add_pair(end, end, W);
    diagonal_[row] = h_ * W;
  });
  invert_diagonal();
  list_rows_of_groups();
}

void Delassus::take_rows(const Delassus& from, const std::vector<bool>& chosen) {
  clear(from.h_, from.group_size_);
  places_ = from.places_;
  std::vector<int> position(chosen.size(), -1), order;
  for (int row = 0; row < from.all_rows(); row++) {
    if (row == from.rows()) begin_external();
    if (!chosen[row]) continue;
    position[row] = all_rows();
    const RowBlocks& ends = from.factored_.rows[row];
    double* G = add_row(ends.end[0].group, ends.end[1].group);
    for (const RowBlock& end : ends.end)
      G = std::copy_n(from.factored_.G.data() + end.block, 3 * end.size, G);
  }
  for (int row : from.factored_.order)
    if (chosen[row]) order.push_back(position[row]);
  finish_rows(order);
}

void Delassus::add_pair(const RowBlock& a, const RowBlock& b, Mat3& sum) const {
  if (a.size > 0) add_product(&factored_.G[a.block], &factored_.G[b.block], a.size, sum);
}

void Delassus::set_blocks(double h, BlockRows blocks) {
  clear(h, {});
  blocks_ = std::move(blocks);
  assembled_ = given_ = true;
  owned_ = static_cast<int>(blocks_.begin.size()) - 1;
  DEMAND(owned_ >= 0 && blocks_.begin.back() == blocks_.value.size());
  factored_.rows.assign(owned_, RowBlocks{});
  diagonal_.clear();
  for (int row = 0; row < owned_; row++) {
    const Mat3* diagonal = given_block(row, row);
    DEMAND(diagonal != nullptr);
    diagonal_.push_back(*diagonal);
  }
  invert_diagonal();
}

void Delassus::invert_diagonal() {
  inverse_.resize(diagonal_.size());
  for_each_at_once(static_cast<int>(diagonal_.size()), kShare,
                   [&](int row) { inverse_[row] = robust_inverse(diagonal_[row]); });
}

const Mat3* Delassus::given_block(int row, int column) const {
  const auto first = blocks_.column.begin() + static_cast<std::ptrdiff_t>(blocks_.begin[row]);
  const auto last = blocks_.column.begin() + static_cast<std::ptrdiff_t>(blocks_.begin[row + 1]);
  const auto found = std::lower_bound(first, last, column);
  if (found == last || *found != column) return nullptr;
  return &blocks_.value[static_cast<std::size_t>(found - blocks_.column.begin())];
}

Delassus::Cost Delassus::cost() const {
  constexpr double kSweeps = 20;
  Cost cost;
  cost.factored = factored_operations(kBatchGain);
  for (int row = 0; row < owned_; row++)
    for (const RowBlock& end : factored_.rows[row].end) {
      const double partners = static_cast<double>(positions_of(end).size());
      cost.assembled += 9.0 * partners * (1 + end.size / kSweeps);
    }
  return cost;
}

double Delassus::factored_operations(double batch_gain) const {
  double sum = 0;
  for (int row = 0; row < owned_; row++)
    for (const RowBlock& end : factored_.rows[row].end)
      sum += 6.0 * end.size / (end.size == kRigidSize ? batch_gain : 1);
  return sum;
}

double Delassus::product_operations() const {
  return assembled_ ? 9.0 * static_cast<double>(blocks_.value.size())
                    : factored_operations(batch_gain());
}

double Delassus::block_operations() const {
  double sum = 0;
  if (assembled_) return sum;
  for (int row = 0; row < owned_; row++)
    for (const RowBlock& end : factored_.rows[row].end)
      sum += 9.0 * static_cast<double>(positions_of(end).size()) * end.size;
  return sum;
}

void Delassus::choose(DelassusForm form) {
  if (given_) form = DelassusForm::assembled;
  if (form == DelassusForm::automatic) form = cost().cheaper();
  assembled_ = form == DelassusForm::assembled;
  batches_.clear();
  sweep_.clear();
  if (assembled_ && !given_) assemble();
}

std::span<const int> Delassus::blocks_of_groups(std::span<const int> rows) const {
  if (!places_.empty()) return blocks_of_groups_.divide(factored_.rows, rows, places_);
  std::vector<Vec3> in_a_row;
  for (int g = 0; g < groups(); g++) in_a_row.emplace_back(g, 0, 0);
  return blocks_of_groups_.divide(factored_.rows, rows, in_a_row);
}

void Delassus::plan(std::span<const int> rows, RowBatches& batches) const {
  batches.plan(factored_.rows, factored_.G, rows, groups(), blocks_of_groups(rows), true);
}

const RowBatches& Delassus::batches() const {
  if (batches_.empty())
    batches_.plan(factored_.rows, factored_.G, factored_.order, groups(), {}, false);
  return batches_;
}

const RowBatches& Delassus::sweep_batches() const {
  if (!sweep_.empty()) return sweep_;
  const std::span<const int> blocks = blocks_of_groups(factored_.order);
  const auto is_ball = [&](const RowBlocks& row) { return is_ball_row(row, factored_.G.data()); };
  if (blocks.empty() && std::ranges::none_of(factored_.rows, is_ball)) return batches();
  sweep_.plan(factored_.rows, factored_.G, factored_.order, groups(), blocks, true);
  return sweep_;
}

void Delassus::list_rows_of_groups() {
  group_begin_.assign(group_size_.size() + 1, 0);
  for (const RowBlocks& row : factored_.rows)
    for (const RowBlock& end : row.end)
      if (end.group >= 0) group_begin_[end.group + 1]++;
  std::partial_sum(group_begin_.begin(), group_begin_.end(), group_begin_.begin());
  group_positions_.resize(group_begin_.back());
  cursor_.assign(group_begin_.begin(), group_begin_.end() - 1);
  for (int position = 0; position < all_rows(); position++)
    for (const RowBlock& end : factored_.rows[factored_.order[position]].end)
      if (end.group >= 0) group_positions_[cursor_[end.group]++] = position;
}

std::span<const int> Delassus::positions_of(const RowBlock& end) const {
  if (end.group < 0) return {};
  return {group_positions_.data() + group_begin_[end.group],
          group_positions_.data() + group_begin_[end.group + 1]};
}

Mat3 Delassus::block(int row, int column) const {
  if (row == column) return diagonal_[row];
  if (given_) {
    const Mat3* W = given_block(row, column);
    return W != nullptr ? *W : Mat3(Mat3::Zero());
  }
  Mat3 W = Mat3::Zero();
  for (const RowBlock& a : factored_.rows[row].end)
    for (const RowBlock& b : factored_.rows[column].end)
      if (a.group == b.group) add_pair(a, b, W);
  return h_ * W;
}

std::vector<int> Delassus::neighbours(int row) const {
  if (given_)
    return {blocks_.column.begin() + static_cast<std::ptrdiff_t>(blocks_.begin[row]),
            blocks_.column.begin() + static_cast<std::ptrdiff_t>(blocks_.begin[row + 1])};
  const RowBlocks& ends = factored_.rows[row];
  std::vector<int> result;
  merge(positions_of(ends.end[0]), positions_of(ends.end[1]),
        [&](int position) { result.push_back(factored_.order[position]); });
  return result;
}

void Delassus::assemble() {
  blocks_.begin.assign(1, 0);
  blocks_.column.clear();
  blocks_.value.clear();
  for (int row = 0; row < owned_; row++) {
    const RowBlocks& ends = factored_.rows[row];
    merge(positions_of(ends.end[0]), positions_of(ends.end[1]), [&](int position) {
      const int column = factored_.order[position];
      blocks_.column.push_back(column);
      blocks_.value.push_back(block(row, column));
    });
    blocks_.begin.push_back(blocks_.column.size());
  }
}

void Delassus::multiply(std::span<const Vec3> x, std::span<Vec3> result) const {
  iterate(x, [&](auto& form) { form.multiply(result.first(rows())); });
}

void FactoredForm::multiply(std::span<Vec3> result) const {
  constexpr int kShare = 32;
  const int owned = static_cast<int>(result.size());
  const std::span<const RowBatches::Run> runs = batches_.runs();
  for_each_at_once(static_cast<int>(runs.size()), kShare, [&](int k) {
    for (int batch = runs[k].batch; batch < runs[k].batch_end; batch++)
      batches_.visit(batch, [&](const auto& at) { at.rows.store(row_times(at), result); });
    for (const int row : batches_.singles(runs[k]))
      if (row < owned) result[row] = row_times(row);
  });
}

void FactoredForm::change_all(std::span<const Vec3> dR) {
  auto change_part = [&](int part) {
    for (const RowBatches::Run& run : batches_.runs(part)) {
      for (int k = run.batch; k < run.batch_end; k++)
        batches_.visit(k, [&](const auto& at) { change(at, at.rows.load(dR)); });
      for (const int row : batches_.singles(run)) change(row, dR[row]);
    }
  };
  threads().in_turns(batches_.turns(), false, change_part);
}

}  // namespace solfec
