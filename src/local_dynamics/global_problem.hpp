// A problem of contacts in the velocities v of all bodies, as files of problems hold it:
//
//   M v = H R + f,   U = H^T v + w,   that is  U = W R + q,  W = H^T M^-1 H,  q = w + H^T M^-1 f
//
// with M symmetric and positive definite. Bodies are the sets of velocities that M joins; with
// M = L L^T for each of them the rows have the blocks G = H^T L^-T, and W = sum G G^T.
#pragma once

#include <vector>

#include "local_dynamics/contact_problem.hpp"

namespace solfec {

struct MatrixEntry {
  int row, column;
  double value;
};

struct GlobalProblem {
  int velocities = 0, rows = 0;
  std::vector<MatrixEntry> M;  ///< entries at one place add
  /// Columns are components: 3 row + (0, 1, 2) for (T1, T2, N). Likewise.
  std::vector<MatrixEntry> H;
  std::vector<double> f;
};

/// A body of more velocities is not taken: its matrix is factored without regard to zeros.
constexpr int kLargestBody = 6000;

/// The bodies, by their first velocity. Where a row acts on more than two of the sets that M joins
/// they are put together to fewer: velocities that stand together by 3, 6 or 12, if that will do,
/// and else all that the row acts on. Adds H^T M^-1 f to q. Throws RunError, where M is not
/// symmetric and positive definite, or a body is too large.
BodyRows bodies_of(const GlobalProblem& problem, std::vector<Vec3>& q);

}  // namespace solfec
