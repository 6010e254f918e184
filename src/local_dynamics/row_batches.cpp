#include "local_dynamics/row_batches.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "core/threads.hpp"
#include "local_dynamics/ball_row.hpp"

namespace solfec {
namespace {

bool is_rigid(const RowBlocks& row) {
  return std::ranges::all_of(
      row.end, [](const RowBlock& end) { return end.size == 0 || end.size == kRigidSize; });
}

void place_velocities(std::span<const RowBlocks> rows, BatchRows& batch) {
  for (int side : {0, 1}) {
    batch.y[side].fill(-1);
    for (int lane = 0; lane < batch.count; lane++)
      if (const RowBlock& end = rows[batch.row[lane]].end[side]; end.size > 0)
        batch.y[side][lane] = end.y;
  }
}

RigidBlocks rigid_blocks(std::span<const RowBlocks> rows, const std::vector<double>& G,
                         const BatchRows& batch) {
  static constexpr double kZeros[3 * kRigidSize] = {};
  RigidBlocks blocks;
  for (int side : {0, 1}) {
    const double* from[kLanes];
    for (int lane = 0; lane < kLanes; lane++)
      from[lane] = batch.y[side][lane] < 0 ? kZeros : &G[rows[batch.row[lane]].end[side].block];
    for (int i = 0; i < 3; i++)
      for (int n = 0; n < kRigidSize; n++)
        blocks.G[side][i][n] = gather([&](int lane) { return from[lane][i * kRigidSize + n]; });
  }
  return blocks;
}

BallBlocks ball_blocks(std::span<const RowBlocks> rows, const std::vector<double>& G,
                       const BatchRows& batch) {
  std::array<BallRow, kLanes> ball;
  ball.fill({Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), {0, 0}, {0, 0}});
  for (int lane = 0; lane < batch.count; lane++)
    ball[lane] = ball_row(rows[batch.row[lane]], G.data());
  BallBlocks blocks;
  const auto axis = [&](Vec3 BallRow::*x) -> VectorOf<Lanes> {
    const auto part = [&](int k) { return gather([&](int lane) { return (ball[lane].*x)[k]; }); };
    return {part(0), part(1), part(2)};
  };
  blocks.t1 = axis(&BallRow::t1);
  blocks.n = axis(&BallRow::n);
  for (int side : {0, 1})
    for (int lane = 0; lane < kLanes; lane++) {
      blocks.s[side][lane] = ball[lane].s[side];
      blocks.c[side][lane] = ball[lane].c[side];
    }
  return blocks;
}

}  // namespace

void RowBatches::clear() {
  turn_begin_.assign(1, 0);
  part_begin_.assign(1, 0);
  runs_.clear();
  batches_.clear();
  rigid_.clear();
  balls_.clear();
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

// Rows of balls come after the others, so that one batch at most has both.
void RowBatches::add_run(std::span<const int> batched, std::span<const int> singles) {
  Run run{size(), 0, static_cast<int>(singles_.size()), 0};
  by_kind_.clear();
  for (const bool balls : {false, true})
    std::ranges::copy_if(batched, std::back_inserter(by_kind_),
                         [&](int row) { return (is_ball_[row] != 0) == balls; });
  for (std::size_t k = 0; k < by_kind_.size(); k += kLanes) {
    Batch& batch = batches_.emplace_back();
    BatchRows& rows = batch.rows;
    rows.row.fill(-1);
    rows.count = static_cast<int>(std::min<std::size_t>(kLanes, by_kind_.size() - k));
    std::copy_n(&by_kind_[k], rows.count, rows.row.begin());
    batch.of_balls = is_ball_[by_kind_[k]];
    const auto add_place = [](auto& blocks) {
      blocks.emplace_back();
      return static_cast<int>(blocks.size()) - 1;
    };
    batch.place = batch.of_balls ? add_place(balls_) : add_place(rigid_);
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
                      std::span<const int> order, int groups, std::span<const int> blocks,
                      bool find_balls) {
  constexpr double kWorthwhile = 1.5;  // rows per batch
  last_.resize(groups);
  colours_.resize(groups);
  after_.resize(rows.size());
  waits_.resize(rows.size());
  is_ball_.assign(rows.size(), 0);
  if (find_balls) mark_balls(rows, G, order);
  take(rows, order, blocks, true);
  const auto rigid = static_cast<double>(order.size() - singles_.size());
  if (rigid < kWorthwhile * size()) take(rows, order, blocks, false);
  pack(rows, G);
}

void RowBatches::mark_balls(std::span<const RowBlocks> rows, const std::vector<double>& G,
                            std::span<const int> order) {
  constexpr int kShare = 256;
  for_each_at_once(static_cast<int>(order.size()), kShare,
                   [&](int k) { is_ball_[order[k]] = is_ball_row(rows[order[k]], G.data()); });
}

void RowBatches::pack(std::span<const RowBlocks> rows, const std::vector<double>& G) {
  constexpr int kShare = 256;
  for_each_at_once(size(), kShare, [&](int k) {
    Batch& batch = batches_[k];
    place_velocities(rows, batch.rows);
    if (batch.of_balls)
      balls_[batch.place] = ball_blocks(rows, G, batch.rows);
    else
      rigid_[batch.place] = rigid_blocks(rows, G, batch.rows);
  });
}

}  // namespace solfec
