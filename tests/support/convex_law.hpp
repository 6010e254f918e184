// The convex law in plain words, and its problem solved otherwise: on dense matrices.
#pragma once

#include "math/friction_cone.hpp"
#include "support/local_problem.hpp"

namespace solfec::testing {

inline LocalProblem with_convex_law(LocalProblem p) {
  give_convex_law(p.dynamics.law);
  return p;
}

/// How far a pair (Ubar, S) of one contact is from the convex law, by its words: S in the cone,
/// Ubar in its dual, Ubar_N >= mu |Ubar_T|, and no power. Velocities in units of `velocity`, forces
/// in units of `force`.
inline double convex_violation(const Vec3& U, const Vec3& S, double mu, double velocity,
                               double force) {
  return std::max({0.0, (S.head<2>().norm() - mu * S.z()) / force, -S.z() / force,
                   (mu * U.head<2>().norm() - U.z()) / velocity,
                   std::abs(U.dot(S)) / (velocity * force)});
}

/// The worst violation in the rows of a problem, all of which are contacts without restitution, at
/// the velocities that dense matrices give.
inline double worst_convex_violation(const LocalProblem& p, const std::vector<Vec3>& R) {
  const LocalDynamics& d = p.dynamics;
  const Eigen::VectorXd U = flat(d.B) + p.W * flat(R);
  double force = 1e-300, velocity = 1e-300, worst = 0;
  for (int row = 0; row < d.rows(); row++) {
    force = std::max(force, R[row].norm());
    velocity = std::max(velocity, d.B[row].norm());
  }
  for (int row = 0; row < d.rows(); row++)
    worst = std::max(
        worst, convex_violation(U.segment<3>(3 * row) + velocity_offset(d.law[row], d.V[row]),
                                shifted_reaction(d.law[row], R[row]), d.law[row].friction, velocity,
                                force));
  return worst;
}

/// Minimum of R.W R / 2 + R.q over the cones, by projected gradients with the step 1 / |W|, until R
/// stays what it is to the last digits: slow and plain.
inline std::vector<Vec3> minimum_over_cones(const Eigen::MatrixXd& W, const Eigen::VectorXd& q,
                                            const std::vector<double>& friction) {
  const double step =
      1 / Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(W).eigenvalues().maxCoeff();
  Eigen::VectorXd R = Eigen::VectorXd::Zero(q.size());
  for (int k = 0; k < 1000000; k++) {
    Eigen::VectorXd next = R - step * (W * R + q);
    for (int row = 0; row < static_cast<int>(friction.size()); row++)
      next.segment<3>(3 * row) =
          project_on_friction_cone(Vec3(next.segment<3>(3 * row)), friction[row]);
    const double change = (next - R).norm();
    R = next;
    if (change <= 1e-16 * R.norm()) break;
  }
  std::vector<Vec3> rows;
  for (int row = 0; row < static_cast<int>(friction.size()); row++)
    rows.emplace_back(R.segment<3>(3 * row));
  return rows;
}

}  // namespace solfec::testing
