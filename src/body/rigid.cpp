#include "body/rigid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "body/dof_views.hpp"
#include "core/error.hpp"
#include "math/decompositions.hpp"
#include "math/line_search.hpp"
#include "math/rotation.hpp"

namespace solfec {
namespace {

// A family of equations for the rotation vector y = h w, 0 <= s <= 1:
//
//   J y = exp(-s y / 2) A(s),   A(s) = exp(-s z / 2) (J y0 + s D)
//
// with D such that A(1) is the given h a. At s = 0 it is solved by y0 alone. With z = y0 it is, for
// a free body, the motion of the first step with its length growing from zero, and D = 0; with
// z = 0 the right side changes linearly.
class RotationEquation {
 public:
  RotationEquation(const Mat3& J, const Vec3& y0, const Vec3& A1, const Vec3& z)
      : J_(J), y0_(y0), z_(z), A0_(J * y0), D_(exponential(0.5 * z) * A1 - A0_), size_(A1.norm()) {}

  const Vec3& start() const { return y0_; }
  Vec3 residual(const Vec3& y, double s) const { return J_ * y - turned(y, s); }

  /// Derivative by y: the right side changes by  skew(right side) (s / 2) T(s y / 2) dy.
  Mat3 tangent(const Vec3& y, double s) const {
    return J_ - skew(turned(y, s)) * (0.5 * s * exponential_jacobian(0.5 * s * y));
  }
  Vec3 derivative_by_s(const Vec3& y, double s) const {
    const Mat3 E = exponential(-0.5 * s * z_);
    const Vec3 rate = E * D_ - 0.5 * z_.cross(E * (A0_ + s * D_));
    return 0.5 * y.cross(turned(y, s)) - exponential(-0.5 * s * y) * rate;
  }
  /// What rounding leaves of the residual: the angle |y| / 2 is known to its own last digit.
  double rounding(const Vec3& y) const { return kRounding * (10 + y.norm()) * size_; }
  /// What a solution may leave of it.
  double tolerance() const { return kImplicitRotationAccuracy * size_; }

 private:
  Vec3 turned(const Vec3& y, double s) const {
    return exponential(-0.5 * s * y) * (exponential(-0.5 * s * z_) * (A0_ + s * D_));
  }

  static constexpr double kRounding = 1e-14;  // of an angle of 1, with room

  const Mat3& J_;
  const Vec3 y0_, z_, A0_, D_;
  const double size_;
};

// Damped Newton iteration at s = 1, to the level of rounding; nothing when it stalls above the
// tolerance.
std::optional<Vec3> newton(const RotationEquation& equation, Vec3 y) {
  Vec3 r = equation.residual(y, 1);
  const auto goal = [&] { return std::min(0.1 * equation.rounding(y), equation.tolerance()); };
  constexpr int kMost = 50;
  constexpr double kShortest = 1e-4;  // part of a step
  for (int i = 0; i < kMost && r.norm() > goal(); i++) {
    const Vec3 step = solve_general(equation.tangent(y, 1), r);
    double scale = 1;
    Vec3 next = y - step, next_r = equation.residual(next, 1);
    while (!(next_r.norm() < (1 - kSufficientChange * scale) * r.norm()) && scale > kShortest) {
      scale *= 0.5;
      next = y - scale * step;
      next_r = equation.residual(next, 1);
    }
    if (!(next_r.norm() < r.norm())) break;
    y = next;
    r = next_r;
  }
  if (r.norm() <= equation.tolerance()) return y;
  return std::nullopt;
}

// Follows the solution from s = 0, where it is known and the only one, to s = 1 by its arc length,
// so that it may turn back in s on its way. It cannot end before: |J y| is bounded, and there is no
// other solution at s = 0 to which it could return.
class SolutionPath {
 public:
  explicit SolutionPath(const RotationEquation& equation)
      : equation_(equation), tangent_(Vec4::Unit(3)) {
    const Vec3& y = equation.start();
    at_ = Vec4(y.x(), y.y(), y.z(), 0);
    tangent_ = tangent(at_);
  }

  std::optional<Vec3> follow() {
    constexpr int kMostSteps = 20000;
    constexpr double kShortest = 1e-12;  // arc, of angles
    double length = 0.1;
    for (int i = 0; i < kMostSteps && length > kShortest; i++) {
      const std::optional<Vec4> next = corrected(at_ + length * tangent_);
      if (!next || !moves_on(*next, length)) {
        length *= 0.5;
        continue;
      }
      if ((*next)[3] >= 1) {
        const double part = (1 - at_[3]) / ((*next)[3] - at_[3]);
        const Vec4 end = at_ + part * (*next - at_);
        if (const auto y = newton(equation_, end.head<3>())) return y;
        length *= 0.5;
        continue;
      }
      tangent_ = tangent(*next);
      at_ = *next;
      length = std::min(1.5 * length, 1.0);
    }
    return std::nullopt;
  }

 private:
  using Vec4 = Eigen::Vector4d;
  using Mat4 = Eigen::Matrix4d;

