// Pressure on faces of a mesh: p n dA, n the outward normal of the present faces.
//
//   finite-element  f_k = p int N_k x,s x x,t ds dt   at the nodes of a face x(s, t) = sum N_k x_k
//
// A rigid or pseudo-rigid body takes its faces along, n dA = cof(G) N dA0 (Nanson), so that the
// generalised force follows from two moments of the reference faces:
//
//   S = int N dA0,  M = int N xi^T dA0,  xi = X - Xc
//   rigid           torque in the body's axes p int xi x N dA0,  force p G S
//   pseudo-rigid    p cof(G) M,  force p cof(G) S
//
// Triangles are linear, quadrilaterals bilinear: one point, and 2 x 2 points, are exact.
#pragma once

#include "body/body_store.hpp"

namespace solfec {

bool has_surface(const Mesh& mesh, int surface);

/// Of the reference faces with a surface identifier.
SurfaceMoments surface_moments(const Mesh& mesh, int surface);

/// Adds the generalised force of a pressure [Pa] to the external force of a body that is made of
/// one mesh and moves.
void add_pressure(BodyStore& bodies, int i, Pressure& load, double pressure);

}  // namespace solfec
