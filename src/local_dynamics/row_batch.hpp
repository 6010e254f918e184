// Some rows between rigid groups, one in each lane of a register, and their products.
//
// Rows of a batch share no group that moves. Their blocks are general ones, or of balls
// (ball_row.hpp): these are a third as long, and take half of the operations.
#pragma once

#include <array>
#include <span>

#include "core/vector.hpp"
#include "local_dynamics/row_blocks.hpp"
#include "math/lanes.hpp"

namespace solfec {

struct BatchRows {
  int count = 0;                 ///< rows; the lanes after them are idle: all is zero there
  std::array<int, kLanes> row;   ///< -1: idle
  std::array<int, kLanes> y[2];  ///< of each end: first velocity of the group; -1: it has none

  std::span<const int> rows() const { return {row.data(), static_cast<std::size_t>(count)}; }

  /// Of a vector over rows, zero in idle lanes.
  [[gnu::always_inline]] VectorOf<Lanes> load(std::span<const Vec3> x) const {
    const auto lanes_by = [](const auto& number) -> VectorOf<Lanes> {
      const auto part = [&](int k) {
        return gather([&](int lane) -> double { return number(lane, k); });
      };
      return {part(0), part(1), part(2)};
    };
    if (count == kLanes) return lanes_by([&](int lane, int k) { return x[row[lane]][k]; });
    return lanes_by([&](int lane, int k) { return row[lane] < 0 ? 0.0 : x[row[lane]][k]; });
  }
  /// Rows beyond the end of the vector are left out.
  void store(const VectorOf<Lanes>& from, std::span<Vec3> x) const {
    for (int lane = 0; lane < count; lane++)
      if (row[lane] < static_cast<int>(x.size()))
        x[row[lane]] = Vec3(from.x[lane], from.y[lane], from.z[lane]);
  }
  /// The velocities of an end; zeros for one that has none.
  const double* velocities(const double* y_all, int end, int lane) const {
    static constexpr double kRest[kVelocityLine] = {};
    return y[end][lane] < 0 ? kRest : y_all + y[end][lane];
  }
  /// The same to be written, with a place for those of ends that have none. It is not one for all:
  /// threads would get in each other's way.
  double* velocities(double* y_all, int end, int lane, double (&nobody)[kVelocityLine]) const {
    return y[end][lane] < 0 ? nobody : y_all + y[end][lane];
  }
};

/// General ones. Products are those of block_products.hpp, to the last bit.
struct RigidBlocks {
  Lanes G[2][3][kRigidSize];  ///< of each end

  /// sum G y
  VectorOf<Lanes> product(const BatchRows& rows, const double* y) const;
  /// y += G^T x
  void add_transpose_product(const BatchRows& rows, const VectorOf<Lanes>& x, double* y) const;
};

/// Those of ball rows.
struct BallBlocks {
  VectorOf<Lanes> t1, n;              ///< of the axes
  double s[2][kLanes], c[2][kLanes];  ///< of each end

  VectorOf<Lanes> product(const BatchRows& rows, const double* y) const;
  void add_transpose_product(const BatchRows& rows, const VectorOf<Lanes>& x, double* y) const;
};

/// Rows and blocks of a batch, which stay where they are.
template <class Blocks>
struct RowBatch {
  const BatchRows& rows;
  const Blocks& blocks;
  int place;  ///< among the batches with such blocks

  VectorOf<Lanes> product(const double* y) const { return blocks.product(rows, y); }
  void add_transpose_product(const VectorOf<Lanes>& x, double* y) const {
    blocks.add_transpose_product(rows, x, y);
  }
};

[[gnu::always_inline]] inline VectorOf<Lanes> RigidBlocks::product(const BatchRows& rows,
                                                                   const double* y) const {
  const double* at[2][kLanes];
  for (int end : {0, 1})
    for (int lane = 0; lane < kLanes; lane++) at[end][lane] = rows.velocities(y, end, lane);
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

[[gnu::always_inline]] inline void RigidBlocks::add_transpose_product(const BatchRows& rows,
                                                                      const VectorOf<Lanes>& x,
                                                                      double* y) const {
  double nobody[kVelocityLine] = {};
  for (int end : {0, 1}) {
    double* at[kLanes];
    for (int lane = 0; lane < kLanes; lane++) at[lane] = rows.velocities(y, end, lane, nobody);
    for (int k = 0; k < kRigidSize; k++) {
      Lanes v = gather([&](int lane) { return at[lane][k]; });
      v += G[end][0][k] * x.x;
      v += G[end][1][k] * x.y;
      v += G[end][2][k] * x.z;
      for (int lane = 0; lane < kLanes; lane++) at[lane][k] = v[lane];
    }
  }
}

// Velocities are read and written as two quads: the first one has the angular part and a number
// of the linear one, the second one the linear part and a number of the line's rest.
[[gnu::always_inline]] inline VectorOf<Lanes> BallBlocks::product(const BatchRows& rows,
                                                                  const double* y) const {
  Quads spin, linear;
  for (int lane = 0; lane < kLanes; lane++) {
    const double* first = rows.velocities(y, 0, lane);
    const double* second = rows.velocities(y, 1, lane);
    spin[lane] = s[0][lane] * load_quad(first) + s[1][lane] * load_quad(second);
    linear[lane] = c[0][lane] * load_quad(first + 3) + c[1][lane] * load_quad(second + 3);
  }
  const VectorOf<Lanes> w = lanes_of(spin), v = lanes_of(linear), t2 = cross(n, t1);
  return {dot(t1, v) + dot(t2, w), dot(t2, v) - dot(t1, w), dot(n, v)};
}

[[gnu::always_inline]] inline void BallBlocks::add_transpose_product(const BatchRows& rows,
                                                                     const VectorOf<Lanes>& x,
                                                                     double* y) const {
  const VectorOf<Lanes> t2 = cross(n, t1);
  const Quads linear = quads_of(x.x * t1 + x.y * t2 + x.z * n);
  const Quads spin = quads_of(x.x * t2 - x.y * t1);
  double nobody[kVelocityLine] = {};
  for (int lane = 0; lane < kLanes; lane++)
    for (int end : {0, 1}) {
      double* at = rows.velocities(y, end, lane, nobody);
      const Quad w = load_quad(at) + s[end][lane] * spin[lane];
      const Quad v = load_quad(at + 3) + c[end][lane] * linear[lane];
      store_quad(w, at);
      store_quad(v, at + 3);
    }
}

}  // namespace solfec
