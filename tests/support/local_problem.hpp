// Random problems of local dynamics with their dense matrices, and an independent judge of their
// solutions.
#pragma once

#include <algorithm>
#include <vector>

#include "local_dynamics/local_dynamics.hpp"
#include "support/random_solids.hpp"

namespace solfec::testing {

/// A LocalDynamics and all that it was made of.
struct LocalProblem {
  LocalDynamics dynamics;
  Eigen::MatrixXd G;                        ///< rows +-H L^-T of all groups side by side
  Eigen::MatrixXd W;                        ///< h G G^T
  std::vector<std::pair<int, int>> groups;  ///< of each row; -1: none, or one that does not move
};

/// Rows between random pairs of groups, each group of size 6, 12 or (now and then) 0.
inline LocalProblem random_problem(std::uint64_t seed, int groups, int rows, double h,
                                   DelassusForm form) {
  Random random(seed);
  LocalProblem p;
  std::vector<int> sizes, begin;
  int columns = 0;
  for (int g = 0; g < groups; g++) {
    const int kind = random.integer(0, 7);
    sizes.push_back(kind == 0 ? 0 : kind < 5 ? 6 : 12);
    begin.push_back(columns);
    columns += sizes.back();
  }
  sizes.back() = 6;  // one that moves, at least
  columns = begin.back() + 6;
  p.G = Eigen::MatrixXd::Zero(3 * rows, columns);
  p.dynamics.clear(h, sizes);
  for (int row = 0; row < rows; row++) {
    int g[2];
    do {
      g[0] = random.integer(0, groups - 1);
      g[1] = random.integer(-1, groups - 1);
    } while (g[0] == g[1] || (sizes[g[0]] == 0 && (g[1] < 0 || sizes[g[1]] == 0)));
    double* block = p.dynamics.W.add_row(g[0], g[1]);
    for (int k : {0, 1}) {
      const int n = g[k] < 0 ? 0 : sizes[g[k]];
      for (int i = 0; i < 3 * n; i++) {
        const double value = random.uniform(-1, 1);
        *block++ = value;
        p.G(3 * row + i / n, begin[g[k]] + i % n) = value;
      }
      if (n == 0) g[k] = -1;
    }
    p.groups.emplace_back(g[0], g[1]);
    p.dynamics.B.push_back(random.in_box(1));
    p.dynamics.V.push_back(random.in_box(1));
    p.dynamics.R.push_back(Vec3::Zero());
    ContactLaw law;
    law.friction = 0.5;
    p.dynamics.law.push_back(law);
  }
  p.dynamics.U = p.dynamics.B;
  p.dynamics.merit.assign(rows, 0.0);
  p.W = h * p.G * p.G.transpose();
  p.dynamics.W.finish(form);
  return p;
}

inline Eigen::VectorXd flat(const std::vector<Vec3>& rows) {
  Eigen::VectorXd x(3 * rows.size());
  for (std::size_t k = 0; k < rows.size(); k++) x.segment<3>(3 * static_cast<int>(k)) = rows[k];
  return x;
}

/// How far a pair (U, R) of one contact is from the Signorini-Coulomb law in the plain words of
/// the law (not through a projection): the largest of its violations, velocities in units of
/// `velocity`, forces in units of `force`. `U` holds the restitution, `S` the cohesion already.
inline double law_violation(const Vec3& U, const Vec3& S, double friction, double velocity,
                            double force) {
  const double UT = U.head<2>().norm(), ST = S.head<2>().norm();
  double worst =
      std::max({0.0, -U.z() / velocity, -S.z() / force, (ST - friction * S.z()) / force});
  // Either the gap opens or the reaction pushes.
  worst = std::max(worst, std::min(std::abs(U.z()) / velocity, std::abs(S.z()) / force));
  // Either no slip, or friction at its bound and against the slip.
  const Vec2 sliding = UT > 0 ? Vec2(-friction * S.z() * U.head<2>() / UT) : Vec2(S.head<2>());
  return std::max(worst, std::min(UT / velocity, (S.head<2>() - sliding).norm() / force));
}

}  // namespace solfec::testing
