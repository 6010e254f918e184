// Products with the blocks G of rows (3 x n, stored row by row), most of the work of solvers.
//
// Rigid bodies have n = 6: sums of one product at a time, as in batches (row_batches.hpp), which
// get the same bits. Sums over more numbers run through parts of a fixed size: those of Eigen over
// dynamic sizes start at an aligned address, so they would depend on where the numbers lie in
// memory.
#pragma once

#include <cmath>

#include "core/vector.hpp"
#include "local_dynamics/row_blocks.hpp"

namespace solfec {

using RigidBlock = Eigen::Map<const Eigen::Matrix<double, 3, 6, Eigen::RowMajor>>;
using BlockPart = Eigen::Array<double, 12, 1>;
inline constexpr int kBlockPart = BlockPart::SizeAtCompileTime;

inline Eigen::Map<const BlockPart> block_part(const double* numbers) {
  return Eigen::Map<const BlockPart>(numbers);
}

/// a b + c, rounded once where the processor does so: as optimising compilers (GCC from -O2 on)
/// make it of lanes.
inline double multiply_add(double a, double b, double c) {
#ifdef FP_FAST_FMA
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

/// sum += G y
inline void add_product(const double* G, int n, const double* y, Vec3& sum) {
  if (n == kRigidSize) {
    Vec3 product = Vec3::Zero();
    for (int k = 0; k < kRigidSize; k++)
      for (int i = 0; i < 3; i++)
        product[i] = multiply_add(G[i * kRigidSize + k], y[k], product[i]);
    sum += product;
    return;
  }
  BlockPart s0 = BlockPart::Zero(), s1 = s0, s2 = s0;
  int k = 0;
  for (; k + kBlockPart <= n; k += kBlockPart) {
    const BlockPart part = block_part(y + k);
    s0 += block_part(G + k) * part;
    s1 += block_part(G + n + k) * part;
    s2 += block_part(G + 2 * n + k) * part;
  }
  sum += Vec3(s0.sum(), s1.sum(), s2.sum());
  for (; k < n; k++) sum += Vec3(G[k], G[n + k], G[2 * n + k]) * y[k];
}

/// y += G^T x
inline void add_transpose_product(const double* G, int n, const Vec3& x, double* y) {
  if (n == kRigidSize) {
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < kRigidSize; k++) y[k] = multiply_add(G[i * kRigidSize + k], x[i], y[k]);
    return;
  }
  int k = 0;
  for (; k + kBlockPart <= n; k += kBlockPart)
    Eigen::Map<BlockPart>(y + k) +=
        block_part(G + k) * x[0] + block_part(G + n + k) * x[1] + block_part(G + 2 * n + k) * x[2];
  for (; k < n; k++) y[k] += G[k] * x[0] + G[n + k] * x[1] + G[2 * n + k] * x[2];
}

/// sum += G1 G2^T; exactly the transpose with G1 and G2 exchanged.
inline void add_product(const double* G1, const double* G2, int n, Mat3& sum) {
  if (n == kRigidSize) {
    sum.noalias() += RigidBlock(G1) * RigidBlock(G2).transpose();
    return;
  }
  for (int column = 0; column < 3; column++) {
    Vec3 product = Vec3::Zero();
    add_product(G1, n, G2 + column * n, product);
    sum.col(column) += product;
  }
}

}  // namespace solfec
