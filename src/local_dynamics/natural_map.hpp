// How far R is from a solution of contacts, by a measure that belongs to no solver: the natural map
// of the second-order cone complementarity problem (Acary, Bremond, Huber 2018),
//
//   |S - P_K(S - F(U))| / |q|,   U = B + W R,   S = R + (0, 0, c)
//
// over all rows, with the cone K of friction, F(U) = (U_T, Ubar_N + mu |U_T|) and the norm of
// vectors of numbers, whatever their units; with q = 0 it is absolute. In terms of S the laws of
// all rows are those without restitution, cohesion and target when
//
//   q = B + (0, 0, Ubar_N - U_N) - W (0, 0, c)
//
// is taken for B. Where a row has the convex law, F(U) is that law's. Fixed points and directions,
// whose R is free, add the velocity by which they miss: with K a space that is what is left of the
// map. There q is B less the target; of a fixed direction its component N. Rows have no other laws.
#pragma once

#include "local_dynamics/local_dynamics.hpp"

namespace solfec {

/// q of the owned rows, the same to the last bit on any number of ranks. Collective.
std::vector<Vec3> natural_free_velocity(const LocalDynamics& problem,
                                        const Communicator& communicator);

/// |q| over all ranks; 1 for q = 0. Collective.
double natural_map_scale(const LocalDynamics& problem, const Communicator& communicator);

/// |S - P_K(S - F)|^2 of a row at these U and R.
double natural_map_share(const LocalDynamics& problem, int row, const Vec3& U, const Vec3& R);

/// Their sum over the owned rows, at the current U and R.
double natural_map_sum(const LocalDynamics& problem, const LocalSolution& solution);

/// The error of R; leaves its U. The external R are up to date. Collective.
double natural_map_error(const LocalDynamics& problem, LocalSolution& solution,
                         const Communicator& communicator);

}  // namespace solfec
