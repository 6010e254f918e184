// Finite-element bodies: elastic mesh, lumped mass, and the factor of a step.
//
//   TL    total Lagrangian, Saint Venant-Kirchhoff: f(x) = -dPsi/dx
//   BC    small strain in axes that turn with the body by Lambda ("body co-rotational"):
//         Psi = d K0 d / 2,  d = Lambda^T (x - c) - (X - X_c), c and X_c the mass centres, Lambda
//         the rotation that fits best by mass:  sum m (X - X_c) x Lambda^T (x - c) = 0.
//         K0 is constant.
//
//   DEF_EXP    u' = u + h M^-1 (f - eta K u),  stable for h <= critical_step
//   DEF_LIM, DEF_LIM2   linearly implicit, A = M + a K, as in linear_implicit.hpp
//   DEF_IMP    M (u' - u) = h f_m,  f_m the conserving force of ElasticMesh (TL only)
//
// with forces at mid-step, and K the material part of the tangent there (BC: Lambda K0 Lambda^T).
// M is diagonal: row sums.
//
// K alone is too soft for large stresses of tension at long steps: a step without the geometric
// part K_g = int (grad N_a . S grad N_b) I of -df/dx is stable while a K_g <= M, a = h^2 / 3 (h^2
// in DEF_LIM2). A gains what is above that (StressStiffening), with S of the start of the step: in
// mid-step x + h/2 u the stresses of vibrations that the step does not resolve are h omega / 2
// times too large and change sign in each step, which drives such vibrations. A has a Cholesky
// factor at any load, and rotations are left to M, as K_g has a torque.
//
// TL forces conserve both momenta. Lambda of BC follows x, and the gradient of Psi with that is
//   f = -Lambda (g - m beta x (X - X_c)),  g = K0 d,  J_d^T beta = sum d x g,
//   J_d = sum m [((X - X_c) . y) 1 - y (X - X_c)^T],  y = X - X_c + d
// where beta removes the torque -sum d x g of small strain about the deformed body. Joints that
// prevent a body from turning take up that torque, and beta would bend it, as Psi of a clamped
// section that turns by theta against Lambda grows with theta^4 while no clamp has such an energy:
// beta is for the part of the torque that joints do not hold (free_turns).
// Lambda K0 Lambda^T has a torque, too: implicit steps without reactions on the body add a rotation
// to u', with which the loads change angular momentum by h times their torque.
//
// Nodes with supports (BodyStore::supports) have given velocities along some directions. Every
// solution with A is one among the other directions then: P A'^-1 P in place of A^-1
// (supported_nodes.hpp). The supports' impulses are (1 - P)(A (u' - u) - h f).
// eta K u is Lambda K0 times the rate of d.
#pragma once

#include "body/body_store.hpp"
#include "body/elastic_mesh.hpp"
#include "body/linear_implicit.hpp"
#include "body/row_basis.hpp"
#include "body/sparse_cholesky.hpp"
#include "body/supported_nodes.hpp"
#include "body/time_step.hpp"

namespace solfec {

/// Of each element, or of each part of those that `cut` tells of, from the materials of the body's
/// volumes.
std::vector<ElementProperties> element_properties(const Body& body, const BulkMaterials& materials,
                                                  const CutMesh* cut = nullptr);

/// What the integrators need of a finite-element body, ready for use.
class FiniteElements {
 public:
  /// `cut`: how the background mesh cuts the shape of a body that has one.
  FiniteElements(const Body& body, std::vector<ElementProperties> properties,
                 const CutMesh* cut = nullptr);

  const std::vector<ElementProperties>& properties() const { return properties_; }
  const ElasticMesh& elastic() const { return elastic_; }
  const std::vector<double>& mass() const { return elastic_.mass(); }
  double total_mass() const { return total_mass_; }
  /// M v
  Eigen::VectorXd times_mass(Eigen::VectorXd v) const;

  /// Mean of a nodal field by mass: the mass centre of x, the momentum per mass of u.
  Vec3 mean(const double* field) const;
  /// The rotation that fits the nodes best, and their mass centre, into q.
  void fit(const double* x, double* q) const;

