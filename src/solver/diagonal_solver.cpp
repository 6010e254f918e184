#include "solver/diagonal_solver.hpp"

#include <cmath>
#include <limits>

#include "math/line_search.hpp"

namespace solfec {
namespace {

// What sliding demands at the multiplier lambda, see below.
struct Sliding {
  Vec2 T;
  double N;
  double excess;  // mu S_N / |S_T| - 1
  double slope;   // its derivative
};

// The active-set form of the semismooth Newton method: in each state of the contact (open,
// sticking, sliding) the law is a smooth system. Open and sticking are linear, one step solves
// them; sliding is reduced to one unknown. With U_N = 0 the normal reaction follows from S_T, and
// U_T = Wt S_T + bt with the 2 x 2 Schur complement Wt. Sliding means U_T = -lambda S_T, that is
// (Wt + lambda) S_T = -bt, and lambda > 0 is the root of mu S_N / |S_T| = 1. Written so, the
// equation is linear in lambda where Wt is isotropic and does not couple to S_N: one or two of
// Newton's steps solve it.
DiagonalStatus semismooth_newton(const DiagonalProblem& p, double epsilon, int max_iterations,
                                 Vec3& S) {
  if (p.B.z() >= 0) {  // open
    S.setZero();
    return DiagonalStatus::ok;
  }
  const Vec3 stick = -(p.W_inverse * p.B);
  const double mu = p.friction;
  if (stick.z() >= 0 && tangent_norm(stick) <= mu * stick.z()) {
    S = stick;
    return DiagonalStatus::ok;
  }
  const double compliance = 1 / p.W(2, 2);
  const double n0 = -p.B.z() * compliance;
  if (mu == 0) {
    S = Vec3(0, 0, n0);
    return DiagonalStatus::ok;
  }
  // Blocks from files are not always symmetric to the last digit, and U is to vanish by W as it is.
  const Vec2 w = p.W.topRightCorner<2, 1>();                             // W_TN
  const Vec2 v = p.W.bottomLeftCorner<1, 2>().transpose() * compliance;  // W_NT / W_NN
  const double a = p.W(0, 0) - w.x() * v.x(), b = p.W(0, 1) - w.x() * v.y(),
               c = p.W(1, 0) - w.y() * v.x(), d = p.W(1, 1) - w.y() * v.y();
  const Vec2 bt = p.B.head<2>() + w * n0;

  const auto slide = [&](double lambda) {
    Sliding s;
    const double pa = a + lambda, pd = d + lambda, i = 1 / (pa * pd - b * c);
    s.T = Vec2((b * bt.y() - pd * bt.x()) * i, (c * bt.x() - pa * bt.y()) * i);
    const Vec2 g((pd * s.T.x() - b * s.T.y()) * i, (pa * s.T.y() - c * s.T.x()) * i);  // -dT
    s.N = n0 - v.dot(s.T);
    const double square = s.T.squaredNorm(), size = std::sqrt(square);
    const double ratio = mu * s.N / size;
    s.excess = ratio - 1;
    s.slope = mu * v.dot(g) / size + ratio * s.T.dot(g) / square;
    return s;
  };
  // The sliding state before, or that of an isotropic contact, and a bracket that closes on it.
  double lambda = bt.norm() / (mu * n0) - 0.5 * (a + d);
  if (const double square = S.head<2>().squaredNorm(); square > 0) {
    const Vec2 U = p.W.topRows<2>() * S + p.B.head<2>();
    if (const double before = -U.dot(S.head<2>()) / square; before > 0) lambda = before;
  }
  double low = 0, high = std::numeric_limits<double>::infinity();
  lambda = std::max(lambda, 0.0);
  const double enough = std::max(epsilon, 8 * std::numeric_limits<double>::epsilon());
  for (int i = 0; i < max_iterations; i++) {
    const Sliding s = slide(lambda);
    (s.excess < 0 ? low : high) = lambda;
    double next = lambda - s.excess / s.slope;
    const double middle = std::isinf(high) ? 4 * lambda + a + d : 0.5 * (low + high);
    if (!(next > low && next < high)) next = middle;
    // Between two neighbouring numbers the bracket has closed.
    if (std::abs(s.excess) <= enough || next == lambda || next == low || next == high) {
      S = clip_to_friction_cone(Vec3(s.T.x(), s.T.y(), s.N), mu);
      return DiagonalStatus::ok;
    }
    lambda = next;
    if (!std::isfinite(lambda)) return DiagonalStatus::failed;
  }
  return DiagonalStatus::diverged;
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
