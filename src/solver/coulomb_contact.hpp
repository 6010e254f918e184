// A contact of Signorini and Coulomb with everything else held fixed (diagonal_solver.hpp), or
// several of them in the lanes of a register.
//
// In each state of the contact (open, sticking, sliding) the law is a smooth system: the active-set
// form of a semismooth Newton method. Open and sticking are linear; sliding is reduced to one
// unknown. With U_N = 0 the normal reaction follows from S_T, and U_T = Wt S_T + bt with the 2 x 2
// Schur complement Wt. Sliding means U_T = -lambda S_T, that is (Wt + lambda) S_T = -bt, and lambda
// > 0 is the root of mu S_N / |S_T| = 1; lambda = 0 is the sticking state. Written so, the equation
// is linear in lambda where Wt is isotropic and does not couple to S_N: one or two of Newton's
// steps solve it.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/vector.hpp"
#include "math/lanes.hpp"

namespace solfec {

/// The diagonal block W of a contact, with R_N eliminated.
template <class Real>
struct ContactBlock {
  Real a, b, c, d;  ///< Wt = W_TT - W_TN W_NT / W_NN
  Real wx, wy;      ///< W_TN
  Real vx, vy;      ///< W_NT / W_NN
  Real normal;      ///< W_NN
  Real compliance;  ///< 1 / W_NN
  Real inverse;     ///< 1 / det Wt

  VectorOf<Real> times(const VectorOf<Real>& S) const {
    const Real q = vx * S.x + vy * S.y + S.z;
    return {a * S.x + b * S.y + wx * q, c * S.x + d * S.y + wy * q, normal * q};
  }
  /// <W^-1 C, C>, of a symmetric W
  Real inverse_square(const VectorOf<Real>& C) const {
    const Real x = C.x - vx * C.z, y = C.y - vy * C.z;
    return (d * x * x - (b + c) * x * y + a * y * y) * inverse + C.z * C.z * compliance;
  }
  Real trace() const { return a + d + wx * vx + wy * vy + normal; }
};

inline ContactBlock<double> contact_block(const Mat3& W) {
  ContactBlock<double> block;
  block.normal = W(2, 2);
  block.compliance = 1 / W(2, 2);
  block.wx = W(0, 2);
  block.wy = W(1, 2);
  // Blocks from files are not always symmetric to the last digit, and U is to vanish by W as it is.
  block.vx = W(2, 0) * block.compliance;
  block.vy = W(2, 1) * block.compliance;
  block.a = W(0, 0) - block.wx * block.vx;
  block.b = W(0, 1) - block.wx * block.vy;
  block.c = W(1, 0) - block.wy * block.vx;
  block.d = W(1, 1) - block.wy * block.vy;
  block.inverse = 1 / (block.a * block.d - block.b * block.c);
  return block;
}

/// That of a contact of balls, W = diag (a, a, normal).
template <class Real>
struct BallContact {
  Real a, normal;
  Real inverse, compliance;  ///< of these

  VectorOf<Real> times(const VectorOf<Real>& S) const { return {a * S.x, a * S.y, normal * S.z}; }
  Real inverse_square(const VectorOf<Real>& C) const {
    return (C.x * C.x + C.y * C.y) * inverse + C.z * C.z * compliance;
  }
  Real trace() const { return 2.0 * a + normal; }
};

/// A reaction with U_N = 0, or one in each lane.
template <class Real>
struct PressedContact {
  Real x, y, z;       ///< S
  Real square, size;  ///< of S_T
  Real excess;        ///< mu S_N - |S_T|
};

/// S from (Wt + lambda) S_T = -bt.
template <class Real>
class SlidingEquation {
 public:
  /// `B` is what the rest of the system gives to the contact.
  SlidingEquation(const ContactBlock<Real>& W, const VectorOf<Real>& B, const Real& friction)
      : w(W), mu(friction), n0(-B.z * w.compliance), bx(B.x + w.wx * n0), by(B.y + w.wy * n0) {}

  PressedContact<Real> stick() const { return state(w.a, w.d, w.inverse); }
  /// lambda of an isotropic contact.
  Real isotropic_lambda() const {
    using std::sqrt;
    return sqrt(bx * bx + by * by) / (mu * n0) - 0.5 * (w.a + w.d);
  }
  /// Finds S in all lanes but those where it is `found`, from a first lambda. Returns where it is.
  MaskOf<Real> solve(MaskOf<Real> found, Real lambda, double epsilon, int max_iterations,
                     VectorOf<Real>& S) const;

  const ContactBlock<Real>& w;
  Real mu;
  Real n0;      ///< S_N without S_T
  Real bx, by;  ///< bt

