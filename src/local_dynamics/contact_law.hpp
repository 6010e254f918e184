// The law of a row, and those of contact in local components (T1, T2, N), one row at a time.
//
// Signorini-Coulomb with restitutions e, e_T, which count where V_N < 0, and cohesive force c:
//   Ubar = U + (e_T V_T, e V_N) - target,
//   0 <= R_N + c  _|_  Ubar_N >= 0,   |R_T| <= mu (R_N + c),   Ubar_T against R_T.
// With e_T = 0 this is Newton's law of impact, with e_T = e Moreau's: that never creates energy, as
//   (1 + e) (U + V).R = 2 Ubar.R - (1 - e) R.h W R,   Ubar.R <= 0.
// With S = R + (0, 0, c) and F(U) = (Ubar_T, Ubar_N + mu |Ubar_T|) this reads
//   -F in N_K(S) (De Saxce and Feng), or  C = F + m(w S - F) = 0  with m = projection on the polar
//   cone of K and any w > 0 (w = 1: manual, equation 8.9).
// The convex law (Anitescu and Tasora) is the same with F(U) = Ubar: it makes a step a convex
// programme, and a contact that slides opens with Ubar_N = mu |Ubar_T|.
// Spring-dashpot: the manual's algorithm 7.1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "math/friction_cone.hpp"

namespace solfec {

enum class LawKind : std::uint8_t {
  signorini_coulomb,
  convex_coulomb,
  spring_dashpot,
  // joint_law.hpp:
  fixed_point,
  fixed_direction,
  rigid_link,
  spring
};

/// What a solver takes contacts for.
enum class ContactLaws : std::uint8_t {
  by_model,  ///< of their materials
  springs,   ///< all are springs with dashpots
  convex     ///< those of Signorini and Coulomb have the convex law
};

struct RowLaw {
  LawKind kind = LawKind::signorini_coulomb;
  bool ahead = false;  ///< a contact of bodies that do not touch yet: the target bounds their gap
  double friction = 0;
  double restitution = 0;
  double tangential_restitution = 0;
  double cohesion = 0;  ///< cohesive force c [N]; zero unless a bond holds
  double gap = 0;       ///< where the row is placed, of a spring its stroke [m]
  /// Time from that configuration to the end of the step: h/2, quasi-static h [s].
  double remaining = 0;
  /// Velocity at the end of the step; along one direction: (0, 0, N).
  Vec3 target = Vec3::Zero();
  // Rows are many, and each has one kind: these take each other's place.
  union {
    double spring = 0;  ///< of a contact [N/m]
    double span;        ///< of a link: distance of the points where the row is placed [m]
    double force;       ///< of a spring [N]
  };
  union {
    double dashpot = 0;  ///< of a contact [N s/m]
    double length;       ///< of a link: distance that its points are to have at the end [m]
    double low;          ///< of a spring, its stops: bounds of U_N [m/s]
  };
  double high = 0;

  bool has_friction_cone() const {
    return kind == LawKind::signorini_coulomb || kind == LawKind::convex_coulomb;
  }
  bool is_contact() const { return has_friction_cone() || kind == LawKind::spring_dashpot; }
};

/// Gives rows of Signorini's and Coulomb's law the convex one.
void give_convex_law(std::span<RowLaw> laws);

/// S = R + (0, 0, c)
inline Vec3 shifted_reaction(const RowLaw& law, const Vec3& R) {
  return {R.x(), R.y(), R.z() + law.cohesion};
}

/// mu S_N
inline double friction_bound(const RowLaw& law, const Vec3& R) {
  return law.friction * (R.z() + law.cohesion);
}

/// Ubar - U
inline Vec3 velocity_offset(const RowLaw& law, const Vec3& V) {
  Vec3 offset = -law.target;
  if (V.z() >= 0) return offset;
  offset.head<2>() += law.tangential_restitution * V.head<2>();
  offset.z() += law.restitution * V.z();
  return offset;
}

/// F(U) of a law with a friction cone: (Ubar_T, Ubar_N + mu |Ubar_T|); of the convex law Ubar.
inline Vec3 cone_velocity(const RowLaw& law, const Vec3& U, const Vec3& V) {
  Vec3 F = U + velocity_offset(law, V);
  if (law.kind != LawKind::convex_coulomb) F.z() += law.friction * tangent_norm(F);
  return F;
}

/// C(R): the velocity that is not compatible with a law with a friction cone [m/s]. Reactions are
/// taken as velocities by `scale` [m/(s N)]: with the size of W in the row, an error of R and that
/// of the velocities it makes count alike, whatever the units.
inline Vec3 contact_residual(const RowLaw& law, const Vec3& U, const Vec3& R, const Vec3& V,
                             double scale) {
  const Vec3 F = cone_velocity(law, U, V);
  return F + project_on_polar_cone(scale * shifted_reaction(law, R) - F, law.friction);
}

/// Of the diagonal block of a row, for the above.
inline double reaction_scale(const Mat3& W) { return W.trace() / 3; }

/// Coulomb's friction of a contact with everything else held fixed, R_N too.
struct CoulombFriction {
  Vec2 R;        ///< R_T
  Mat2 inverse;  ///< (W_TT + lambda)^-1; 0 where lambda is infinite
  bool slides = false;
};

/// R_T with U_T = W_TT R_T + free: where it sticks U_T = 0, else U_T = -lambda R_T, |R_T| = bound.
/// The sticking R_T cut at the bound would not be against the slip where W_TT has a direction, as
/// at the corner of a block: less friction than mu would remain of all corners.
CoulombFriction coulomb_friction(const Mat2& W_TT, const Vec2& free, double bound);

/// Reaction of a spring-dashpot contact (manual, algorithm 7.1) from the velocity B that the rest
/// of the system gives to the row, its own block W, and the tangential reaction before. With
/// `explicit_normal` the spring acts by its gap where the row is placed, half-way without
/// reactions, and the damper by the velocity at the start of the step.
Vec3 spring_dashpot_reaction(const RowLaw& law, double h, const Mat3& W, const Vec3& B, double V_N,
                             const Vec3& R, bool explicit_normal);

/// Which limits of a bond a reaction has come to.
struct BondLimits {
  bool tension = false;  ///< R_N = -c
  bool shear = false;    ///< |R_T| = mu (R_N + c)
};
BondLimits limits_of_bond(const RowLaw& law, const Vec3& R);

/// Power that cohesion dissipates where a bond is at its limit and moves with `U`, the mean over
/// the step: c U_N of a crack that opens and, in shear, mu (c + min(R_N, 0)) |U_T|, which is that
/// of |R_T| without the friction of a pressure [W].
double bond_power(const RowLaw& law, const Vec3& R, const Vec3& U);

/// Whether the bond of a cohesive contact without a fracture energy breaks: where R is the cohesive
/// force in tension and the contact opens, or R is what friction holds and it slips, with the
/// velocity `Ubar` of the law. Where several bonds share a load in no unique way some may be at
/// their limits while the others hold them; so all together hold what they can (without friction by
/// the lower bound theorem of limit analysis). Of velocities those count that are more than what a
/// solver leaves: a hundredth of W c, which the cohesive force makes in a step, `W` the diagonal
/// block of the row. Springs have unique reactions, and break by them alone.
bool breaks_bond(const RowLaw& law, const Vec3& R, const Vec3& Ubar, const Mat3& W);

}  // namespace solfec
