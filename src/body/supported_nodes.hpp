// Supported directions of nodes, eliminated in a symmetric matrix. With the projection P on free
// directions, block-diagonal by nodes,
//
//   A' = P A P + S (1 - P),   P A'^-1 P = the inverse of A among vectors v = P v,
//
// S a third of the trace of the node's block in A. A' is positive definite where A is, and has the
// pattern of A, so that the order of elimination and the Cholesky factor are as without supports.
#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "body/node_support.hpp"

namespace solfec {

class SupportedNodes {
 public:
  bool empty() const { return node_.empty(); }
  /// Takes supports (nodes rising) of a mesh of so many nodes. False when it has them already.
  bool take(std::span<const NodeSupport> supports, int nodes);

  /// v <- P v
  void project(double* v) const;
  /// P of a node, and what stands for it in rows (projection_of_rows).
  const Mat3& free(int node) const { return find(free_, node); }
  const Mat3& of_rows(int node) const { return find(of_rows_, node); }

  /// Lower triangles, of 3 x 3 blocks: result <- A'.
  void eliminate(const Eigen::SparseMatrix<double>& A, Eigen::SparseMatrix<double>& result) const;

 private:
  bool holds(int node) const {
    return !slot_.empty() && slot_[static_cast<std::size_t>(node)] >= 0;
  }
  const Mat3& find(const std::vector<Mat3>& list, int node) const {
    static const Mat3 identity = Mat3::Identity();
    return holds(node) ? list[static_cast<std::size_t>(slot_[static_cast<std::size_t>(node)])]
                       : identity;
  }

  std::vector<int> node_;  // rising
  std::vector<Mat3> free_, of_rows_;
  std::vector<int> slot_;  // of each node of the mesh; -1: not supported
};

}  // namespace solfec
