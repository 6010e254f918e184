// The law of Signorini and Coulomb as an equation G(U, S) = 0 that is not smooth (Acary, Bremond,
// Huber 2018, section 3.3), one contact at a time. U is the velocity with restitution, Ubar, and S
// the reaction with cohesion of contact_law.hpp; with F(U) = (U_T, U_N + mu |U_T|) and z = S - rho
// U
//
//   natural map          G = S - P_K (S - rho F(U))
//   Alart, Curnier       G_N = S_N - max(z_N, 0),  G_T = S_T - P_D z_T,  D: disc of mu max(z_N, 0)
//   Jean, Moreau         the same with the disc of mu max(S_N, 0)
//   Fischer, Burmeister  G = x + y - (x^2 + y^2)^(1/2) by the products of the Jordan algebra of the
//                        second-order cone, with x = (S_T, mu S_N), y = rho (F_T, F_N / mu)
//
// rho [N s/m] changes the path of an iteration, not its end. The paper has no rho in the last map;
// here it makes both of one unit.
#pragma once

#include <cstdint>

#include "core/vector.hpp"

namespace solfec {

enum class ContactMap : std::uint8_t { natural, alart_curnier, jean_moreau, fischer_burmeister };

/// rho of the normal and of the tangential direction; the maps with one rho take the normal one.
struct ContactSteps {
  double normal, tangential;
};

/// What a law misses, and one of its slopes:  dC = X dU + Y dR.
struct RowLinearization {
  Vec3 C;
  Mat3 X, Y;
};

/// G [N], with dG = X dU + Y dS.
RowLinearization contact_map(ContactMap map, double friction, const Vec3& U, const Vec3& S,
                             const ContactSteps& steps);

/// The same of the convex law, whose F is U: its natural map.
RowLinearization convex_map(double friction, const Vec3& U, const Vec3& S, double rho);

/// Steps from the diagonal block of a contact (equations 110 and 111): 1 / lambda_max(W), and for
/// the second and the third map 1 / W_NN and 1 / lambda_max(W_TT); 1 where there is none.
ContactSteps contact_steps(ContactMap map, const Mat3& W);

}  // namespace solfec
