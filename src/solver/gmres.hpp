// Restarted generalised minimal residuals, preconditioned from the right (Saad 1993), on vectors of
// rows that are spread over ranks.
#pragma once

#include <functional>
#include <vector>

#include "core/vector.hpp"
#include "parallel/communicator.hpp"

namespace solfec {

using RowVector = std::vector<Vec3>;

/// A x = b, row by row on this rank.
struct LinearSystem {
  /// result <- A x
  std::function<void(const RowVector& x, RowVector& result)> multiply;
  /// result <- M^-1 x with M near A
  std::function<void(const RowVector& x, RowVector& result)> precondition = {};
  /// Preconditioned from both sides, where that takes less: x <- M2^-1 v, result <- M1^-1 A x
  std::function<void(const RowVector& v, RowVector& x, RowVector& result)> precondition_multiply =
      {};
  /// v <- M1^-1 v
  std::function<void(RowVector& v)> precondition_left = {};
};

struct GmresResult {
  int products = 0;     ///< with A
  double residual = 0;  ///< |b - A x| as the iteration knows it, or |M1^-1 (b - A x)|
};

/// Keeps its memory between calls.
class Gmres {
 public:
  /// `restart` is the largest number of vectors in the basis.
  explicit Gmres(int restart) : restart_(restart) {}

  /// Improves x until |b - A x| <= epsilon |b|, both times M1^-1, or so many iterations (products,
  /// one more where x does not start from zero). Collective, with one reduction at the start (two
  /// where x is not zero) and one per iteration: products of w with the whole basis and |w|, which
  /// together tell the length of what is left of it; where that is little, w is made orthogonal
  /// once more. Numbers that are none end it.
  GmresResult solve(const LinearSystem& system, const RowVector& b, double epsilon,
                    int max_iterations, const Communicator& communicator, RowVector& x);

 private:
  bool orthogonalise(int k, const Communicator& communicator, Eigen::VectorXd& column);

  int restart_;
  std::vector<RowVector> basis_, preconditioned_;
};

}  // namespace solfec
