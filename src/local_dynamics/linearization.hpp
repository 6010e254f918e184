// What a row's law misses as a function of its velocity and reaction, with slopes for Newton's
// methods: smoothed,
//
//   C_omega(U, R),   dC = X dU + Y dR   (report of 2019, equations 41 to 44)
#pragma once

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

/// C [m/s], X [-] and Y [m/(s N)] of a row. Directions that a joint leaves free have C = R there.
struct RowLinearization {
  Vec3 C;
  Mat3 X, Y;
};

/// At the current U and R. Contacts of Signorini and Coulomb are smoothed by `omega`
/// (smoothed_cone.hpp); other laws are taken as they are, with one of their slopes where they have
/// two. Contacts take reactions as velocities by `scale` [m/(s N)], C = F + m(scale S - F): 1 is
/// the report's, the size of W in the row makes both of one size.
RowLinearization linearize(const LocalDynamics& problem, const LocalSolution& solution, int row,
                           double omega, double scale = 1);

/// The same with contacts of Signorini and Coulomb in the form of Alart and Curnier (1991), which
/// is not smooth: with S and Ubar_N of contact_law.hpp, z = (S_T - rho U_T, S_N - rho Ubar_N) and
/// the disc of radius mu max(z_N, 0),
///
///   rho C_N = S_N - max(z_N, 0),   rho C_T = S_T - (z_T projected on the disc)
///
/// and one of its generalised slopes. `rho` [N s/m] changes the path of an iteration, not its end.
RowLinearization linearize_alart_curnier(const LocalDynamics& problem,
                                         const LocalSolution& solution, int row, double rho);

/// The reaction next to R that the law allows: projected onto the friction cone, or without what a
/// joint leaves free. A Newton step ends with it.
Vec3 admissible(const RowLaw& law, const Vec3& R);

}  // namespace solfec
