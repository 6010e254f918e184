// Quasi-static steps: each one starts from rest,
//
//   A u = h (f(q, t + h) + H^T R),   q <- q + h u
//   A = M (rigid),  M + h^2 K (deformable; K: material part of the stiffness)
//
// so that u dies out where forces and reactions are in balance, whatever h and M are. Steps that
// are long against the periods of a deformable body are Newton's; M lets those motions creep that K
// does not hold.
#pragma once

#include "body/body_store.hpp"

namespace solfec {

/// Free velocity b = h A^-1 f from the present configuration and the external force f.
void quasi_static_free_velocity(BodyStore& bodies, const BulkMaterials& materials, int i, double h);

/// u = b + h A^-1 r, and q(t + h), from the generalised reaction r.
void quasi_static_end_step(BodyStore& bodies, int i, double h, const double* r);

}  // namespace solfec
