#include "body/quasi_static.hpp"

#include "body/dof_views.hpp"
#include "body/finite_elements.hpp"
#include "body/free_turns.hpp"
#include "body/pseudo_rigid.hpp"
#include "body/rigid.hpp"

namespace solfec {
namespace {

// v <- A^-1 v
void solve(BodyStore& bodies, int i, double* v) {
  const Inertia& inertia = bodies.inertia(i);
  switch (bodies.kind(i)) {
    case BodyKind::obstacle:
      return;
    case BodyKind::rigid:
      angular_part(v) = (inertia.inverse * angular_part(v)).eval();
      rigid_linear_part(v) *= inertia.inverse_mass;
      return;
    case BodyKind::pseudo_rigid: {
      Mat3 rate = affine_rate_part(v);
      solve_implicit(bodies.implicit_factor(i), rate);
      affine_rate_part(v) = rate;
      affine_linear_part(v) *= inertia.inverse_mass;
      return;
    }
    case BodyKind::finite_element:
      bodies.finite_elements(i).solve(bodies.q(i), v);
      return;
  }
}

// The same for the velocity without reactions but those of supports, which move as they are told.
void solve_free(BodyStore& bodies, int i, double* v) {
  if (bodies.supports(i).empty()) return solve(bodies, i, v);
  Eigen::VectorXd all = Eigen::Map<Eigen::VectorXd>(v, bodies.dofs(i));
  finite_element_static_velocity(bodies, i, all);
  Eigen::Map<Eigen::VectorXd>(v, all.size()) = all;
}

// Subtracts the internal force from b and makes A.
void take_stiffness(BodyStore& bodies, const BulkMaterials& materials, int i, double h) {
  if (is_affine(bodies.kind(i))) {
    const BulkMaterial& material = materials[bodies[i].material];
    const double volume = bodies[i].reference.volume;
    const Mat3 F = bodies.gradient(i);
    affine_rate_part(bodies.b(i)) -= volume * first_piola_stress(F, material);
    const Inertia& inertia = bodies.inertia(i);
    const Mat9 K = volume * material_tangent(F, material) +
                   stress_stiffening(inertia, volume * second_piola_stress(F, material), h * h);
    bodies.implicit_factor(i) = implicit_matrix(inertia, K, h * h);
  } else if (is_meshed(bodies.kind(i))) {
    bodies.finite_elements(i, materials)
        .subtract_internal_force(bodies.q(i), bodies.x(i), bodies.u(i), 0, bodies.b(i));
    factor_stiffness(bodies, i, h * h, {h * h, bodies.x(i), true});
    bodies.finite_elements(i).leave_turns_alone(bodies.x(i));
  }
}

// Of supports, under reactions r that change the velocity by h v.
void add_support_impulses(BodyStore& bodies, int i, double h, const double* v, const double* r) {
  const auto supports = bodies.supports(i);
  if (supports.empty()) return;
  const int n = bodies.dofs(i);
  bodies.finite_elements(i).add_support_impulses(
      bodies.q(i), h * Eigen::Map<const Eigen::VectorXd>(v, n),
      h * Eigen::Map<const Eigen::VectorXd>(r, n), supports);
}

}  // namespace

void quasi_static_free_velocity(BodyStore& bodies, const BulkMaterials& materials, int i,
                                double h) {
  const int n = bodies.dofs(i);
  double* b = bodies.b(i);
  std::copy_n(bodies.f(i), n, b);
  take_stiffness(bodies, materials, i, h);
  for (int k = 0; k < n; k++) b[k] *= h;
  solve_free(bodies, i, b);
  if (is_meshed(bodies.kind(i)) && bodies[i].form == Form::body_corotational) {
    const Mat3 free = free_turns(bodies, i);
    if (free.isZero(0)) return;
    const double *q = bodies.q(i), *x = bodies.x(i), *u = bodies.u(i);
    add_balance(bodies, i, bodies.finite_elements(i).balance(q, x, u, 0, {}, free), h, b);
  }
}

void quasi_static_end_step(BodyStore& bodies, int i, double h, const double* r) {
  const int n = bodies.dofs(i);
  double* u = bodies.u(i);
  std::copy_n(r, n, u);
  solve(bodies, i, u);
  add_support_impulses(bodies, i, h, u, r);
  for (int k = 0; k < n; k++) u[k] = bodies.b(i)[k] + h * u[k];
  switch (bodies.kind(i)) {
    case BodyKind::obstacle:
      break;
    case BodyKind::rigid:
      rigid_move(bodies, i, h);
      break;
    case BodyKind::pseudo_rigid:
      pseudo_rigid_move(bodies, i, h);
      break;
    case BodyKind::finite_element:
      finite_element_move(bodies, i, h);
      break;
  }
}

}  // namespace solfec