  /// Stored energy [J].
  double strain_energy(const double* q, const double* x) const;
  /// f -= dPsi/dx + c K u; of BC the part of u that strains the body, and without the part of beta.
  void subtract_internal_force(const double* q, const double* x, const double* u, double c,
                               double* f) const;
  /// The rotation in velocities u in mid-step.
  Turning turning(const double* x, const double* u, double h) const;
  /// The same in a linearly implicit step of duration h, with turning_strain.
  void subtract_force_of_step(const double* q, const double* x, const double* u,
                              const Turning& turning, const LinearImplicit& step, double h,
                              double* f) const;
  /// f += the part of (A - M) D / h that turning_strain does not have: that of the geometric part.
  void add_stiffening_of_turns(const double* x, const Turning& turning, double a, double h,
                               double* f) const;
  /// change <- A^-1 (change - d (A - M) Phi^n v), as in linear_implicit.hpp; along supports what
  /// `given` says. Phi is that of the body without supports, for which the filter is made: that of
  /// the held body would leave it more of its vibrations.
  void solve_step(const double* q, const double* x, const double* u, const Turning& turning,
                  const LinearImplicit& step, const Eigen::VectorXd& given,
                  std::span<NodeSupport> supports, double* change);
  /// BC: beta for the torque along `free`, a projection in axes of the body.
  Vec3 balance(const double* q, const double* x, const double* u, double eta,
               const Turning& turning, const Mat3& free) const;
  /// v += h Lambda beta x (X - X_c), the part of beta with any A, as K0 beta x (X - X_c) = 0.
  void add_balance(const double* q, const Vec3& b, double h, double* v) const;
  /// BC: power of the force less the rate of Psi: the rest of the torque times the angular velocity
  /// of Lambda [W].
  double frame_power(const double* q, const double* x, const double* u, const Turning& turning,
                     const Mat3& free) const;
  /// Upper bound of the squares of all frequencies [1/s^2].
  double frequency_bound(const double* x) const;
  /// Cauchy stress at a point of an element, in the material of this volume if it holds that [Pa].
  using StressAt = std::function<Mat3(int element, int volume, const Vec3& local)>;
  /// That of a state, which has to outlive it.
  StressAt stress(const double* q, const double* x) const;

  /// Supports of this step, nodes rising; with the factor of A and with M alone they are eliminated
  /// from now on. Of BC with a factor they are of whole nodes: its A turns with the body, and what
  /// is free of a node would be another part of it in each step.
  void support(std::span<const NodeSupport> supports);
  /// Factors A = M + a K at the configuration, with what `stiffening` asks for; of BC, which has no
  /// such part, once for each a and each set of supports. False when numbers are out of range.
  bool factor(const double* x, double a, const StressStiffening& stiffening = {});
  /// The geometric part has a torque. If there is any, A turns into M + P^T (A - M) P, P = 1 - T
  /// J^-1 T^T M, T rotations about the mass centre, J = T^T M T: rotations are left to M. Not of a
  /// body with supports, which keep it from turning.
  void leave_turns_alone(const double* x);
  /// M alone is the operator of the step.
  void use_mass();
  /// v <- A^-1 v; with supports, which are at rest, P A'^-1 P v.
  void solve(const double* q, double* v) const;
  /// The same with velocities along supports that are those of `given`; adds their impulses.
  void solve(const double* q, const Eigen::VectorXd& given, std::span<NodeSupport> supports,
             Eigen::VectorXd& v) const;
  /// Adds impulses (1 - P)(A v - impulse) to those of the supports.
  void add_support_impulses(const double* q, const Eigen::VectorXd& v,
                            const Eigen::VectorXd& impulse, std::span<NodeSupport> supports) const;
  /// Of nodal forces about the mass centre [N m].
  Vec3 torque(const double* x, const double* f) const;
  /// Adds a rotation about the mass centre to v, so that its angular momentum becomes this one.
  void set_angular_momentum(const double* x, const Vec3& momentum, double* v) const;
  /// Where rows of the step are to be. Where that makes them shorter, they are given by the nodes
  /// or points that carry them (RowBasis), until A changes.
  void prepare_rows(std::span<const ElementPoint> points);
  /// Numbers in each of the three rows of a point.
  int row_size() const;
  /// Rows of  base^T N L^-T  with A = L L^T and N the shape functions at a point: 3 x row_size, row
  /// by row; or others that have the same products among each other.
  void scaled_rows(const double* q, int element, const Vec3& local, const Mat3& base,
                   double* rows) const;

