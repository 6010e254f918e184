// Anderson acceleration of type II for fixed-point iterations R -> g(R), here sweeps of
// Gauss-Seidel (Anderson 1965; Walker and Ni 2011): with f = g(R) - R and the changes of f and g in
// the last m iterations as columns of dF and dG,
//
//   R <- g - dG gamma,   gamma = argmin |f - dF gamma|^2 + 1E-9 sum |dG_k|^2 gamma_k^2
//
// in the norm |f|^2 = sum w |f_row|^2 over all rows, w the mean diagonal entry of W in the row: a
// change of a reaction counts by the velocity that it makes.
#pragma once

#include <span>
#include <vector>

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

class AndersonMixing {
 public:
  /// Begins anew, with at most `memory` changes.
  void start(const LocalDynamics& problem, int memory);
  /// Forgets the changes so far; the next one is that from the last iteration.
  void forget() { columns_ = 0; }

  /// g has come from R; it becomes the R to go on from, and `change` by how much it has changed.
  /// Of owned rows. Collective.
  void mix(std::span<const Vec3> R, std::span<Vec3> g, std::span<Vec3> change,
           const Communicator& communicator);

 private:
  using Numbers = Eigen::Map<Eigen::VectorXd>;  // of the rows, one after the other
  template <class Work>
  void for_parts(Work&& work) const;
  void keep_change(std::span<const Vec3> R, std::span<const Vec3> g,
                   const Communicator& communicator);
  void add_column();

  int memory_ = 0;
  int columns_ = 0, newest_ = 0;
  bool has_last_ = false;
  Eigen::VectorXd weight_;  // sqrt w, of each number
  Eigen::VectorXd last_f_;  // times that
  Eigen::VectorXd last_g_;
  Eigen::MatrixXd dF_, dG_;    // dF like f
  Eigen::MatrixXd part_sums_;  // a column for each part of the numbers
  Eigen::MatrixXd gram_;       // dF^T dF
  Eigen::VectorXd rhs_;        // dF^T f
  Eigen::VectorXd damping_;    // what it adds to the diagonal of gram, against dG
};

}  // namespace solfec
