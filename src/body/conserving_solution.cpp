#include "body/conserving_solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "body/finite_elements.hpp"
#include "math/hessenberg.hpp"

namespace solfec {
namespace {

using Vector = Eigen::VectorXd;

// The equation of DEF_IMP for the velocity at the end of the step, given all forces but the
// internal one:  r(u') = M (u' - u) - h (force - conserving force) = 0, by Newton's method. Linear
// equations with its tangent J, which is not symmetric, are solved by GMRES, with A^-1 of the
// linearly implicit step before them; steps are halved until |A^-1 r| falls. Of a body with
// supports A^-1 is that among the other directions, which all corrections are in.
class ConservingSolution {
 public:
  ConservingSolution(const BodyStore& bodies, int i, FiniteElements& fe, const double* force,
                     double h)
      : fe_(fe),
        n_(bodies.dofs(i)),
        u_(Eigen::Map<const Vector>(bodies.u(i), n_)),
        force_(force),
        eta_(bodies[i].damping),
        h_(h),
        start_(Eigen::Map<const Vector>(bodies.x(i), n_) - 0.5 * h * u_) {}

  // False when it does not converge.
  bool solve(Vector& next) {
    constexpr int kMost = 50;
    // Of a velocity's scale: where the iteration ends; good enough where no step leads on.
    constexpr double kExact = 1e-13, kGood = 1e-12;
    // What rounding of positions leaves in stiff modes.
    const double noise = 16 * std::numeric_limits<double>::epsilon() * start_.norm() / h_;
    Vector change = residual(next);
    const double scale = std::max({u_.norm(), next.norm(), change.norm()});
    for (int k = 0; k < kMost; k++) {
      const double size = change.norm();
      if (size <= kExact * scale + noise) {
        next -= change;
        return true;
      }
      const Vector step = newton_step(next, change);
      double part = 1;
      Vector trial = next - step, left = residual(trial);
      while (!(left.norm() <= (1 - 0.25 * part) * size) && part > kLeast) {
        part *= 0.5;
        trial = next - part * step;
        left = residual(trial);
      }
      // What rounding leaves.
      if (part <= kLeast) return size <= kGood * scale + 16 * noise;
      next = trial;
      change = left;
    }
    return false;
  }

  // r
  Vector imbalance(const Vector& next) const {
    const Vector end = start_ + 0.5 * h_ * (u_ + next);
    const Vector mean = 0.5 * (u_ + next);
    Vector r = fe_.times_mass(next - u_);
    for (Eigen::Index k = 0; k < n_; k++) r[k] -= h_ * force_[k];
    fe_.elastic().add_conserving_force(start_.data(), end.data(), mean.data(), eta_, h_, r.data());
    return r;
  }

 private:
  static constexpr double kLeast = 1e-3;  // part of a step

  Vector preconditioned(Vector r) const {
    fe_.solve(nullptr, r.data());
    return r;
  }

  // A^-1 r
  Vector residual(const Vector& next) const { return preconditioned(imbalance(next)); }

  // A^-1 J v
  Vector tangent(const Vector& next, const Vector& v) const {
    const Vector end = start_ + 0.5 * h_ * (u_ + next);
    const Vector mean = 0.5 * (u_ + next), dx = 0.5 * h_ * v, dw = 0.5 * v;
    Vector r = fe_.times_mass(v);
    fe_.elastic().add_conserving_tangent(start_.data(), end.data(), mean.data(), eta_, dx.data(),
                                         dw.data(), h_, r.data());
    return preconditioned(r);
  }
  // GMRES: the s of the Krylov space for which |A^-1 (J s - r)| is least.
  Vector newton_step(const Vector& next, const Vector& rhs) const {
    constexpr int kMost = 60;
    constexpr double kTolerance = 1e-3, kBreakdown = 1e-14;  // of the right side
    const double size = rhs.norm();
    std::vector<Vector> basis = {rhs / size};
    HessenbergLeastSquares H(kMost, size);
    for (int k = 0; k < kMost; k++) {
      Vector w = tangent(next, basis.back());
      Vector column(k + 2);
      for (int j = 0; j <= k; j++) {
        const Vector& v = basis[static_cast<std::size_t>(j)];
        column[j] = v.dot(w);
        w -= column[j] * v;
      }
      const double rest = column[k + 1] = w.norm();
      if (H.add_column(column) <= kTolerance * size || rest <= kBreakdown * size) break;
      basis.push_back(w / rest);
    }
    const Vector y = H.solution();
    Vector s = Vector::Zero(n_);
    for (Eigen::Index j = 0; j < y.size(); j++) s += y[j] * basis[static_cast<std::size_t>(j)];
    return s;
  }

  // Own vectors are aligned: their norms do not depend on where they lie in memory.
  FiniteElements& fe_;
  Eigen::Index n_;
  Vector u_;
  const double* force_;
  double eta_, h_;
  Vector start_;
};

}  // namespace

bool solve_conserving(const BodyStore& bodies, int i, double h, const Vector& force, Vector& next) {
  return ConservingSolution(bodies, i, bodies.finite_elements(i), force.data(), h).solve(next);
}

void set_conserving_impulses(BodyStore& bodies, int i, double h, const Vector& force,
                             const Vector& next) {
  const auto supports = bodies.supports(i);
  if (supports.empty()) return;
  const Vector r =
      ConservingSolution(bodies, i, bodies.finite_elements(i), force.data(), h).imbalance(next);
  for (NodeSupport& s : supports) s.impulse = s.held(node_part(r.data(), s.node));
}

std::string no_conserving_motion(const BodyStore& bodies, int i) {
  return fmt::format(
      "DEF_IMP: no motion of {} is found; reduce the step of SOLFEC, or give the body the scheme "
      "DEF_LIM",
      bodies.name(i));
}

}  // namespace solfec
