// Motion of points: x = c + G xi with xi = X - Xc, where G is the rotation of a rigid body or
// obstacle, or the deformation gradient of a pseudo-rigid body, and c is the current mass centre.
// In an element x = sum N_k x_k with the shape functions N at the local coordinates.
//
// A force F at x acts on a body through H^T F; the velocity of x is H u:
//   rigid           H u = v + G (omega x xi)      H^T F = (xi x G^T F, F)
//   pseudo-rigid    H u = v + Gdot xi             H^T F = (F xi^T column-wise, F)
//   finite-element  H u = sum N_k u_k             H^T F = N_k F at node k
#pragma once

#include "body/body_store.hpp"

namespace solfec {

/// A point of a body in space; on a finite-element body also where it is in the mesh.
struct Place {
  Vec3 x = Vec3::Zero();
  int element = -1;
  Vec3 local = Vec3::Zero();

  Place() = default;
  Place(const Vec3& point) : x(point) {}
  Place(const Vec3& point, int in, const Vec3& at) : x(point), element(in), local(at) {}
};

/// The place of the spatial point x, which of a finite-element body is in (or near) that element.
Place place_at(const BodyStore& bodies, int i, const Vec3& x, int element);

/// The place of the reference point X now. The element is looked for when it is not given.
Place place_of(const BodyStore& bodies, int i, const Vec3& X, int element = -1);

/// The element of a finite-element body that holds the reference point X, or the one nearest to it;
/// -1 for other bodies.
int element_at(const Body& body, const Vec3& X);

/// False when the reference point is outside of the mesh of a finite-element body, or of its shape
/// in a background mesh, by more than round-off.
bool may_hold(const Body& body, const Vec3& X);

/// Reference position, relative to the reference mass centre, of the material point there.
Vec3 material_offset(const BodyStore& bodies, int i, const Place& place);

/// Current position of the reference point X.
Vec3 current_point(const BodyStore& bodies, int i, const Vec3& X, int element = -1);

/// Displacement of a material point when a body that is no obstacle moves with the velocity u for a
/// duration [m]: exact for rotations, too.
Vec3 displacement_with(const BodyStore& bodies, int i, const Place& place, const double* u,
                       double duration);

/// Velocity of the mass centre.
Vec3 center_velocity(const BodyStore& bodies, const BulkMaterials& materials, int i);

/// Velocity for a generalised velocity u of the body.
Vec3 velocity_at(const BodyStore& bodies, int i, const Place& place, const double* u);

/// L of the velocity  v(x) = v + L (x - c)  of a body that stays affine; zero of finite-element
/// ones.
Mat3 velocity_gradient(const BodyStore& bodies, int i, const double* u);

/// r += H^T F for a force F.
void add_force_at(const BodyStore& bodies, int i, const Place& place, const Vec3& F, double* r);

/// Numbers in each of the three rows of a point: the freedom of the body, or less
/// (FiniteElements::prepare_rows).
int row_size(const BodyStore& bodies, int i);

/// Whether no force moves a point along a direction: of space (i = -1), of obstacles, and where
/// supports hold all nodes that carry the point.
bool is_held(const BodyStore& bodies, int i, const Place& place, const Vec3& direction);

/// Rows of  base^T H A^-T/2, 3 x row_size, row by row, so that a body's share of W between two
/// points is h rows1 rows2^T. Bodies that move freely only (not obstacles).
void scaled_rows(const BodyStore& bodies, int i, const Place& place, const Mat3& base,
                 double* rows);

/// Such rows, 3 x freedom, with the mass matrix M in place of A: of impulses, which no stiffness
/// resists.
void mass_scaled_rows(const BodyStore& bodies, int i, const Place& place, const Mat3& base,
                      double* rows);

/// u += M^-1 r, for a body that is no obstacle, without the part of r that supports take; returns
/// the work of the impulse r [J].
double add_impulse(BodyStore& bodies, int i, const double* r);

/// Cauchy stress at a reference point of the body [Pa]; zero for rigid bodies. At a node of a mesh
/// the mean of the elements around it.
Mat3 cauchy_stress(const BodyStore& bodies, const BulkMaterials& materials, int i, const Vec3& X);
/// The same at all nodes of a finite-element body [Pa].
std::vector<Mat3> nodal_stress(const BodyStore& bodies, const BulkMaterials& materials, int i);

}  // namespace solfec
