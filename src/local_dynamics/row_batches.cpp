#include "local_dynamics/row_batches.hpp"

#include <algorithm>
#include <bit>

#include "core/threads.hpp"

namespace solfec {
namespace {

bool is_rigid(const RowBlocks& row) {
  return std::ranges::all_of(
      row.end, [](const RowBlock& end) { return end.size == 0 || end.size == kRigidSize; });
}

constexpr double kZeros[3 * kRigidSize] = {};

}  // namespace

void RowBatches::clear() {
  turn_begin_.assign(1, 0);
  part_begin_.assign(1, 0);
  runs_.clear();
  batches_.clear();
  singles_.clear();
}

// Which rows follow a row on its groups.
void RowBatches::follow(std::span<const RowBlocks> rows, std::span<const int> order) {
  for (const int row : order) {
    after_[row] = {-1, -1};
    waits_[row] = 0;
    for (const RowBlock& end : rows[row].end) {
      if (end.group < 0) continue;
      if (const int before = last_[end.group]; before >= 0) {
        after_[before][rows[before].end[0].group == end.group ? 0 : 1] = row;
        waits_[row]++;
      }
      last_[end.group] = row;
    }
  }
}

void RowBatches::make_ready(std::span<const RowBlocks> rows, int row, bool batched) {
  (batched && is_rigid(rows[row]) ? ready_ : ready_singles_).push_back(row);
}

// Each run has all rows that wait for no others, but for those that would not fill a batch; these
// come first in the next one.
void RowBatches::add_block(std::span<const RowBlocks> rows, std::span<const int> order,
                           bool batched) {
  follow(rows, order);
  ready_.clear();
  ready_singles_.clear();
  for (const int row : order)
    if (waits_[row] == 0) make_ready(rows, row, batched);
  while (!ready_.empty() || !ready_singles_.empty()) {
    taken_.swap(ready_);
    taken_singles_.swap(ready_singles_);
    const std::size_t rigid = taken_.size(), now = rigid < kLanes ? rigid : rigid - rigid % kLanes;
    ready_.assign(taken_.begin() + static_cast<std::ptrdiff_t>(now), taken_.end());
    ready_singles_.clear();
    taken_.resize(now);
    add_run(taken_, taken_singles_);
    for (const std::vector<int>* taken : {&taken_, &taken_singles_})
      for (const int row : *taken)
        for (const int next : after_[row])
          if (next >= 0 && --waits_[next] == 0) make_ready(rows, next, batched);
  }
  end_part();
}

// Each row has the first colour that none of the rows before it on its groups has; rows of a colour
// make a turn. Groups with very many rows leave some for the end, one after the other.
void RowBatches::add_colours(std::span<const RowBlocks> rows, std::span<const int> order,
                             bool batched) {
  for (auto* of_colours : {&colour_rows_, &colour_singles_}) {
    of_colours->resize(kColours + 1);
    for (std::vector<int>& of_colour : *of_colours) of_colour.clear();
  }
  std::vector<int>& late = colour_rows_[kColours];
  for (const int row : order) {
    std::uint64_t taken = 0;
    for (const RowBlock& end : rows[row].end)
      if (end.group >= 0) taken |= colours_[end.group];
    const int colour = std::countr_one(taken);
    const bool single = colour < kColours && !(batched && is_rigid(rows[row]));
    (single ? colour_singles_ : colour_rows_)[colour].push_back(row);
    if (colour == kColours) continue;
    for (const RowBlock& end : rows[row].end)
      if (end.group >= 0) colours_[end.group] |= std::uint64_t{1} << colour;
  }
  for (int colour = 0; colour < kColours; colour++) {
    add_parts(colour_rows_[colour], true);
    add_parts(colour_singles_[colour], false);
    if (parts() > turn_begin_.back()) end_turn();
  }
  if (late.empty()) return;
  std::ranges::fill(last_, -1);
  add_block(rows, late, batched);
  end_turn();
}

// Of rows that share nothing.
void RowBatches::add_parts(std::span<const int> rows, bool batched) {
  constexpr std::size_t kPart = 64;
  for (std::size_t k = 0; k < rows.size(); k += kPart) {
    const std::span<const int> part = rows.subspan(k, std::min(kPart, rows.size() - k));
    add_run(batched ? part : std::span<const int>(), batched ? std::span<const int>() : part);
    end_part();
  }
}

void RowBatches::add_run(std::span<const int> batched, std::span<const int> singles) {
  Run run{size(), 0, static_cast<int>(singles_.size()), 0};
  for (std::size_t k = 0; k < batched.size(); k += kLanes) {
    RowBatch& batch = batches_.emplace_back();
    batch.row.fill(-1);
    batch.count = static_cast<int>(std::min<std::size_t>(kLanes, batched.size() - k));
    std::copy_n(&batched[k], batch.count, batch.row.begin());
  }
  singles_.insert(singles_.end(), singles.begin(), singles.end());
  run.batch_end = size();
  run.single_end = static_cast<int>(singles_.size());
  runs_.push_back(run);
}

void RowBatches::take(std::span<const RowBlocks> rows, std::span<const int> order,
                      std::span<const int> blocks, bool batched) {
  clear();
  const int parts = blocks.empty() ? 1 : 1 + std::ranges::max(blocks);
  std::ranges::fill(last_, -1);
  if (parts == 1) {
    add_block(rows, order, batched);
    end_turn();
    return;
  }
  block_rows_.resize(parts + 1);
  for (std::vector<int>& of_block : block_rows_) of_block.clear();
  for (const int row : order) {
    int block = -1;
    for (const RowBlock& end : rows[row].end)
      if (end.group >= 0)
        block = block < 0 || block == blocks[end.group] ? blocks[end.group] : parts;
    block_rows_[std::max(block, 0)].push_back(row);
  }
  for (int block = 0; block < parts; block++) add_block(rows, block_rows_[block], batched);
  end_turn();
  std::ranges::fill(colours_, 0);
  add_colours(rows, block_rows_[parts], batched);
}

void RowBatches::plan(std::span<const RowBlocks> rows, const std::vector<double>& G,
                      std::span<const int> order, int groups, std::span<const int> blocks) {
  constexpr double kWorthwhile = 1.5;  // rows per batch
  last_.resize(groups);
  colours_.resize(groups);
  after_.resize(rows.size());
  waits_.resize(rows.size());
  take(rows, order, blocks, true);
  const auto rigid = static_cast<double>(order.size() - singles_.size());
  if (rigid < kWorthwhile * size()) take(rows, order, blocks, false);
  pack(rows, G);
}

void RowBatches::pack(std::span<const RowBlocks> rows, const std::vector<double>& G) {
  constexpr int kShare = 256;
  for_each_at_once(size(), kShare, [&](int k) {
    RowBatch& batch = batches_[k];
    for (int side : {0, 1}) {
      const double* from[kLanes];
      for (int lane = 0; lane < kLanes; lane++) {
        const RowBlock end = lane < batch.count ? rows[batch.row[lane]].end[side] : RowBlock{};
        batch.y[side][lane] = end.size > 0 ? end.y : -1;
        from[lane] = end.size > 0 ? &G[end.block] : kZeros;
      }
      for (int i = 0; i < 3; i++)
        for (int n = 0; n < kRigidSize; n++)
          batch.G[side][i][n] = gather([&](int lane) { return from[lane][i * kRigidSize + n]; });
    }
  });
}

}  // namespace solfec
