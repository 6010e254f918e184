#include "body/supported_nodes.hpp"

#include "body/dof_views.hpp"

namespace solfec {
namespace {

// The 3 x 3 blocks of the three columns of a node in a lower triangle: that of the node itself, of
// which the upper part is not there, then those of other nodes.
class NodeColumns {
 public:
  NodeColumns(Eigen::SparseMatrix<double>& A, int node)
      : values_(A.valuePtr()), rows_(A.innerIndexPtr()) {
    for (int c = 0; c < 3; c++) start_[c] = A.outerIndexPtr()[3 * node + c];
    blocks_ = (A.outerIndexPtr()[3 * node + 1] - start_[0]) / 3;
  }
  int blocks() const { return blocks_; }
  int node(int block) const { return rows_[start_[0] + 3 * block] / 3; }

  Mat3 diagonal() const {
    Mat3 D;
    for (int c = 0; c < 3; c++)
      for (int r = c; r < 3; r++) D(r, c) = D(c, r) = values_[start_[c] + r - c];
    return D;
  }
  void set_diagonal(const Mat3& D) {
    for (int c = 0; c < 3; c++)
      for (int r = c; r < 3; r++) values_[start_[c] + r - c] = D(r, c);
  }
  // Of blocks below the diagonal.
  Mat3 below(int block) const {
    Mat3 B;
    for (int c = 0; c < 3; c++) B.col(c) = Eigen::Map<const Vec3>(column(block, c));
    return B;
  }
  void set_below(int block, const Mat3& B) {
    for (int c = 0; c < 3; c++) Eigen::Map<Vec3>(column(block, c)) = B.col(c);
  }

 private:
  double* column(int block, int c) const { return values_ + start_[c] + 3 * block - c; }

  double* values_;
  const int* rows_;
  int start_[3], blocks_;
};

}  // namespace

bool SupportedNodes::take(std::span<const NodeSupport> supports, int nodes) {
  std::vector<int> node;
  std::vector<Mat3> free;
  for (const NodeSupport& support : supports) {
    node.push_back(support.node);
    free.push_back(support.free);
  }
  if (node == node_ && free == free_) return false;
  if (node != node_) {
    slot_.assign(node.empty() ? 0 : static_cast<std::size_t>(nodes), -1);
    for (std::size_t k = 0; k < node.size(); k++)
      slot_[static_cast<std::size_t>(node[k])] = static_cast<int>(k);
    node_ = std::move(node);
  }
  free_ = std::move(free);
  of_rows_.clear();
  for (const Mat3& P : free_) of_rows_.push_back(projection_of_rows(P));
  return true;
}

void SupportedNodes::project(double* v) const {
  for (std::size_t k = 0; k < node_.size(); k++) {
    auto part = node_part(v, node_[k]);
    part = (free_[k] * part).eval();
  }
}

void SupportedNodes::eliminate(const Eigen::SparseMatrix<double>& A,
                               Eigen::SparseMatrix<double>& result) const {
  result = A;
  for (int j = 0; j < static_cast<int>(slot_.size()); j++) {
    NodeColumns columns(result, j);
    const bool held = holds(j);
    if (held) {
      const Mat3& P = free(j);
      const Mat3 D = columns.diagonal();
      columns.set_diagonal(P * D * P + D.trace() / 3 * (Mat3::Identity() - P));
    }
    for (int block = 1; block < columns.blocks(); block++) {
      const int i = columns.node(block);
      if (held || holds(i)) columns.set_below(block, free(i) * columns.below(block) * free(j));
    }
  }
}

}  // namespace solfec
