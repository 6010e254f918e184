// Equilibrium of a cluster: which changes z of components of reactions leave all velocities as they
// are. With the blocks G = +-H L^-T of the rows (delassus.hpp) and E the directions of the
// components that is
//
//   E^T W E z = 0   <=>   G^T E z = 0   <=>   for each body  sum G^T E z = 0.
//
// The equations of a body may be combined at will: they are made orthonormal, body by body, and
// those that follow from others are left out. So Q z = 0, where Q does not depend on masses and
// units, and the diagonal blocks of Q Q^T are unit matrices.
#pragma once

#include <Eigen/SparseCore>
#include <span>
#include <vector>

#include "core/vector.hpp"

namespace solfec {

/// What components of one reaction do to the velocities of one body, G^T E.
struct BodyColumns {
  int body = -1;            ///< -1: none, or one that does not move freely
  Eigen::MatrixXd columns;  ///< one for each component
};

/// Of one constraint. A body is there once at most.
struct EquilibriumColumns {
  int count = 0;  ///< components
  BodyColumns ends[2];
};

class EquilibriumMatrix {
 public:
  /// Of some of the constraints; their bodies are numbered from 0 to `bodies` - 1.
  EquilibriumMatrix(std::span<const EquilibriumColumns> constraints, int bodies);

  int equations() const { return equations_; }
  int components() const { return static_cast<int>(columns_.size()); }

  /// Q z
  Eigen::VectorXd times(const Eigen::VectorXd& z) const;
  /// Q^T v
  Eigen::VectorXd transpose_times(const Eigen::VectorXd& v) const;
  Eigen::MatrixXd dense() const;
  std::vector<Eigen::Triplet<double, std::int64_t>> entries() const;

 private:
  struct Part {
    int equation = 0, size = 0;  ///< the first one, and how many
    std::size_t numbers = 0;
  };
  struct Column {
    Part parts[2];
  };
  int equations_ = 0;
  std::vector<Column> columns_;
  std::vector<double> numbers_;
};

}  // namespace solfec
