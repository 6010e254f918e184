#include "local_dynamics/row_batches.hpp"

#include <algorithm>

namespace solfec {
namespace {

bool is_rigid(const RowBlocks& row) {
  return std::ranges::all_of(
      row.end, [](const RowBlock& end) { return end.size == 0 || end.size == kRigidSize; });
}

constexpr double kZeros[3 * kRigidSize] = {};

}  // namespace

void RowBatches::clear() {
  turns_.clear();
  batches_.clear();
  room_.clear();
}

int RowBatches::first_with_room(int turn) {
  const int end = static_cast<int>(turns_.size());
  while (turn < end && room_[turn] != turn) {
    if (room_[turn] < end) room_[turn] = room_[room_[turn]];  // shortens the way of the next search
    turn = room_[turn];
  }
  return turn;
}

// Returns the turn of a row that lies between rigid groups.
int RowBatches::take_turn(int row, int earliest) {
  const int turn = first_with_room(earliest);
  if (turn == static_cast<int>(turns_.size())) {
    turns_.push_back({-1, size()});
    room_.push_back(turn);
    batches_.emplace_back().row.fill(-1);
  }
  RowBatch& batch = batches_[turns_[turn].batch];
  batch.row[batch.count++] = row;
  if (batch.count == kLanes) room_[turn] = turn + 1;
  return turn;
}

void RowBatches::plan(std::span<const RowBlocks> rows, const std::vector<double>& G,
                      std::span<const int> order, int groups, int idle) {
  constexpr double kWorthwhile = 1.5;  // rows per batch
  clear();
  next_.assign(groups, 0);
  int rigid = 0;
  for (const int row : order) {
    int turn = 0;
    for (const RowBlock& end : rows[row].end)
      if (end.group >= 0) turn = std::max(turn, next_[end.group]);
    if (is_rigid(rows[row])) {
      turn = take_turn(row, turn);
      rigid++;
    } else {
      turn = static_cast<int>(turns_.size());
      turns_.push_back({row, -1});
      room_.push_back(turn + 1);
    }
    for (const RowBlock& end : rows[row].end)
      if (end.group >= 0) next_[end.group] = turn + 1;
  }
  if (rigid == 0 || rigid < kWorthwhile * size())
    clear();
  else
    pack(rows, G, idle);
}

void RowBatches::pack(std::span<const RowBlocks> rows, const std::vector<double>& G, int idle) {
  for (RowBatch& batch : batches_)
    for (int side : {0, 1}) {
      const double* from[kLanes];
      for (int lane = 0; lane < kLanes; lane++) {
        const RowBlock end = lane < batch.count ? rows[batch.row[lane]].end[side] : RowBlock{};
        batch.y[side][lane] = end.size > 0 ? end.y : idle;
        from[lane] = end.size > 0 ? &G[end.block] : kZeros;
      }
      for (int i = 0; i < 3; i++)
        for (int k = 0; k < kRigidSize; k++)
          batch.G[side][i][k] = gather([&](int lane) { return from[lane][i * kRigidSize + k]; });
    }
}

}  // namespace solfec
