// Random problems of local dynamics with their dense matrices, and an independent judge of their
// solutions.
#pragma once

#include <algorithm>
#include <vector>

#include "local_dynamics/local_dynamics.hpp"
#include "support/random.hpp"

namespace solfec::testing {

/// One row with the block W and the free velocity B, without bodies.
inline LocalDynamics one_row(const Mat3& W, const Vec3& B, LawKind kind) {
  LocalDynamics p;
  BlockRows blocks;
  blocks.begin = {0, 1};
  blocks.column = {0};
  blocks.value = {W};
  p.W.set_blocks(1, std::move(blocks));
  p.B = {B};
  p.V = {Vec3::Zero()};
  p.law.emplace_back().kind = kind;
  return p;
}

/// A LocalDynamics, its solution, and all that it was made of.
struct LocalProblem {
  LocalDynamics dynamics;
  LocalSolution solution;                   ///< R = 0 at first
  Eigen::MatrixXd G;                        ///< rows +-H L^-T of all groups side by side
  Eigen::MatrixXd W;                        ///< h G G^T
  std::vector<std::pair<int, int>> groups;  ///< of each row; -1: none, or one that does not move
  std::vector<int> sizes, begin;            ///< of each group, its columns of G
};

/// A problem of so many rows that has none yet.
inline LocalProblem start_problem(std::vector<int> sizes, int rows, double h) {
  LocalProblem p;
  p.sizes = std::move(sizes);
  int columns = 0;
  for (int size : p.sizes) {
    p.begin.push_back(columns);
    columns += size;
  }
  p.G = Eigen::MatrixXd::Zero(3 * rows, columns);
  p.dynamics.clear(h, p.sizes);
  return p;
}

/// Adds a row between two groups, the block of the second one made smaller by a factor.
inline void add_random_row(LocalProblem& p, Random& random, int group1, int group2,
                           double factor = 1) {
  int g[2] = {group1, group2};
  const int row = static_cast<int>(p.groups.size());
  double* block = p.dynamics.W.add_row(g[0], g[1]);
  for (int k : {0, 1}) {
    const int n = g[k] < 0 ? 0 : p.sizes[g[k]];
    for (int i = 0; i < 3 * n; i++) {
      const double value = random.uniform(-1, 1) * (k == 1 ? factor : 1);
      *block++ = value;
      p.G(3 * row + i / n, p.begin[g[k]] + i % n) = value;
    }
    if (n == 0) g[k] = -1;
  }
  p.groups.emplace_back(g[0], g[1]);
  p.dynamics.B.push_back(random.in_box(1));
  p.dynamics.V.push_back(random.in_box(1));
  RowLaw law;
  law.friction = 0.5;
  law.remaining = 0.5 * p.dynamics.step();
  p.dynamics.law.push_back(law);
}

/// The blocks G of so many ends of a row between balls (ball_row.hpp), with axes, masses and radii
/// at random.
inline void write_ball_blocks(Random& random, int ends, double* block) {
  const Vec3 n = random.in_box(1).normalized(), t1 = random.in_box(1).cross(n).normalized(),
             t2 = n.cross(t1);
  for (int end = 0; end < ends; end++) {
    const double c = (end == 0 ? 1 : -1) * random.uniform(0.5, 2), s = random.uniform(-2, -0.5);
    const Vec3 rows[3][2] = {{s * t2, c * t1}, {-s * t1, c * t2}, {Vec3::Zero(), c * n}};
    for (const auto& row : rows)
      for (const Vec3& part : row) block = std::ranges::copy(part, block).out;
  }
}

/// All rows are there.
inline void finish_problem(LocalProblem& p, DelassusForm form) {
  p.W = p.dynamics.step() * p.G * p.G.transpose();
  p.dynamics.W.finish(form);
  p.solution = LocalSolution(p.dynamics);
}

/// Rows between random pairs of groups, each group of size 6, 12 or (now and then) 0.
inline LocalProblem random_problem(std::uint64_t seed, int groups, int rows, double h,
                                   DelassusForm form) {
  Random random(seed);
  std::vector<int> sizes;
  for (int g = 0; g < groups; g++) {
    const int kind = random.integer(0, 7);
    sizes.push_back(kind == 0 ? 0 : kind < 5 ? 6 : 12);
  }
  sizes.back() = 6;  // one that moves, at least
  LocalProblem p = start_problem(sizes, rows, h);
  for (int row = 0; row < rows; row++) {
    int g[2];
    do {
      g[0] = random.integer(0, groups - 1);
      g[1] = random.integer(-1, groups - 1);
    } while (g[0] == g[1] || (sizes[g[0]] == 0 && (g[1] < 0 || sizes[g[1]] == 0)));
    add_random_row(p, random, g[0], g[1]);
  }
  finish_problem(p, form);
  return p;
}

/// Most contacts close, and some have no friction.
inline void make_closing(LocalProblem& p, Random& random) {
  for (int row = 0; row < p.dynamics.rows(); row++) {
    p.dynamics.law[row].friction = random.integer(0, 3) == 0 ? 0 : random.uniform(0.1, 0.8);
    p.dynamics.B[row].z() -= 0.5;
  }
}

/// Bodies, each with a few contacts: W is well conditioned when `rows` is small against the number
/// of degrees of freedom.
inline LocalProblem closing_contacts(int seed, int groups, int rows,
                                     DelassusForm form = DelassusForm::automatic) {
  LocalProblem p = random_problem(seed, groups, rows, 0.01, form);
  Random random(1000 + seed);
  make_closing(p, random);
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

/// The worst violation in all rows of a problem, at the velocities that dense matrices give. All
/// rows are Signorini-Coulomb's.
inline double worst_violation(const LocalProblem& p, const std::vector<Vec3>& R) {
  const LocalDynamics& d = p.dynamics;
  const Eigen::VectorXd U = flat(d.B) + p.W * flat(R);
  double force = 0, velocity = 0, worst = 0;
  for (int row = 0; row < d.rows(); row++) {
    force = std::max(force, R[row].norm());
    velocity = std::max(velocity, d.B[row].norm());
  }
  for (int row = 0; row < d.rows(); row++) {
    const RowLaw& law = d.law[row];
    const double impact = d.V[row].z() < 0 ? 1 : 0;
    const Vec3 Ubar =
        U.segment<3>(3 * row) +
        impact * Vec3(law.tangential_restitution, law.tangential_restitution, law.restitution)
                     .cwiseProduct(d.V[row]);
    worst = std::max(
        worst, law_violation(Ubar, shifted_reaction(law, R[row]), law.friction, velocity, force));
  }
  return worst;
}

}  // namespace solfec::testing