  // Derivative by (y, s), with the present tangent as the last row.
  Mat4 bordered(const Vec4& z) const {
    Mat4 D;
    D.topLeftCorner<3, 3>() = equation_.tangent(z.head<3>(), z[3]);
    D.topRightCorner<3, 1>() = equation_.derivative_by_s(z.head<3>(), z[3]);
    D.bottomRows<1>() = tangent_.transpose();
    return D;
  }
  // Unit tangent, in the sense of the present one.
  Vec4 tangent(const Vec4& z) const {
    return bordered(z).fullPivLu().solve(Vec4::Unit(3)).normalized();
  }
  // Newton iteration across the tangent.
  std::optional<Vec4> corrected(Vec4 z) const {
    double last = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 8; i++) {
      Vec4 r = Vec4::Zero();
      r.head<3>() = equation_.residual(z.head<3>(), z[3]);
      if (r.norm() <= 100 * equation_.rounding(z.head<3>())) return z;
      const Vec4 step = bordered(z).fullPivLu().solve(r);
      if (!(step.norm() < 0.5 * last)) return std::nullopt;
      last = step.norm();
      z -= step;
    }
    return std::nullopt;
  }
  // Whether the path bends little enough on the way to be the same one.
  bool moves_on(const Vec4& next, double length) const {
    constexpr double kBend = 0.9;
    return (next - at_).norm() < 1.5 * length && tangent(next).dot(tangent_) > kBend;
  }

  const RotationEquation equation_;
  Vec4 at_, tangent_;
};

}  // namespace

// All schemes are w' = w + h J^-1 (T + r) then.
bool is_isotropic(const Mat3& J) {
  constexpr double kRounding = 1e-14;
  Mat3 rest = J;
  rest.diagonal().array() -= J(0, 0);
  return rest.cwiseAbs().maxCoeff() <= kRounding * J(0, 0);
}

std::optional<Vec3> solve_implicit_rotation(const Mat3& J, const Vec3& a, double h,
                                            const Vec3& start) {
  if (a.norm() == 0) return Vec3(Vec3::Zero());
  const RotationEquation straight(J, h * start, h * a, Vec3::Zero());
  std::optional<Vec3> y = newton(straight, h * start);
  if (!y) y = SolutionPath(straight).follow();
  if (!y) y = SolutionPath(RotationEquation(J, h * start, h * a, h * start)).follow();
  if (!y) return std::nullopt;
  return Vec3(*y / h);
}

namespace {

[[noreturn]] void report_failure(const BodyStore& bodies, int i, double angle) {
  throw RunError(
      fmt::format("RIG_IMP: no rotation of {} is found to {:g}; it turns by about {:.2g} radians "
                  "in this step: reduce the step of SOLFEC. If it should turn by much less, its "
                  "motion has run away: a light body that large reactions turn to and fro with the "
                  "frequency omega needs steps below 2 / omega, whatever the scheme",
                  bodies.name(i), kImplicitRotationAccuracy, angle));
}

}  // namespace

void rigid_move(BodyStore& bodies, int i, double duration) {
  const auto w = angular_part(bodies.u(i)), v = rigid_linear_part(bodies.u(i));
  bodies.gradient(i) = bodies.gradient(i) * exponential(duration * w);
  bodies.center(i) += duration * v;
}

void rigid_free_velocity(BodyStore& bodies, int i, double h) {
  const Inertia& inertia = bodies.inertia(i);
  const auto w = angular_part(bodies.u(i)), v = rigid_linear_part(bodies.u(i));
  const auto T = angular_part(bodies.f(i)), f = rigid_linear_part(bodies.f(i));
  rigid_linear_part(bodies.b(i)) = v + h * inertia.inverse_mass * f;
  auto b = angular_part(bodies.b(i));
  b = w + h * (inertia.inverse * T);
  if (is_isotropic(inertia.tensor)) return;
  const Vec3 mid =
      inertia.inverse * (exponential(-0.5 * h * w) * (inertia.tensor * w) + 0.5 * h * T);
  b -= h * (inertia.inverse * mid.cross(inertia.tensor * mid));
}

RigidEnd rigid_end(const BodyStore& bodies, int i, double h, const double* reaction) {
  const Inertia& inertia = bodies.inertia(i);
  const auto w = angular_part(bodies.u(i)), T = angular_part(bodies.f(i)),
             r = angular_part(reaction);
  RigidEnd end;
  end.v = rigid_linear_part(bodies.b(i)) + h * inertia.inverse_mass * rigid_linear_part(reaction);
  const Vec3 w1 = angular_part(bodies.b(i)) + h * (inertia.inverse * r);
  end.w = end.turn = w1;
  const Scheme scheme = bodies[i].scheme;
  if (scheme == Scheme::rig_pos || is_isotropic(inertia.tensor)) return end;
  const Vec3 a = exponential(-0.5 * h * w) * (inertia.tensor * w) + h * (T + r);
  if (scheme == Scheme::rig_neg) {
    end.w = inertia.inverse * (exponential(-0.5 * h * w1) * a);
    return end;
  }
  const Vec3 start = w + h * (inertia.inverse * (T + r));
  const auto solved = solve_implicit_rotation(inertia.tensor, a, h, start);
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  end.w = end.turn = solved ? *solved : Vec3(Vec3::Constant(kNone));
  end.angle = h * start.norm();
  return end;
}

void rigid_end_step(BodyStore& bodies, int i, double h, const double* reaction) {
  const RigidEnd end = rigid_end(bodies, i, h, reaction);
  if (std::isfinite(end.angle) && !end.w.allFinite()) report_failure(bodies, i, end.angle);
  angular_part(bodies.u(i)) = end.w;
  rigid_linear_part(bodies.u(i)) = end.v;
  bodies.center(i) += 0.5 * h * end.v;
  bodies.gradient(i) = reorthogonalised(bodies.gradient(i) * exponential(0.5 * h * end.turn));
}

}  // namespace solfec
