// Short rows for bodies of many velocities.
//
// Of a row  N L^-T  (3 x n) with A = L L^T only products with other rows count, W = N1 A^-1 N2^T.
// Where few nodes carry rows, E their columns, they are as well N F with
//
//   F F^T = C = E^T A^-1 E,
//
// N the shape functions on those nodes: C is dense and small, and comes from L by products of dense
// matrices. Many joints and contacts share nodes. Where their points are fewer than those nodes,
// points take the place of nodes. Of a body with supported nodes A is A', and rows are those of H P
// (supported_nodes.hpp): P is in N where nodes carry rows, and in E where points do.
#pragma once

#include "body/elastic_mesh.hpp"
#include "body/sparse_cholesky.hpp"
#include "body/supported_nodes.hpp"

namespace solfec {

/// A point of an element, by local coordinates.
struct ElementPoint {
  int element = -1;
  Vec3 local = Vec3::Zero();

  friend bool operator==(const ElementPoint&, const ElementPoint&) = default;
  friend bool operator<(const ElementPoint& a, const ElementPoint& b) {
    return a.element != b.element ? a.element < b.element
                                  : std::ranges::lexicographical_compare(a.local, b.local);
  }
};

class RowBasis {
 public:
  /// Rows are as long as there are velocities.
  void clear() { size_ = 0; }
  bool is_short() const { return size_ > 0; }
  /// Numbers in a row.
  int size() const { return size_; }

  /// What carries rows at points: their nodes, or the points themselves where there are more than
  /// `most_nodes` times as many nodes.
  struct Carriers {
    std::vector<int> nodes;            ///< rising
    std::vector<ElementPoint> points;  ///< rising; of both lists one is empty
    int count() const { return static_cast<int>(nodes.size() + points.size()); }
    friend bool operator==(const Carriers&, const Carriers&) = default;
  };
  static Carriers carriers(const ElasticMesh& mesh, std::span<const ElementPoint> points,
                           double most_nodes);
  const Carriers& present() const { return carriers_; }
  /// Columns of E, three for each carrier.
  static std::vector<SparseCholesky::FewEntries> columns(const ElasticMesh& mesh,
                                                         const Carriers& carriers,
                                                         const SupportedNodes& supported = {});

  /// Takes C of these carriers. False, and without short rows, where it has no root: points that
  /// follow from others.
  bool take(Carriers carriers, Eigen::MatrixXd C);
  /// Takes nodes with a diagonal A of nodal masses.
  void take_masses(Carriers carriers, const std::vector<double>& masses);

  /// axes^T N F at one of the points: 3 x size, row by row.
  void rows(const ElasticMesh& mesh, const ElementPoint& point, const Mat3& axes, double* G,
            const SupportedNodes& supported = {}) const;

 private:
  void take(Carriers carriers);

  Carriers carriers_;
  int size_ = 0;
  bool by_mass_ = false;
  Eigen::MatrixXd F_;                 // transposed: the upper triangle
  std::vector<double> inverse_root_;  // of the masses of nodes
};

}  // namespace solfec
