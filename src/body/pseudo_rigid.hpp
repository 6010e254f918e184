// Pseudo-rigid bodies (Cohen and Muncaster): the whole body carries one deformation gradient F.
//
//   momentum   F'' E = sum f xi^T - V P(F),    m c'' = sum f
//   material   Saint Venant-Kirchhoff: P = F S, S = lambda tr(e) I + 2 mu e, e = (F^T F - I) / 2
//   DEF_EXP    u' = u + h M^-1 (f_ext - V P(F_1/2) - eta K u), stable for h <= critical_step
//   DEF_LIM, DEF_LIM2   linearly implicit, A = M + a K, as in linear_implicit.hpp
//   DEF_IMP    M (u' - u) = h (f_ext - V F_m [S + eta C:sym(F_m^T w)]),
//              F_m = (F + F')/2,  w = (u + u')/2,  S = C:(e + e')/2
//
// LIM2 is, for small vibrations, the backward Euler method: a mode of frequency w shrinks by
// 1 / sqrt(1 + h^2 w^2) in a step. LIM leaves those alone that the step resolves.
// IMP conserves energy and angular momentum to the accuracy of its Newton iteration (Simo and
// Tarnow 1992); it is solved for the free motion first, and again with the reactions, so that
// velocities at contacts differ from those of the solver by the nonlinearity of a step. Those at
// joints do not (JointClosure::middle).
//
// K is the material part of -df/dF, K dF = V F C:sym(F^T dF). Unlike the whole tangent it never
// turns indefinite, does no work on rotations and exerts no torque: K dF F^T is symmetric, so that
// all schemes conserve angular momentum exactly. EXP, LIM and IMP are of second order. A of LIM and
// LIM2 gains what long steps need of the stress part (stress_stiffening), with the stress at the
// start of the step and without rotations.
#pragma once

#include "body/body_store.hpp"

namespace solfec {

/// S = lambda tr(e) I + 2 mu e [Pa].
Mat3 second_piola_stress(const Mat3& F, const BulkMaterial& material);
/// P = F S [Pa].
Mat3 first_piola_stress(const Mat3& F, const BulkMaterial& material);

/// Strain energy per reference volume [J/m^3].
double strain_energy_density(const Mat3& F, const BulkMaterial& material);

/// Material part of dP/dF, on column-wise gradients [Pa].
Mat9 material_tangent(const Mat3& F, const BulkMaterial& material);

/// Whole dP/dF: the material part and the stress part S_JL delta_ik.
Mat9 full_tangent(const Mat3& F, const BulkMaterial& material);

/// Largest step for which DEF_EXP is stable at the current configuration [s]:
/// sqrt(eta^2 + 4 / omega^2) - eta with omega^2 the largest eigenvalue of M^-1 K.
double critical_step(const BodyStore& bodies, const BulkMaterials& materials, int i);

/// What M + factor dP/dF needs of the geometric part S (x) I of dP/dF: of the principal values of
/// E^-1/2 V S E^-1/2 what they have above 3 / (4 factor), which is what long steps need to be
/// stable.
Mat9 stress_stiffening(const Inertia& inertia, const Mat3& weighted_stress, double factor);
/// It has a torque: K <- P^T K P without rotations T F, P = 1 - T (T^T M T)^-1 T^T M.
void leave_turns_alone(const Inertia& inertia, const Mat3& F, Mat9& K);

/// Lower Cholesky factor of M + a K, the part of F.
Mat9 implicit_matrix(const Inertia& inertia, const Mat9& K, double a);

/// rate <- (L L^T)^-1 rate, as a vector of columns.
void solve_implicit(const Mat9& factor, Mat3& rate);

/// q goes with the velocity u for a duration [s].
void pseudo_rigid_move(BodyStore& bodies, int i, double duration);

/// Free velocity b from the mid-step configuration and the external force f.
void pseudo_rigid_free_velocity(BodyStore& bodies, const BulkMaterials& materials, int i, double h);

/// What DEF_IMP adds to the rate of b + h A^-1 r at the end of the step, looked for from what is in
/// `correction`, as long as u; false when no solution is found.
bool pseudo_rigid_correction(const BodyStore& bodies, const BulkMaterials& materials, int i,
                             double h, const double* r, double* correction);

/// u(t + h) = b + h A^-1 r (DEF_IMP: the solution with r) and q(t + h), from the generalised
/// reaction r. Throws RunError, naming the body, when DEF_IMP finds no solution.
void pseudo_rigid_end_step(BodyStore& bodies, const BulkMaterials& materials, int i, double h,
                           const double* r);

}  // namespace solfec
