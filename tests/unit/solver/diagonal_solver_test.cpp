// All four diagonal solvers on random one-contact problems of every state, judged by the law in
// plain words (support/local_problem.hpp) and compared with each other.
#include "solver/diagonal_solver.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "support/local_problem.hpp"

namespace solfec::diagonal_solver_test {
namespace {

using testing::Random;

constexpr DiagonalSolver kSolvers[] = {
    DiagonalSolver::semismooth_newton, DiagonalSolver::projected_gradient,
    DiagonalSolver::de_saxce_feng, DiagonalSolver::projected_newton};

struct Problem {
  Mat3 W, inverse;
  Vec3 B;
  double friction;

  DiagonalProblem view() const { return {W, inverse, B, friction}; }
  double violation(const Vec3& S) const {
    return testing::law_violation(W * S + B, S, friction, B.norm(), (inverse * B).norm());
  }
};

// W of a point of one or two random bodies, of any unit.
Problem random_problem(Random& random) {
  Problem p;
  Eigen::Matrix<double, 3, 12> G;
  for (int k = 0; k < 36; k++) G(k) = random.uniform(-1, 1);
  p.W = std::pow(10, random.uniform(-8, 2)) * G * G.transpose();
  p.inverse = p.W.inverse();
  p.B = std::pow(10, random.uniform(-4, 2)) * random.direction();
  p.friction = random.integer(0, 3) == 0 ? 0 : random.uniform(0.05, 1);
  return p;
}

Vec3 solve(DiagonalSolver solver, const Problem& p, const Vec3& start = Vec3::Zero()) {
  Vec3 S = start;
  const DiagonalStatus status = solve_diagonal(solver, p.view(), 1e-12, 100000, S);
  EXPECT_EQ(status, DiagonalStatus::ok) << static_cast<int>(solver);
  return S;
}

TEST(DiagonalSolver, EverySolverKeepsTheLaw) {
  Random random(1);
  int open = 0, stick = 0, slide = 0;
  for (int k = 0; k < 2000; k++) {
    const Problem p = random_problem(random);
    const Vec3 exact = solve(DiagonalSolver::semismooth_newton, p);
    const Vec3 U = p.W * exact + p.B;
    (exact.isZero(0) ? open : U.norm() < 1e-9 * p.B.norm() ? stick : slide)++;
    for (DiagonalSolver solver : kSolvers) {
      const Vec3 S = solve(solver, p);
      EXPECT_LT(p.violation(S), solver == DiagonalSolver::semismooth_newton ? 1e-11 : 1e-7)
          << static_cast<int>(solver) << " W " << p.W << " B " << p.B.transpose() << " mu "
          << p.friction;
      EXPECT_TRUE(in_friction_cone(S, p.friction, 1e-12 * S.norm()));
    }
  }
  EXPECT_GT(open, 500);
  EXPECT_GT(stick, 50);
  EXPECT_GT(slide, 300);
}

TEST(DiagonalSolver, WhatIsNotFiniteFails) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Problem p{2 * Mat3::Identity(), 0.5 * Mat3::Identity(), Vec3::Zero(), 0.5};
  Vec3 frictionless = Vec3::Zero();
  EXPECT_EQ(solve_diagonal(DiagonalSolver::semismooth_newton, {p.W, p.inverse, Vec3(1, 0, nan), 0},
                           1e-12, 100, frictionless),
            DiagonalStatus::failed);
  for (const Vec3& B : {Vec3(nan, 0, -1), Vec3(1, nan, -1), Vec3(1, 0, nan)}) {
    p.B = B;
    Vec3 S = Vec3::Zero();
    EXPECT_EQ(solve_diagonal(DiagonalSolver::semismooth_newton, p.view(), 1e-12, 100, S),
              DiagonalStatus::failed);
  }
}

TEST(DiagonalSolver, KnownStates) {
  // W = 2: S = -B / 2 when it is in the cone.
  Problem p{2 * Mat3::Identity(), 0.5 * Mat3::Identity(), Vec3::Zero(), 0.5};
  for (DiagonalSolver solver : kSolvers) {
    const auto expect = [&](const Vec3& B, double mu, const Vec3& S) {
      p.B = B;
      p.friction = mu;
      EXPECT_NEAR((solve(solver, p) - S).norm(), 0, 1e-9)
          << static_cast<int>(solver) << " B " << B.transpose() << " mu " << mu;
    };
    expect({1, 2, 3}, 0.5, {0, 0, 0});              // separating
    expect({0, 0, 3}, 0, {0, 0, 0});                // straight away, without friction
    expect({0, 0, 0}, 0.5, {0, 0, 0});              // nothing
    expect({0.3, 0.4, -2}, 0.5, {-0.15, -0.2, 1});  // sticking: 0.25 < 0.5
    expect({3, 4, -2}, 0.5, {-0.3, -0.4, 1});       // sliding
    expect({3, 4, -2}, 0, {0, 0, 1});               // without friction
    expect({0, 0, -2}, 0, {0, 0, 1});
    expect({1, 0, -2}, 0.5, {-0.5, 0, 1});  // just at the bound
  }
}

TEST(DiagonalSolver, TheStartDoesNotMatter) {
  Random random(2);
  for (int k = 0; k < 300; k++) {
    const Problem p = random_problem(random);
    const double size = (p.inverse * p.B).norm();
    for (DiagonalSolver solver : kSolvers) {
      const Vec3 S = solve(solver, p), other = solve(solver, p, size * random.in_box(3));
      EXPECT_LT(p.violation(other), 1e-7) << static_cast<int>(solver);
      EXPECT_NEAR((S - other).norm(), 0, 1e-6 * size) << static_cast<int>(solver);
    }
  }
}

TEST(DiagonalSolver, TooFewIterationsAreReported) {
  Random random(3);
  int diverged = 0;
  for (int k = 0; k < 100; k++) {
    const Problem p = random_problem(random);
    for (DiagonalSolver solver :
         {DiagonalSolver::projected_gradient, DiagonalSolver::de_saxce_feng}) {
      Vec3 S = Vec3::Zero();
      const DiagonalStatus status = solve_diagonal(solver, p.view(), 1e-12, 2, S);
      EXPECT_NE(status, DiagonalStatus::failed);
      EXPECT_TRUE(S.allFinite());
      if (status == DiagonalStatus::diverged)
        diverged++;
      else
        EXPECT_LT(p.violation(S), 1e-7);
    }
  }
  EXPECT_GT(diverged, 50);
}

// Blocks from files are symmetric to a few digits only.
TEST(DiagonalSolver, TakesBlocksThatAreNotSymmetric) {
  Random random(11);
  int slide = 0;
  for (int k = 0; k < 1000; k++) {
    Problem p = random_problem(random);
    for (double& x : p.W.reshaped()) x *= 1 + random.uniform(-0.01, 0.01);
    p.inverse = p.W.inverse();
    const Vec3 S = solve(DiagonalSolver::semismooth_newton, p);
    slide += S.z() > 0 && (p.W * S + p.B).norm() > 1e-6 * p.B.norm();
    EXPECT_LT(p.violation(S), 1e-11)
        << "W " << p.W << " B " << p.B.transpose() << " mu " << p.friction;
  }
  EXPECT_GT(slide, 100);
}

}  // namespace
}  // namespace solfec::diagonal_solver_test
