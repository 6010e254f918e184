// The Delassus operator W = h H A^-1 H^T in two forms with the same answers.
//
// A row (constraint) acts on one or two groups of velocities (a group is a body, but nothing here
// knows it). With A = L L^T per group the row brings the blocks  G = +-H L^-T  (3 x n), so that
// W = h sum G G^T:
//   factored   a row keeps its blocks, a group keeps  y = sum G^T R;  a row times R costs 3 n per
//              block, whatever the number of rows on the group
//   assembled  3 x 3 blocks W_ab for each pair of rows that share a group, in compressed rows
// A group with m rows has m^2 assembled blocks: bodies with many contacts want the factored form,
// large deformable ones the assembled form. The choice is made by counting operations.
//
// Over several ranks each row has one owner. Rows of other ranks that share a group with an owned
// one follow the owned rows as external ones: with their blocks on the shared groups only. Sums run
// through the rows of a group in one global order (that of keys), so that products are the same to
// the last bit however the rows are spread.
//
// The blocks of a problem that was read from a file are given as they are: then there are no
// groups, and the assembled form is the only one.
#pragma once

#include <span>
#include <vector>

#include "local_dynamics/block_products.hpp"
#include "local_dynamics/group_blocks.hpp"
#include "local_dynamics/row_batches.hpp"

namespace solfec {

enum class DelassusForm { automatic, assembled, factored };

/// All rows with their blocks G.
struct FactoredRows {
  std::vector<RowBlocks> rows;
  std::vector<double> G;
  std::vector<int> order;  ///< the global order
};

/// Iterates with the blocks G: R enters through y = sum G^T R.
class FactoredForm {
 public:
  /// Changes of all rows go through the batches in their order.
  FactoredForm(double h, const FactoredRows& rows, const RowBatches& batches, std::span<double> y)
      : h_(h), rows_(rows), batches_(batches), y_(y.data()), velocities_(y.size()) {}

  /// R of all rows, owned and external; also where sums of changes have lost digits.
  void start(std::span<const Vec3> R) {
    std::fill_n(y_, velocities_, 0.0);
    change_all(R);
  }
  /// sum_b W_ab R_b, diagonal included.
  Vec3 row_times(int row) const {
    Vec3 sum = Vec3::Zero();
    for (const RowBlock& end : rows_.rows[row].end)
      if (end.size > 0) add_product(&rows_.G[end.block], end.size, y_ + end.y, sum);
    return h_ * sum;
  }
  /// R_row has grown by dR.
  void change(int row, const Vec3& dR) {
    for (const RowBlock& end : rows_.rows[row].end)
      if (end.size > 0) add_transpose_product(&rows_.G[end.block], end.size, dR, y_ + end.y);
  }

  // The same for the rows of a batch.
  template <class Blocks>
  VectorOf<Lanes> row_times(const RowBatch<Blocks>& batch) const {
    const VectorOf<Lanes> sum = batch.product(y_);
    return {h_ * sum.x, h_ * sum.y, h_ * sum.z};
  }
  template <class Blocks>
  void change(const RowBatch<Blocks>& batch, const VectorOf<Lanes>& dR) {
    batch.add_transpose_product(dR, y_);
  }

  /// All owned rows times R.
  void multiply(std::span<Vec3> result) const;
  /// R of all rows, owned and external, has grown by dR.
  void change_all(std::span<const Vec3> dR);

 private:
  double h_;
  const FactoredRows& rows_;
  const RowBatches& batches_;
  double* y_;
  std::size_t velocities_;
};

/// Compressed rows of 3 x 3 blocks, columns in the global order of rows.
struct BlockRows {
  std::vector<std::size_t> begin;
  std::vector<int> column;
  std::vector<Mat3> value;
};

/// Iterates with the blocks W_ab.
class AssembledForm {
 public:
  AssembledForm(const BlockRows& blocks, std::vector<Vec3>& R) : w_(blocks), R_(R) {}