 private:
  // Of a + lambda, d + lambda and 1 / det (Wt + lambda).
  PressedContact<Real> state(const Real& a, const Real& d, const Real& inverse) const {
    using std::sqrt;
    PressedContact<Real> s;
    s.x = (w.b * by - d * bx) * inverse;
    s.y = (w.c * bx - a * by) * inverse;
    s.z = n0 - (w.vx * s.x + w.vy * s.y);
    s.square = s.x * s.x + s.y * s.y;
    s.size = sqrt(s.square);
    s.excess = mu * s.z - s.size;
    return s;
  }
};

/// What |S_T| is multiplied by to be at most at the bound, to the last bit.
template <class Real>
Real clip_to_bound(const Real& size, const Real& bound) {
  constexpr double kInside = 1 - 4 * std::numeric_limits<double>::epsilon();
  const Real inside = kInside * bound;
  return choose(size > inside, Real(inside / size), Real(1.0));
}

// Newton's steps for mu S_N / |S_T| = 1, within a bracket that closes on lambda.
template <class Real>
MaskOf<Real> SlidingEquation<Real>::solve(MaskOf<Real> found, Real lambda, double epsilon,
                                          int max_iterations, VectorOf<Real>& S) const {
  using std::experimental::all_of, std::max;
  constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();
  const MaskOf<Real> sought = !found;
  Real low = 0.0, high = std::numeric_limits<double>::infinity(), size = 1.0;
  for (int i = 0; i < max_iterations; i++) {
    const Real a = w.a + lambda, d = w.d + lambda, inverse = 1.0 / (a * d - w.b * w.c);
    const PressedContact<Real> s = state(a, d, inverse);
    low = choose(s.excess < 0.0, lambda, low);
    high = choose(s.excess < 0.0, high, lambda);
    const Real gx = (d * s.x - w.b * s.y) * inverse, gy = (a * s.y - w.c * s.x) * inverse;
    const Real slope =  // g = -dS_T / dlambda
        mu * ((w.vx * gx + w.vy * gy) * s.square + s.z * (s.x * gx + s.y * gy));
    const Real newton = lambda - s.excess * s.square / slope;
    const Real middle = choose(high > std::numeric_limits<double>::max(),
                               Real(4.0 * lambda + w.a + w.d), Real(0.5 * (low + high)));
    const Real next = choose(newton > low && newton < high, newton, middle);
    // Between two neighbouring numbers the bracket has closed. NaN never ends.
    const MaskOf<Real> closed = next == lambda || next == low || next == high;
    // What comes in is the lambda of the sweep before: taken for a solution while it is none, it
    // would never change.
    const double enough = i > 0 ? max(epsilon, kRounding) : kRounding;
    const MaskOf<Real> exact = max(s.excess, Real(-s.excess)) <= enough * s.size;
    const MaskOf<Real> ends = !found && s.size >= 0.0 && (exact || closed);
    S = {choose(ends, s.x, S.x), choose(ends, s.y, S.y), choose(ends, s.z, S.z)};
    size = choose(ends, s.size, size);
    found = found || ends;
    if (all_of(found)) break;
    lambda = next;
  }
  const Real clip = choose(sought, clip_to_bound(size, Real(mu * S.z)), Real(1.0));
  const MaskOf<Real> pressed = !sought || S.z > 0.0;
  S = {choose(pressed, Real(clip * S.x), Real(0.0)), choose(pressed, Real(clip * S.y), Real(0.0)),
       choose(pressed, S.z, Real(0.0))};
  return found;
}

/// S, from what the rest of the system gives to the contact (B), the S before, and its U; the
/// relative accuracy of the sliding state is `epsilon`. Returns where S was found.
template <class Real>
MaskOf<Real> solve_contact(const ContactBlock<Real>& w, const VectorOf<Real>& B, const Real& mu,
                           const VectorOf<Real>& U, double epsilon, int max_iterations,
                           VectorOf<Real>& S) {
  using std::experimental::all_of, std::max;
  const SlidingEquation<Real> equation(w, B, mu);
  const Real zero = 0.0;
  const MaskOf<Real> open = B.z >= 0.0, no_tangent = open || (mu == 0.0 && B.z < 0.0);
  const PressedContact<Real> stick = equation.stick();
  const MaskOf<Real> slides = !no_tangent && !(stick.excess >= 0.0);
  // Where Wt is isotropic to rounding, and does not couple to S_N, sliding only shortens S_T.
  constexpr double kRounding = 1e-28;  // of squares
  const Real trace = w.a + w.d, difference = w.a - w.d;
  const MaskOf<Real> isotropic =
      difference * difference + w.b * w.b + w.c * w.c < kRounding * trace * trace &&
      w.vx * w.vx + w.vy * w.vy < kRounding;
  const Real shorter = clip_to_bound(stick.size, Real(mu * stick.z));
  const VectorOf<Real> before = S;
  S.x = choose(no_tangent, zero, Real(stick.x * shorter));
  S.y = choose(no_tangent, zero, Real(stick.y * shorter));
  S.z = choose(open, zero, choose(no_tangent, equation.n0, stick.z));
  // NaN is not found.
  const MaskOf<Real> shortened = isotropic && stick.excess < 0.0 && stick.z > 0.0;
  const MaskOf<Real> found = !slides || shortened;
  if (all_of(found)) return found;

  // From the sliding state before, or from that of an isotropic contact.
  const Real square = before.x * before.x + before.y * before.y;
  const Real against = -(U.x * before.x + U.y * before.y);
  const MaskOf<Real> slid = against > 0.0 && square > 0.0;
  const Real lambda = choose(slid, Real(against / square), equation.isotropic_lambda());
  return equation.solve(found, max(zero, lambda), epsilon, max_iterations, S);
}

/// The same of a contact of balls, whose S_T sliding only shortens.
template <class Real>
MaskOf<Real> solve_contact(const BallContact<Real>& w, const VectorOf<Real>& B, const Real& mu,
                           VectorOf<Real>& S) {
  using std::sqrt;
  const Real zero = 0.0, x = -B.x * w.inverse, y = -B.y * w.inverse;
  const MaskOf<Real> open = B.z >= 0.0;
  const Real normal = choose(open, zero, Real(-B.z * w.compliance));
  const Real shorter =
      choose(open, zero, clip_to_bound(Real(sqrt(x * x + y * y)), Real(mu * normal)));
  S = {shorter * x, shorter * y, normal};
  // NaN is not found.
  return S.x - S.x == 0.0 && S.y - S.y == 0.0 && S.z - S.z == 0.0;
}

}  // namespace solfec
