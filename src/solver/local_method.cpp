#include "solver/local_method.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solver/diagonal_solver.hpp"
#include "solver/projection_method.hpp"

namespace solfec {
namespace {

constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();

// G(S) = 0 by Newton's method, with or without a search along each step.
Vec3 newton(const LocalSettings& settings, const LocalContact& c, const Vec3& R) {
  const ContactSteps steps = contact_steps(settings.map, c.W);
  const Vec3 lift(0, 0, c.cohesion);
  const Vec3 q = c.q + c.offset - c.W * lift;  // Ubar at S = 0
  const auto map = [&](const Vec3& S) {
    return contact_map(settings.map, c.friction, c.W * S + q, S, steps);
  };
  const double enough = std::max(settings.tolerance, kRounding) * steps.normal * q.norm();
  Vec3 S = R + lift;
  RowLinearization l = map(S);
  for (int k = 0; k < LocalSettings::kMostIterations && !(l.C.norm() <= enough); k++) {
    const Vec3 step = -(l.X * c.W + l.Y).fullPivLu().solve(l.C);
    if (!step.allFinite()) break;
    const Vec3 start = S;
    const double square = l.C.squaredNorm();
    // Of |G|^2 / 2, with the slope -|G|^2.
    search_along(settings.search, 0.5 * square, -square, [&](double t) {
      S = start + t * step;
      l = map(S);
      return 0.5 * l.C.squaredNorm();
    });
    if (S == start) break;
  }
  if (!S.allFinite()) S = R + lift;
  return S - lift;
}

double longest_step(const Mat3& W) { return contact_steps(ContactMap::natural, W).normal; }

Vec3 one_projection(const LocalContact& c, const Vec3& R) {
  const Vec3 F = c.inequality.map(c.row, c.W * R + c.q);
  return c.inequality.project(c.row, R - longest_step(c.W) * F);
}

// The method of projection_method.hpp on one row.
Vec3 adaptive_projections(double tolerance, const LocalContact& c, Vec3 R) {
  constexpr ProjectionSettings kRule;
  constexpr int kMostTrials = 50;
  double rho = longest_step(c.W);
  const double enough = std::max(tolerance, kRounding) * rho * (c.q + c.offset).norm();
  Vec3 F = c.inequality.map(c.row, c.W * R + c.q);
  for (int k = 0; k < LocalSettings::kMostIterations; k++) {
    double r = 0;
    Vec3 next, next_F;
    for (int trial = 0; trial < kMostTrials; trial++) {
      next = c.inequality.project(c.row, R - rho * F);
      next_F = c.inequality.map(c.row, c.W * next + c.q);
      const double change = (next - R).norm();
      r = change > 0 ? rho * (next_F - F).norm() / change : 0;
      if (r <= kRule.L) break;
      rho *= kRule.nu * std::min(1.0, 1 / r);
    }
    const bool done = (next - R).norm() <= enough;
    R = next;
    F = next_F;
    if (done) break;
    if (r < kRule.L_min) rho /= kRule.nu;
  }
  return R;
}

Vec3 exact(double tolerance, const LocalContact& c, const Vec3& R) {
  const Vec3 lift(0, 0, c.cohesion);
  const DiagonalProblem problem{c.W, c.W_inverse, c.q + c.offset - c.W * lift, c.friction};
  Vec3 S = R + lift;
  if (solve_diagonal(DiagonalSolver::semismooth_newton, problem, tolerance,
                     LocalSettings::kMostIterations, S) != DiagonalStatus::ok)
    return adaptive_projections(tolerance, c, R);
  return S - lift;
}

Vec3 normal(const LocalContact& c, Vec3 R) {
  R.z() = 0;
  const double U_N = c.W.row(2).dot(R) + c.q.z() + c.offset.z();
  if (c.W(2, 2) > 0) R.z() = std::max(-U_N / c.W(2, 2), -c.cohesion);
  return R;
}

}  // namespace

Vec3 solve_contact(const LocalSettings& settings, const LocalContact& contact, const Vec3& R) {
  switch (settings.method) {
    case LocalMethod::newton:
      return contact.inequality.project(contact.row, newton(settings, contact, R));
    case LocalMethod::one_projection:
      return one_projection(contact, R);
    case LocalMethod::adaptive_projections:
      return adaptive_projections(settings.tolerance, contact, R);
    case LocalMethod::normal:
      return normal(contact, R);
    case LocalMethod::exact:
      break;
  }
  return contact.inequality.project(contact.row, exact(settings.tolerance, contact, R));
}

}  // namespace solfec