  void start(std::span<const Vec3> R) { R_.assign(R.begin(), R.end()); }
  Vec3 row_times(int row) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = w_.begin[row]; k < w_.begin[row + 1]; k++)
      sum.noalias() += w_.value[k] * R_[w_.column[k]];
    return sum;
  }
  void change(int row, const Vec3& dR) { R_[row] += dR; }

  void multiply(std::span<Vec3> result) const {
    for (std::size_t row = 0; row < result.size(); row++)
      result[row] = row_times(static_cast<int>(row));
  }
  void change_all(std::span<const Vec3> dR) {
    for (std::size_t row = 0; row < dR.size(); row++) R_[row] += dR[row];
  }

 private:
  const BlockRows& w_;
  std::vector<Vec3>& R_;
};

/// W of one step. Keeps its memory between steps. Products use work spaces in it: one at a time.
class Delassus {
 public:
  /// Starts anew for groups of the given sizes (0 for one that does not move freely); `h` is the
  /// time step.
  void clear(double h, std::span<const int> group_sizes);
  /// After clear(): there will be so many rows, with so many numbers in their blocks.
  void make_room(std::size_t rows, std::size_t numbers);
  /// Adds a row between two groups (-1: none, never the same one twice); returns the place for the
  /// blocks of its ends (3 n1 + 3 n2 numbers), until the next row is added.
  double* add_row(int group1, int group2);
  /// That place, of a row that has been added.
  double* row_blocks(int row) { return factored_.G.data() + factored_.rows[row].end[0].block; }
  /// The rows from now on are external.
  void begin_external() { owned_ = static_cast<int>(factored_.rows.size()); }
  /// All rows are there. `order` lists owned and external rows in the global order; without it they
  /// stand in that order.
  void finish_rows(std::span<const int> order = {});
  /// Starts anew with some of the rows of another W, owned and external ones, in its order.
  void take_rows(const Delassus& from, const std::vector<bool>& chosen);
  /// Operations per sweep over the owned rows, in the two forms; the work of assembly is spread
  /// over many sweeps. Rows between rigid groups are taken to come in batches.
  struct Cost {
    double factored = 0, assembled = 0;

    DelassusForm cheaper() const {
      return assembled < factored ? DelassusForm::assembled : DelassusForm::factored;
    }
  };
  Cost cost() const;
  /// Chooses the form (automatic: the one that is cheaper here) and assembles what it needs.
  void choose(DelassusForm form);

  /// Both, for rows of one rank.
  void finish(DelassusForm form) {
    finish_rows();
    choose(form);
  }

  /// Takes the blocks of all rows, of one rank, as they are: they need not be symmetric to the last
  /// digit, and diagonal ones may be singular. Columns rise in each row, the diagonal is among
  /// them. `h` is the time step that the blocks contain.
  void set_blocks(double h, BlockRows blocks);

  /// Owned rows.
  int rows() const { return owned_; }
  /// Owned and external rows.
  int all_rows() const { return static_cast<int>(factored_.rows.size()); }
  double step() const { return h_; }
  int groups() const { return static_cast<int>(group_size_.size()); }
  /// One (0) or the other (1) end of an owned row; none of blocks that were given.
  const RowBlock& end(int row, int side) const { return factored_.rows[row].end[side]; }
  /// The block G of such an end, 3 x size, row by row.
  const double* end_block(const RowBlock& end) const { return factored_.G.data() + end.block; }
  bool assembled() const { return assembled_; }
  const Mat3& diagonal(int row) const { return diagonal_[row]; }
  /// Inverse of the diagonal block. In one that is singular, singular values below 1E-12 of the
  /// largest count as 1E-8 of it: a velocity that no reaction of the row can change asks for a very
  /// large reaction, which friction bounds; what it gives is exact to about 1E-8 then. Zero for a
  /// block of zeros.
  const Mat3& diagonal_inverse(int row) const { return inverse_[row]; }

