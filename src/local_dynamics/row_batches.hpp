// Rows between rigid groups, several at a time in the lanes of registers.
//
// The rows of a batch share no group that moves, so that none of them sees the change of another,
// and each row comes after all those before it on its groups. So a sweep through the batches is one
// through the rows, but for rounding, however many lanes there are.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vector.hpp"
#include "local_dynamics/row_blocks.hpp"
#include "math/lanes.hpp"

namespace solfec {

/// Products are those of block_products.hpp, to the last bit.
struct RowBatch {
  int count = 0;                 ///< rows; the lanes after them are idle: all is zero there
  std::array<int, kLanes> row;   ///< -1: idle
  std::array<int, kLanes> y[2];  ///< of each end: first velocity of the group; -1: it has none
  Lanes G[2][3][kRigidSize];     ///< of each end

  std::span<const int> rows() const { return {row.data(), static_cast<std::size_t>(count)}; }

  /// sum G y
  VectorOf<Lanes> product(const double* velocities) const;
  /// y += G^T x
  void add_transpose_product(const VectorOf<Lanes>& x, double* velocities) const;

  /// Of a vector over rows, zero in idle lanes.
  VectorOf<Lanes> load(std::span<const Vec3> x) const {
    const auto part = [&](int k) {
      return gather([&](int lane) { return row[lane] < 0 ? 0.0 : x[row[lane]][k]; });
    };
    return {part(0), part(1), part(2)};
  }
  /// Rows beyond the end of the vector are left out.
  void store(const VectorOf<Lanes>& from, std::span<Vec3> x) const {
    for (int lane = 0; lane < count; lane++)
      if (row[lane] < static_cast<int>(x.size()))
        x[row[lane]] = Vec3(from.x[lane], from.y[lane], from.z[lane]);
  }
};

/// Some rows in the order of a sweep, for threads that share it.
///
/// Rows are in runs, of rows that share no group that moves. Runs are in parts, and parts in turns:
/// the runs of a part follow each other, the parts of a turn share no group that moves. All this
/// does not depend on the number of threads.
class RowBatches {
 public:
  struct Run {
    int batch = 0, batch_end = 0;    ///< rows between rigid groups
    int single = 0, single_end = 0;  ///< places in singles(): rows to be taken one by one
  };

  /// Of rows in the order given, with their blocks; groups have numbers below `groups`. All rows
  /// are taken one by one where batches do not pay off.
  ///
  /// Of the groups `blocks` tells in which of some blocks they are. There is one part for each
  /// block, of the rows that have groups of it only, in the order given; then the other rows come,
  /// in turns. No blocks, or one: one part, of all rows.
  void plan(std::span<const RowBlocks> rows, const std::vector<double>& G,
            std::span<const int> order, int groups, std::span<const int> blocks);
  void clear();

  bool empty() const { return runs_.empty(); }
  int parts() const { return static_cast<int>(part_begin_.size()) - 1; }
  std::span<const Run> runs() const { return runs_; }
  std::span<const Run> runs(int part) const {
    return std::span(runs_).subspan(part_begin_[part], part_begin_[part + 1] - part_begin_[part]);
  }
  /// The first part of each turn, and the end.
  std::span<const int> turns() const { return turn_begin_; }
  /// Number of batches.
  int size() const { return static_cast<int>(batches_.size()); }
  const RowBatch& batch(int k) const { return batches_[k]; }
  std::span<const int> singles(const Run& run) const {
    return std::span(singles_).subspan(run.single, run.single_end - run.single);
  }

 private:
  static constexpr int kColours = 64;

  // Of a block (as rows of which each follows others), or of a colour (of rows that share nothing).
  void add_block(std::span<const RowBlocks> rows, std::span<const int> order, bool batched);
  void add_colours(std::span<const RowBlocks> rows, std::span<const int> order, bool batched);
  void follow(std::span<const RowBlocks> rows, std::span<const int> order);
  void make_ready(std::span<const RowBlocks> rows, int row, bool batched);
  void add_parts(std::span<const int> rows, bool batched);
  void add_run(std::span<const int> batched, std::span<const int> singles);
  void end_part() { part_begin_.push_back(static_cast<int>(runs_.size())); }
  void end_turn() { turn_begin_.push_back(parts()); }
  void take(std::span<const RowBlocks> rows, std::span<const int> order,
            std::span<const int> blocks, bool batched);
  void pack(std::span<const RowBlocks> rows, const std::vector<double>& G);

  std::vector<int> turn_begin_, part_begin_;
  std::vector<Run> runs_;
  std::vector<RowBatch> batches_;
  std::vector<int> singles_;
  // Work spaces:
  std::vector<int> last_;                  // of a group: the last of its rows so far, or -1
  std::vector<std::array<int, 2>> after_;  // of a row: the next ones on its groups, or -1
  std::vector<int> waits_;                 // of a row: for how many others
  // Rows that wait for no others, for batches and for themselves, and those of a run.
  std::vector<int> ready_, ready_singles_, taken_, taken_singles_;
  std::vector<std::vector<int>> block_rows_, colour_rows_, colour_singles_;
  std::vector<std::uint64_t> colours_;  // of a group: those of its rows
};

inline VectorOf<Lanes> RowBatch::product(const double* velocities) const {
  static constexpr double kRest[kRigidSize] = {};
  const double* at[2][kLanes];
  for (int end : {0, 1})
    for (int lane = 0; lane < kLanes; lane++)
      at[end][lane] = y[end][lane] < 0 ? kRest : velocities + y[end][lane];
  VectorOf<Lanes> sum[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (int k = 0; k < kRigidSize; k++)
    for (int end : {0, 1}) {
      const Lanes v = gather([&](int lane) { return at[end][lane][k]; });
      sum[end].x += G[end][0][k] * v;
      sum[end].y += G[end][1][k] * v;
      sum[end].z += G[end][2][k] * v;
    }
  return {sum[0].x + sum[1].x, sum[0].y + sum[1].y, sum[0].z + sum[1].z};
}

inline void RowBatch::add_transpose_product(const VectorOf<Lanes>& x, double* velocities) const {
  double nobody[kRigidSize] = {};  // threads would get in each other's way at a place for all
  for (int end : {0, 1}) {
    double* at[kLanes];
    for (int lane = 0; lane < kLanes; lane++)
      at[lane] = y[end][lane] < 0 ? nobody : velocities + y[end][lane];
    for (int k = 0; k < kRigidSize; k++) {
      Lanes v = gather([&](int lane) { return at[lane][k]; });
      v += G[end][0][k] * x.x;
      v += G[end][1][k] * x.y;
      v += G[end][2][k] * x.z;
      for (int lane = 0; lane < kLanes; lane++) at[lane][k] = v[lane];
    }
  }
}

}  // namespace solfec
