// Contact with polyhedral cones of friction as linear complementarity problems (Stewart and Trinkle
// 1996, Anitescu and Potra 1997; their convex variant, Anitescu 2006), and Lemke's method for them.
// With m directions d_k of sliding, evenly spread, R = (sum beta_k d_k, c), and per contact
//
//   z = (c, beta_1 ... beta_m, lambda) >= 0   _|_   w = M z + q >= 0
//   w = (U_N [- mu lambda: convex], d_k.U_T + lambda, mu c - sum beta_k)
#pragma once

#include <optional>

#include "support/local_problem.hpp"

namespace solfec::testing {

struct LinearComplementarity {
  Eigen::MatrixXd M, spread;  ///< spread: R = spread z
  Eigen::VectorXd q;
};

inline LinearComplementarity polyhedral_problem(const Eigen::MatrixXd& W, const Eigen::VectorXd& q,
                                                const std::vector<double>& friction, int facets,
                                                bool convex) {
  const int rows = static_cast<int>(friction.size()), n = facets + 2;
  LinearComplementarity lcp;
  lcp.spread = Eigen::MatrixXd::Zero(3 * rows, n * rows);
  for (int row = 0; row < rows; row++) {
    lcp.spread(3 * row + 2, n * row) = 1;
    for (int k = 0; k < facets; k++) {
      const double angle = 2 * M_PI * k / facets;
      lcp.spread(3 * row, n * row + 1 + k) = std::cos(angle);
      lcp.spread(3 * row + 1, n * row + 1 + k) = std::sin(angle);
    }
  }
  lcp.M = lcp.spread.transpose() * W * lcp.spread;
  lcp.q = lcp.spread.transpose() * q;
  for (int row = 0; row < rows; row++) {
    const int c = n * row, lambda = c + n - 1;
    if (convex) lcp.M(c, lambda) -= friction[row];
    lcp.M(lambda, c) += friction[row];
    for (int k = c + 1; k < lambda; k++) {
      lcp.M(k, lambda) += 1;
      lcp.M(lambda, k) -= 1;
    }
  }
  return lcp;
}

inline std::vector<Vec3> reactions(const LinearComplementarity& lcp, const Eigen::VectorXd& z) {
  const Eigen::VectorXd R = lcp.spread * z;
  std::vector<Vec3> rows;
  for (int k = 0; k < R.size(); k += 3) rows.emplace_back(R.segment<3>(k));
  return rows;
}

/// Lemke's method with the covering vector of ones and the lexicographic rule, which cannot cycle;
/// nothing when it ends on a ray.
inline std::optional<Eigen::VectorXd> lemke(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) {
  const int n = static_cast<int>(q.size());
  // Columns: w (n), z (n), z0, right-hand side.  w - M z - z0 1 = q.
  Eigen::MatrixXd T(n, 2 * n + 2);
  T << Eigen::MatrixXd::Identity(n, n), -M, -Eigen::VectorXd::Ones(n), q;
  std::vector<int> basis(n);
  for (int i = 0; i < n; i++) basis[i] = i;
  const auto pivot = [&](int row, int column) {
    T.row(row) /= T(row, column);
    for (int i = 0; i < n; i++)
      if (i != row) T.row(i) -= T(i, column) * T.row(row);
    return std::exchange(basis[row], column);
  };
  const auto before = [&](const Eigen::RowVectorXd& a, const Eigen::RowVectorXd& b) {
    if (std::abs(a(2 * n + 1) - b(2 * n + 1)) > 1e-13) return a(2 * n + 1) < b(2 * n + 1);
    for (int k = 0; k < n; k++)
      if (std::abs(a(k) - b(k)) > 1e-13) return a(k) < b(k);
    return false;
  };
  Eigen::Index row;
  if (q.minCoeff(&row) < 0) {
    for (int i = 0; i < n; i++)
      if (i != row && before(T.row(i), T.row(row))) row = i;
    int left = pivot(static_cast<int>(row), 2 * n);
    while (left != 2 * n) {
      const int entering = left < n ? left + n : left - n;
      int leaving = -1;
      for (int i = 0; i < n; i++) {
        if (T(i, entering) <= 1e-11) continue;
        if (leaving < 0 || before(T.row(i) / T(i, entering), T.row(leaving) / T(leaving, entering)))
          leaving = i;
      }
      if (leaving < 0) return {};
      // z0 leaves as soon as it can.
      for (int i = 0; i < n; i++)
        if (basis[i] == 2 * n && T(i, entering) > 1e-11 &&
            T(i, 2 * n + 1) / T(i, entering) <=
                T(leaving, 2 * n + 1) / T(leaving, entering) + 1e-13)
          leaving = i;
      left = pivot(leaving, entering);
    }
  }
  Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
  for (int i = 0; i < n; i++)
    if (basis[i] >= n && basis[i] < 2 * n) z(basis[i] - n) = T(i, 2 * n + 1);
  return z;
}

/// All solutions that are vertices: every choice of what is zero in each pair.
inline std::vector<Eigen::VectorXd> enumerate(const Eigen::MatrixXd& M, const Eigen::VectorXd& q) {
  const int n = static_cast<int>(q.size());
  std::vector<Eigen::VectorXd> found;
  for (int choice = 0; choice < 1 << n; choice++) {
    std::vector<int> free;
    for (int i = 0; i < n; i++)
      if (choice >> i & 1) free.push_back(i);
    Eigen::VectorXd z = Eigen::VectorXd::Zero(n);
    if (!free.empty()) {
      const Eigen::FullPivLU<Eigen::MatrixXd> lu(M(free, free));
      if (!lu.isInvertible()) continue;
      z(free) = lu.solve(-q(free));
    }
    if (z.minCoeff() > -1e-10 && (M * z + q).minCoeff() > -1e-10) found.push_back(z);
  }
  return found;
}

}  // namespace solfec::testing