 private:
  using Vector = Eigen::VectorXd;
  Vector displacements(const double* q, const double* x) const;
  Vector strain(const double* q, const double* x, const double* u, double c) const;
  Vector across(const Turning& turning, const double* q, double stretch) const;
  Vector affine(const Mat3& gradient, const double* x) const;
  Mat3 inertia(const double* x) const;
  Mat3 turn_of_frame(const Vector& d) const;
  Vec3 frame_spin(const double* q, const Vector& d, const double* u) const;
  Vec3 frame_torque(const double* q, const Vector& d, Vector strain, const Turning& turning) const;
  void solve_but_turns(double* v) const;
  Vector times_operator(const double* q, const Vector& v) const;
  Vector filtered(const double* q, const Vector& v);
  void solve_given(const double* q, const Vector& given, std::span<const NodeSupport> supports,
                   Vector& v) const;
  Eigen::MatrixXd compliance(const RowBasis::Carriers& carriers) const;
  int part_of(int element, int volume) const;

  Form form_;
  std::vector<ElementProperties> properties_;
  std::vector<int> volumes_;  // identifiers of the parts of elements
  ElasticMesh elastic_;
  double total_mass_ = 0;
  Vec3 center_ = Vec3::Zero();  // C
  Vector arms_;                 // X - C
  Eigen::SparseMatrix<double> K0_, A_, supported_A_;
  SupportedNodes supported_;
  SparseCholesky factor_;
  SparseCholesky free_factor_;  // of A where the other one is of A', when it is asked for
  bool has_free_order_ = false, has_free_factor_ = false;
  bool analysed_ = false, uses_mass_ = false, stiffened_ = false, leaves_turns_ = false;
  double coefficient_ = -1;  // a of the factor of BC
  // T J^-1/2, and L^-1 P M T made orthonormal: A^-1 = L^-T (1 - B B^T) L^-1 + T J^-1 T^T.
  SparseCholesky::Columns turns_, basis_;
  RowBasis short_rows_;
};

/// Largest step for which DEF_EXP is surely stable at the current configuration [s].
double finite_element_critical_step(const BodyStore& bodies, const BulkMaterials& materials, int i);

/// Nodes go with the velocity u for a duration [s], and q after them.
void finite_element_move(BodyStore& bodies, int i, double duration);

/// Makes A = M + a K for the present configuration. Throws RunError where K is no number.
void factor_stiffness(BodyStore& bodies, int i, double a, const StressStiffening& stiffening);

/// Whether the A of the next step turns with the body (the form BC with a factor).
bool turns_operator(const Body& body, Analysis analysis);

/// v <- the solution of A v = v, with the velocities of supports (solve_supported), which get their
/// impulses.
void finite_element_static_velocity(BodyStore& bodies, int i, Eigen::VectorXd& v);

/// v += h Lambda beta x (X - X_c), with supports the solution of A v = M (that).
void add_balance(BodyStore& bodies, int i, const Vec3& b, double h, double* v);

/// Free velocity b from the mid-step configuration and the external force f.
void finite_element_free_velocity(BodyStore& bodies, int i, double h);

/// What DEF_IMP adds to the velocity b + h A^-1 r at the end of the step, looked for from what is
/// in `correction`; false when no solution is found.
bool finite_element_correction(const BodyStore& bodies, int i, double h, const double* r,
                               double* correction);

/// u(t + h) = b + h A^-1 r (DEF_IMP: the solution with r) and q(t + h), from the generalised
/// reaction r. Throws RunError, naming the body, when DEF_IMP finds no solution.
void finite_element_end_step(BodyStore& bodies, int i, double h, const double* r);

}  // namespace solfec
