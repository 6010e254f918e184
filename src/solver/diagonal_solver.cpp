#include "solver/diagonal_solver.hpp"

#include <cmath>
#include <limits>

#include "math/line_search.hpp"
#include "solver/coulomb_contact.hpp"

namespace solfec {
namespace {

DiagonalStatus semismooth_newton(const DiagonalProblem& p, double epsilon, int max_iterations,
                                 Vec3& S) {
  // In a block that is singular to rounding W_inverse says what sticks.
  const Vec3 stick = -(p.W_inverse * p.B);
  if (p.B.z() < 0 && stick.z() >= 0 && tangent_norm(stick) <= p.friction * stick.z()) {
    S = stick;
    return DiagonalStatus::ok;
  }
  VectorOf<double> s{S.x(), S.y(), S.z()};
  const Vec3 U = p.W * S + p.B;
  const bool found =
      solve_contact<double>(contact_block(p.W), {p.B.x(), p.B.y(), p.B.z()}, p.friction,
                            {U.x(), U.y(), U.z()}, epsilon, max_iterations, s);
  S = Vec3(s.x, s.y, s.z);
  if (found) return DiagonalStatus::ok;
  return p.B.allFinite() ? DiagonalStatus::diverged : DiagonalStatus::failed;
}

double largest_eigenvalue(const Mat3& W) {
  // Gershgorin's bound: enough to scale a gradient step.
  return W.cwiseAbs().rowwise().sum().maxCoeff();
}

bool settled(const Vec3& before, const Vec3& after, double epsilon) {
  return (after - before).norm() <= epsilon * after.norm();
}

// Normal and tangential reactions are projected in turn: S_N on the half line, S_T on the disc of
// Coulomb's law for the S_N found.
DiagonalStatus projected_gradient(const DiagonalProblem& p, double epsilon, int max_iterations,
                                  Vec3& S) {
  const double rho = 1 / largest_eigenvalue(p.W);
  for (int i = 0; i < max_iterations; i++) {
    const Vec3 U = p.W * S + p.B;
    Vec3 next = S - rho * U;
    next.z() = std::max(next.z(), 0.0);
    const double size = tangent_norm(next), bound = p.friction * next.z();
    if (size > bound) next.head<2>() *= bound / size;
    const bool done = settled(S, next, epsilon);
    S = next;
    if (done) return DiagonalStatus::ok;
  }
  return DiagonalStatus::diverged;
}

// Uzawa iteration on the bipotential (De Saxce and Feng 1998): the reaction minus rho (U_T, U_N +
// mu |U_T|) is projected on the cone. A step that went the wrong way halves rho.
DiagonalStatus de_saxce_feng(const DiagonalProblem& p, double epsilon, int max_iterations,
                             Vec3& S) {
  const double longest = 1 / largest_eigenvalue(p.W);
  double rho = longest, last = -1;
  for (int i = 0; i < max_iterations; i++) {
    const Vec3 U = p.W * S + p.B;
    const Vec3 F(U.x(), U.y(), U.z() + p.friction * tangent_norm(U));
    const Vec3 next = project_on_friction_cone(S - rho * F, p.friction);
    const double move = (next - S).norm() / rho;
    if (last >= 0 && move > 1.5 * last) rho *= 0.5;
    last = move;
    const bool done = settled(S, next, epsilon * rho / longest);  // short steps prove nothing
    S = next;
    if (done) return DiagonalStatus::ok;
  }
  return DiagonalStatus::diverged;
}

// Newton steps on C(S) = F + m(S / rho - F) (the manual's equation 8.9, reactions scaled to
// velocities), each projected back on the cone and shortened until |C| falls.
DiagonalStatus projected_newton(const DiagonalProblem& p, double epsilon, int max_iterations,
                                Vec3& S) {
  const double mu = p.friction, scale = p.W(2, 2);
  const auto value = [&](const Vec3& s, Vec3& U) -> Vec3 {
    U = p.W * s + p.B;
    const Vec3 F(U.x(), U.y(), U.z() + mu * tangent_norm(U));
    return F + project_on_polar_cone(scale * s - F, mu);
  };
  Vec3 U;
  Vec3 C = value(S, U);
  for (int i = 0; i < max_iterations; i++) {
    const double slip = tangent_norm(U);
    Mat3 dF = Mat3::Identity();  // dF/dU
    if (slip > 0) dF.bottomLeftCorner<1, 2>() = mu * U.head<2>().transpose() / slip;
    const Vec3 Z = scale * S - Vec3(U.x(), U.y(), U.z() + mu * slip);
    const Mat3 dm = Mat3::Identity() - friction_cone_slope(Z, mu);
    const Mat3 slope = (Mat3::Identity() - dm) * dF * p.W + scale * dm;
    const Vec3 step = slope.fullPivLu().solve(C);
    if (!step.allFinite()) return DiagonalStatus::failed;
    constexpr double kShortest = 1e-3;  // part of a step
    double length = 1;
    Vec3 next, next_C;
    for (;; length *= 0.5) {
      next = project_on_friction_cone(S - length * step, mu);
      next_C = value(next, U);
      if (next_C.norm() <= (1 - kSufficientChange * length) * C.norm() || length < kShortest) break;
    }
    const bool done = settled(S, next, epsilon);
    S = next;
    C = next_C;
    if (done) return DiagonalStatus::ok;
  }
  return DiagonalStatus::diverged;
}

}  // namespace

DiagonalStatus solve_diagonal(DiagonalSolver solver, const DiagonalProblem& problem, double epsilon,
                              int max_iterations, Vec3& S) {
  switch (solver) {
    case DiagonalSolver::semismooth_newton:
      return semismooth_newton(problem, epsilon, max_iterations, S);
    case DiagonalSolver::projected_gradient:
      return projected_gradient(problem, epsilon, max_iterations, S);
    case DiagonalSolver::de_saxce_feng:
      return de_saxce_feng(problem, epsilon, max_iterations, S);
    case DiagonalSolver::projected_newton:
      return projected_newton(problem, epsilon, max_iterations, S);
  }
  return DiagonalStatus::failed;
}

}  // namespace solfec
