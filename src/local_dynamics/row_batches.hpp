// Rows between rigid groups, several at a time in the lanes of registers.
//
// The rows of a batch share no group that moves, so that none of them sees the change of another,
// and each row comes after all those before it on its groups (first fit). So a sweep through the
// batches is one through the rows, but for rounding, however many lanes there are.
#pragma once

#include <array>
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
  std::array<int, kLanes> y[2];  ///< of each end: first velocity of the group
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

class RowBatches {
 public:
  /// One row (>= 0), or one batch.
  struct Turn {
    int row = -1;
    int batch = -1;
  };

  /// Of some rows, in the order given, with their blocks; groups have numbers below `groups`, and
  /// `idle` is the place of kRigidSize velocities that are zero and stay so. Rows between other
  /// than rigid groups have turns of their own. There is no turn at all if batches do not pay off.
  void plan(std::span<const RowBlocks> rows, const std::vector<double>& G,
            std::span<const int> order, int groups, int idle);
  void clear();

  bool empty() const { return turns_.empty(); }
  std::span<const Turn> turns() const { return turns_; }
  const RowBatch& batch(int k) const { return batches_[k]; }
  int size() const { return static_cast<int>(batches_.size()); }

 private:
  int first_with_room(int turn);
  int take_turn(int row, int earliest);
  void pack(std::span<const RowBlocks> rows, const std::vector<double>& G, int idle);

  std::vector<Turn> turns_;
  std::vector<RowBatch> batches_;
  // Work spaces:
  std::vector<int> next_;  // of a group: the first turn after those of its rows so far
  std::vector<int> room_;  // of a turn: itself, or a later one to look at if it is full
};

inline VectorOf<Lanes> RowBatch::product(const double* velocities) const {
  VectorOf<Lanes> sum[2] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
  for (int k = 0; k < kRigidSize; k++)
    for (int end : {0, 1}) {
      const Lanes v = gather([&](int lane) { return velocities[y[end][lane] + k]; });
      sum[end].x += G[end][0][k] * v;
      sum[end].y += G[end][1][k] * v;
      sum[end].z += G[end][2][k] * v;
    }
  return {sum[0].x + sum[1].x, sum[0].y + sum[1].y, sum[0].z + sum[1].z};
}

inline void RowBatch::add_transpose_product(const VectorOf<Lanes>& x, double* velocities) const {
  for (int end : {0, 1})
    for (int k = 0; k < kRigidSize; k++) {
      Lanes v = gather([&](int lane) { return velocities[y[end][lane] + k]; });
      v += G[end][0][k] * x.x;
      v += G[end][1][k] * x.y;
      v += G[end][2][k] * x.z;
      for (int lane = 0; lane < kLanes; lane++) velocities[y[end][lane] + k] = v[lane];
    }
}

}  // namespace solfec
