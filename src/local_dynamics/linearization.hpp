// What a row's law misses as a function of its velocity and reaction, with slopes for Newton's
// methods: smoothed,
//
//   C_omega(U, R),   dC = X dU + Y dR   (report of 2019, equations 41 to 44)
#pragma once

#include "local_dynamics/contact_maps.hpp"
#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

/// C [m/s], X [-] and Y [m/(s N)] at the current U and R; directions that a joint leaves free have
/// C = R there. Contacts of Signorini and Coulomb are smoothed by `omega`
/// (smoothed_cone.hpp); other laws are taken as they are, with one of their slopes where they have
/// two. Contacts take reactions as velocities by `scale` [m/(s N)], C = F + m(scale S - F): 1 is
/// the report's, the size of W in the row makes both of one size.
RowLinearization linearize(const LocalDynamics& problem, const LocalSolution& solution, int row,
                           double omega, double scale = 1);

/// The same with contacts of Signorini and Coulomb by one of the maps that are not smooth, those of
/// the convex law by their natural map, over the normal step: rows of joints and contacts are
/// velocities.
RowLinearization linearize(const LocalDynamics& problem, const LocalSolution& solution, int row,
                           ContactMap map, const ContactSteps& steps);

/// The reaction next to R that the law allows: projected onto the friction cone, or without what a
/// joint leaves free. A Newton step ends with it.
Vec3 admissible(const RowLaw& law, const Vec3& R);

}  // namespace solfec
