// Motion of points: x = c + G xi with xi = X - Xc, where G is the rotation of a rigid body or
// obstacle, or the deformation gradient of a pseudo-rigid body, and c is the current mass centre.
//
// A force F at x acts on a body through H^T F; the velocity of x is H u:
//   rigid         H u = v + G (omega x xi)      H^T F = (xi x G^T F, F)
//   pseudo-rigid  H u = v + Gdot xi             H^T F = (F xi^T column-wise, F)
#pragma once

#include "body/body_store.hpp"

namespace solfec {

/// Reference position, relative to the reference mass centre, of the material point at x.
Vec3 material_offset(const BodyStore& bodies, int i, const Vec3& x);

/// Current position of the reference point X.
Vec3 current_point(const BodyStore& bodies, int i, const Vec3& X);

/// Velocity at the spatial point x for a generalised velocity u of the body.
Vec3 velocity_at(const BodyStore& bodies, int i, const Vec3& x, const double* u);

/// r += H^T F for a force F at the spatial point x.
void add_force_at(const BodyStore& bodies, int i, const Vec3& x, const Vec3& F, double* r);

/// Rows of  base^T H A^-T/2  at the spatial point x, 3 x freedom, row by row, so that a body's
/// share of W between two points is h rows1 rows2^T. Bodies that move freely only (not obstacles).
void scaled_rows(const BodyStore& bodies, int i, const Vec3& x, const Mat3& base, double* rows);

/// Cauchy stress at any point of the body [Pa]; zero for rigid bodies.
Mat3 cauchy_stress(const BodyStore& bodies, const BulkMaterials& materials, int i);

}  // namespace solfec