  /// Where groups are in space, by place(group), for the blocks of sweeps; without it they stand in
  /// a row.
  template <class Place>
  void place_groups(const Place& place) {
    places_.resize(groups());
    for (int g = 0; g < groups(); g++) places_[g] = place(g);
  }
  // Of the factored form:
  /// Some rows in batches, in the order given, and in blocks where they are many.
  void plan(std::span<const int> rows, RowBatches& batches) const;
  /// All rows, likewise: for sweeps on one rank.
  const RowBatches& sweep_batches() const;
  /// All rows in the global order, balls as others: sums over the rows of a group are the same, to
  /// the last bit, on any ranks.
  const RowBatches& batches() const;

  /// Calls work(form) with an iteration form that stands at R (owned and external rows). A form
  /// tells an owned row times R and takes changes of any row. Sums over rows have the order of
  /// sweeps once that is known.
  template <class Work>
  decltype(auto) iterate(std::span<const Vec3> R, Work&& work) const {
    if (assembled_) {
      AssembledForm form(blocks_, R_);
      form.start(R);
      return work(form);
    }
    return iterate_from_zero([&](FactoredForm& form) -> decltype(auto) {
      form.change_all(R);
      return work(form);
    });
  }
  /// The same with R = 0, in the factored form.
  template <class Work>
  decltype(auto) iterate_from_zero(Work&& work) const {
    const std::span<double> y = velocities();
    FactoredForm form(h_, factored_, sweep_.empty() ? batches() : sweep_, y);
    std::ranges::fill(y, 0.0);
    return work(form);
  }

  /// result = W x; x holds owned and external rows, the result owned ones.
  void multiply(std::span<const Vec3> x, std::span<Vec3> result) const;

  /// Rows that share a group with this owned row (itself included), in the global order.
  std::vector<int> neighbours(int row) const;
  /// W_ab, the same numbers in either form.
  Mat3 block(int row, int column) const;
  /// Calls work(column, W_ab) for the neighbours of an owned row.
  template <class Work>
  void visit_blocks(int row, Work&& work) const {
    if (!assembled_) {
      for (int column : neighbours(row)) work(column, block(row, column));
      return;
    }
    for (std::size_t k = blocks_.begin[row]; k < blocks_.begin[row + 1]; k++)
      work(blocks_.column[k], blocks_.value[k]);
  }
  /// How many times less a row between rigid groups takes in the form that was chosen.
  double batch_gain() const {
    return assembled_ || (sweep_.empty() ? batches() : sweep_).size() == 0 ? 1 : kBatchGain;
  }
  /// Multiplications with all owned rows in the form that was chosen; those in batches count for as
  /// many as take their time.
  double product_operations() const;
  /// Multiplications that visits of all blocks take before the blocks are known: none if assembled.
  double block_operations() const;

 private:
  static constexpr double kBatchGain = 2.5;  // of rows that are in batches

  std::span<double> velocities() const;  // those of groups, at the start of a line of the cache
  double factored_operations(double batch_gain) const;
  // sum += G1 G2^T of two ends on one group.
  void add_pair(const RowBlock& a, const RowBlock& b, Mat3& sum) const;
  void invert_diagonal();
  std::span<const int> blocks_of_groups(std::span<const int> rows) const;
  const Mat3* given_block(int row, int column) const;  // null: there is none
  void list_rows_of_groups();
  void assemble();
  std::span<const int> positions_of(const RowBlock& end) const;

  double h_ = 0;
  int owned_ = 0;
  bool assembled_ = false;
  bool given_ = false;  // by blocks, without groups
  std::vector<int> group_size_, group_y_;
  std::vector<Vec3> places_;  // of groups, or none
  FactoredRows factored_;
  // Made when they are asked for; sweeps of a single block, without balls, have those of the global
  // order.
  mutable RowBatches batches_, sweep_;
  std::vector<Mat3> diagonal_, inverse_;
  std::vector<int> group_begin_, group_positions_, cursor_;  // in the order, rising, of each group
  BlockRows blocks_;
  // Work spaces.
  mutable std::vector<double> y_;
  mutable std::vector<Vec3> R_;
  mutable GroupBlocks blocks_of_groups_;
};

}  // namespace solfec
