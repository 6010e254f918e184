// Rows between rigid groups, several at a time in the lanes of registers.
//
// The rows of a batch share no group that moves, so that none of them sees the change of another,
// and each row comes after all those before it on its groups. So a sweep through the batches is one
// through the rows, but for rounding, however many lanes there are.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "local_dynamics/row_batch.hpp"
#include "local_dynamics/row_blocks.hpp"

namespace solfec {

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
  ///
  /// Rows of balls are told from others where `find_balls` says so; their products have other bits
  /// than those of single rows then.
  void plan(std::span<const RowBlocks> rows, const std::vector<double>& G,
            std::span<const int> order, int groups, std::span<const int> blocks, bool find_balls);
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
  const BatchRows& batch(int k) const { return batches_[k].rows; }
  /// Number of batches with such blocks.
  template <class Blocks>
  int count() const {
    return static_cast<int>(std::is_same_v<Blocks, BallBlocks> ? balls_.size() : rigid_.size());
  }
  /// Calls work(batch) with a RowBatch of the batch's kind of blocks.
  template <class Work>
  decltype(auto) visit(int k, Work&& work) const {
    const auto as = [&]<class Blocks>(const std::vector<Blocks>& all) {
      const auto& [rows, of_balls, place] = batches_[k];
      return RowBatch<Blocks>{rows, all[place], place};
    };
    return batches_[k].of_balls ? work(as(balls_)) : work(as(rigid_));
  }
  std::span<const int> singles(const Run& run) const {
    return std::span(singles_).subspan(run.single, run.single_end - run.single);
  }

 private:
  static constexpr int kColours = 64;
  struct Batch {
    BatchRows rows;
    bool of_balls = false;
    int place = 0;  // among those of its kind
  };

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
  void mark_balls(std::span<const RowBlocks> rows, const std::vector<double>& G,
                  std::span<const int> order);
  void pack(std::span<const RowBlocks> rows, const std::vector<double>& G);

  std::vector<int> turn_begin_, part_begin_;
  std::vector<Run> runs_;
  std::vector<Batch> batches_;
  std::vector<RigidBlocks> rigid_;
  std::vector<BallBlocks> balls_;
  std::vector<int> singles_;
  // Work spaces:
  std::vector<std::uint8_t> is_ball_;      // of a row
  std::vector<int> last_;                  // of a group: the last of its rows so far, or -1
  std::vector<std::array<int, 2>> after_;  // of a row: the next ones on its groups, or -1
  std::vector<int> waits_;                 // of a row: for how many others
  // Rows that wait for no others, for batches and for themselves, and those of a run.
  std::vector<int> ready_, ready_singles_, taken_, taken_singles_, by_kind_;
  std::vector<std::vector<int>> block_rows_, colour_rows_, colour_singles_;
  std::vector<std::uint64_t> colours_;  // of a group: those of its rows
};

}  // namespace solfec
