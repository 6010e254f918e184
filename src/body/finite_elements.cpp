#include "body/finite_elements.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "body/conserving_solution.hpp"
#include "body/dof_views.hpp"
#include "body/free_turns.hpp"
#include "body/linear_implicit.hpp"
#include "core/error.hpp"
#include "geometry/element.hpp"
#include "math/decompositions.hpp"
#include "math/rotation.hpp"

namespace solfec {
namespace {

using Vector = Eigen::VectorXd;
using NodalVectors = Eigen::Map<Eigen::Matrix3Xd>;
using ConstNodalVectors = Eigen::Map<const Eigen::Matrix3Xd>;

auto rotation_of(const double* q) { return gradient_part(q); }

// Columns e_k x r.
Mat3 turns_about(const Vec3& r) { return -skew(r); }

// Volume identifier of each part of an element.
std::vector<int> volumes_of_parts(const Body& body, const CutMesh* cut) {
  std::vector<int> volumes;
  if (cut)
    for (const CutMesh::Part& part : cut->parts) volumes.push_back(part.volume);
  else
    for (const Element& element : mesh_of(body).elements) volumes.push_back(element.volume);
  return volumes;
}

std::vector<ElementPart> parts_of(const CutMesh& cut) {
  std::vector<ElementPart> parts;
  for (const CutMesh::Part& part : cut.parts) {
    const auto points = cut.points_of(part);
    parts.push_back({part.element, part.filled, {points.begin(), points.end()}});
  }
  return parts;
}

}  // namespace

std::vector<ElementProperties> element_properties(const Body& body, const BulkMaterials& materials,
                                                  const CutMesh* cut) {
  std::vector<ElementProperties> properties;
  for (int volume : volumes_of_parts(body, cut)) {
    const VolumeMaterial of = material_of(body, volume);
    const BulkMaterial& material = materials[of.material];
    properties.push_back({material.lambda(), material.mu(), of.density});
  }
  return properties;
}

FiniteElements::FiniteElements(const Body& body, std::vector<ElementProperties> properties,
                               const CutMesh* cut)
    : form_(body.form),
      properties_(std::move(properties)),
      volumes_(volumes_of_parts(body, cut)),
      elastic_(mesh_of(body), cut ? parts_of(*cut) : filled_parts(mesh_of(body)), properties_,
               body.plain_elements ? ElementTechnology::plain : ElementTechnology::enhanced) {
  DEMAND((cut != nullptr) == (body.background != nullptr));
  for (double m : mass()) total_mass_ += m;
  const std::vector<double>& X = elastic_.reference();
  center_ = mean(X.data());
  arms_.resize(static_cast<Eigen::Index>(X.size()));
  for (Eigen::Index k = 0; k < arms_.size(); k++)
    arms_[k] = X[static_cast<std::size_t>(k)] - center_[k % 3];
  if (form_ == Form::body_corotational) {
    K0_ = elastic_.stiffness_pattern();
    elastic_.add_stiffness(X.data(), 1, K0_);
  }
}

Vec3 FiniteElements::mean(const double* field) const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t n = 0; n < mass().size(); n++) sum += mass()[n] * node_part(field, n);
  return sum / total_mass_;
}

FiniteElements::Vector FiniteElements::times_mass(Vector v) const {
  for (Eigen::Index k = 0; k < v.size(); k++) v[k] *= mass()[static_cast<std::size_t>(k / 3)];
  return v;
}

void FiniteElements::fit(const double* x, double* q) const {
  const Vec3 center = mean(x);
  Mat3 B = Mat3::Zero();
  for (std::size_t n = 0; n < mass().size(); n++)
    B += mass()[n] * (node_part(x, n) - center) *
         arms_.segment<3>(static_cast<Eigen::Index>(3 * n)).transpose();
  auto rotation = gradient_part(q);
  rotation = nearest_rotation(B);
  center_part(q) = center;
}

FiniteElements::Vector FiniteElements::displacements(const double* q, const double* x) const {
  Vector d(arms_.size());
  const auto center = center_part(q);
  const ConstNodalVectors nodes(x, 3, elastic_.nodes());
  NodalVectors(d.data(), 3, elastic_.nodes()) =
      rotation_of(q).transpose() * (nodes.colwise() - Vec3(center));
  return d - arms_;
}

double FiniteElements::strain_energy(const double* q, const double* x) const {
  if (form_ == Form::total_lagrangian) return elastic_.strain_energy(x);
  const Vector d = displacements(q, x);
  return 0.5 * d.dot(K0_.selfadjointView<Eigen::Lower>() * d);
}

// d + c times its rate, which rigid motion does not have.
FiniteElements::Vector FiniteElements::strain(const double* q, const double* x, const double* u,
                                              double c) const {
  Vector d = displacements(q, x);
  if (c == 0) return d;
  const int nodes = elastic_.nodes();
  const auto R = rotation_of(q);
  const Vec3 spin = frame_spin(q, d, u), drift = mean(u);
  for (int n = 0; n < nodes; n++) {
    const Vec3 y = arms_.segment<3>(3 * n) + d.segment<3>(3 * n);
    d.segment<3>(3 * n) += c * (R.transpose() * (node_part(u, n) - drift) - spin.cross(y));
  }
  return d;
}

// Angular velocity of R, in its axes.
Vec3 FiniteElements::frame_spin(const double* q, const Vector& d, const double* u) const {
  Vec3 turning = Vec3::Zero();
  for (int n = 0; n < elastic_.nodes(); n++)
    turning +=
        mass()[n] * arms_.segment<3>(3 * n).cross(rotation_of(q).transpose() * node_part(u, n));
  return solve_general(turn_of_frame(d), turning);
}

// Sum (X - C + d) x g, g = K0 strain. Straight lines lead through where a body that turns has cos t
// times its distance from the axis.
Vec3 FiniteElements::frame_torque(const double* q, const Vector& d, Vector strain,
                                  const Turning& turning) const {
  strain += across(turning, q, 1 - std::cos(turning.half()));
  const Vector g = K0_.selfadjointView<Eigen::Lower>() * strain;
  Vec3 torque = Vec3::Zero();
  for (int n = 0; n < elastic_.nodes(); n++)
    torque += Vec3(arms_.segment<3>(3 * n) + d.segment<3>(3 * n)).cross(g.segment<3>(3 * n));
  return torque;
}

// J_d
Mat3 FiniteElements::turn_of_frame(const Vector& d) const {
  Mat3 Q = Mat3::Zero();
  for (int n = 0; n < elastic_.nodes(); n++) {
    const Vec3 X = arms_.segment<3>(3 * n), y = X + d.segment<3>(3 * n);
    Q += mass()[n] * (X.dot(y) * Mat3::Identity() - y * X.transpose());
  }
  return Q;
}

void FiniteElements::subtract_internal_force(const double* q, const double* x, const double* u,
                                             double c, double* f) const {
  if (form_ == Form::total_lagrangian) {
    elastic_.add_internal_force(x, -1, f);
    if (c > 0) elastic_.add_viscous_force(x, u, -c, f);
    return;
  }
  Vector g = K0_.selfadjointView<Eigen::Lower>() * strain(q, x, u, c);
  const int nodes = elastic_.nodes();
  NodalVectors(f, 3, nodes) -= rotation_of(q) * NodalVectors(g.data(), 3, nodes);
}

Turning FiniteElements::turning(const double* x, const double* u, double h) const {
  return {inertia(x), torque(x, times_mass(Eigen::Map<const Vector>(u, arms_.size())).data()), h};
}

// Velocities about the mass centre of this gradient.
FiniteElements::Vector FiniteElements::affine(const Mat3& gradient, const double* x) const {
  const int nodes = elastic_.nodes();
  const Vec3 center = mean(x);
  Vector v(arms_.size());
  NodalVectors(v.data(), 3, nodes) = gradient * (ConstNodalVectors(x, 3, nodes).colwise() - center);
  return v;
}

// Displacements that stretch the body across the axis.
FiniteElements::Vector FiniteElements::across(const Turning& turning, const double* q,
                                              double stretch) const {
  const Vec3 axis = rotation_of(q).transpose() * turning.axis();
  const ConstNodalVectors arms(arms_.data(), 3, elastic_.nodes());
  Vector d(arms_.size());
  NodalVectors(d.data(), 3, elastic_.nodes()) = stretch * (arms - axis * (axis.transpose() * arms));
  return d;
}

void FiniteElements::subtract_force_of_step(const double* q, const double* x, const double* u,
                                            const Turning& turning, const LinearImplicit& step,
                                            double h, double* f) const {
  const Eigen::Index n = arms_.size();
  if (form_ == Form::total_lagrangian) {
    const Eigen::Map<const Vector> at(x, n);
    const Vector w = std::sqrt(2 * turning_strain(step, h)) * affine(turning.middle(), x);
    const Vector before = at - w, after = at + w;
    elastic_.add_conserving_force(before.data(), after.data(), u, step.eta, -1, f);
    return;
  }
  // turning_strain(step, h) grad w^T grad w of small strain.
  const double t = turning.half(), rate = (2 * step.a / h - step.eta) * 2 / h * std::tan(t);
  const double stretch = rate * std::sin(t) - (1 / std::cos(t) - 1);
  const Vector d = strain(q, x, u, step.eta) + across(turning, q, stretch);
  const Vector g = K0_.selfadjointView<Eigen::Lower>() * d;
  NodalVectors(f, 3, elastic_.nodes()) -=
      rotation_of(q) * ConstNodalVectors(g.data(), 3, elastic_.nodes());
}

// (A - M - a K) D / h; K has its share in turning_strain.
void FiniteElements::add_stiffening_of_turns(const double* x, const Turning& turning, double a,
                                             double h, double* f) const {
  if (!stiffened_) return;
  const Vector D = affine(turning.after() - turning.before(), x);
  Vector rest = D;
  if (leaves_turns_) rest -= turns_ * (turns_.transpose() * times_mass(D));
  Vector force = A_.selfadjointView<Eigen::Lower>() * rest - times_mass(rest);
  if (leaves_turns_) force -= times_mass(turns_ * (turns_.transpose() * force));
  elastic_.add_viscous_force(x, D.data(), -a, force.data());
  Eigen::Map<Vector>(f, arms_.size()) += force / h;
}

// A^-1 M v, without supports.
FiniteElements::Vector FiniteElements::filtered(const double* q, const Vector& v) {
  Vector w = times_mass(v);
  if (supported_.empty()) {
    solve(q, w.data());
    return w;
  }
  if (!has_free_order_) free_factor_.analyse(A_);
  has_free_order_ = true;
  if (!has_free_factor_) DEMAND(free_factor_.factor(A_));
  has_free_factor_ = true;
  const Mat3 R = form_ == Form::total_lagrangian ? Mat3(Mat3::Identity()) : Mat3(rotation_of(q));
  NodalVectors field(w.data(), 3, elastic_.nodes());
  field = (R.transpose() * field).eval();
  free_factor_.solve({w.data(), static_cast<std::size_t>(w.size())});
  field = (R * field).eval();
  return w;
}

void FiniteElements::solve_step(const double* q, const double* x, const double* u,
                                const Turning& turning, const LinearImplicit& step,
                                const Vector& given, std::span<NodeSupport> supports,
                                double* change) {
  const Eigen::Index n = arms_.size();
  Vector all = Eigen::Map<const Vector>(change, n);
  if (step.decay == 0) {
    solve(q, given, supports, all);
  } else {
    Vector v = Eigen::Map<const Vector>(u, n) - affine(turning.before(), x);
    for (int k = 0; k < step.sharpness; k++) v -= filtered(q, v);
    // A^-1 (A - M) v = v - A^-1 M v
    all += step.decay * times_mass(v);
    Vector along;
    if (!supports.empty()) along = given + step.decay * v;
    solve(q, along, supports, all);
    all -= step.decay * v;
  }
  Eigen::Map<Vector>(change, n) = all;
}

Vec3 FiniteElements::balance(const double* q, const double* x, const double* u, double eta,
                             const Turning& turning, const Mat3& free) const {
  const Vector d = displacements(q, x);
  const Vec3 torque = frame_torque(q, d, strain(q, x, u, eta), turning);
  return solve_general(turn_of_frame(d).transpose(), free * torque);
}

void FiniteElements::add_balance(const double* q, const Vec3& b, double h, double* v) const {
  for (int n = 0; n < elastic_.nodes(); n++)
    node_part(v, n) += h * rotation_of(q) * b.cross(Vec3(arms_.segment<3>(3 * n)));
}

double FiniteElements::frame_power(const double* q, const double* x, const double* u,
                                   const Turning& turning, const Mat3& free) const {
  const Vector d = displacements(q, x);
  const Vec3 torque = frame_torque(q, d, d, turning);
  return (torque - free * torque).dot(frame_spin(q, d, u));
}

double FiniteElements::frequency_bound(const double* x) const {
  return elastic_.frequency_bound(form_ == Form::total_lagrangian ? x
                                                                  : elastic_.reference().data());
}

int FiniteElements::part_of(int element, int volume) const {
  const int first = elastic_.first_part(element);
  for (int part = first; part < elastic_.first_part(element + 1); part++)
    if (volumes_[static_cast<std::size_t>(part)] == volume) return part;
  return first;
}

FiniteElements::StressAt FiniteElements::stress(const double* q, const double* x) const {
  if (form_ == Form::total_lagrangian)
    return [this, x](int element, int volume, const Vec3& local) {
      return elastic_.cauchy_stress(x, part_of(element, volume), local);
    };
  return [this, R = Mat3(rotation_of(q)), d = displacements(q, x)](int element, int volume,
                                                                   const Vec3& local) -> Mat3 {
    return R * elastic_.linear_stress(d.data(), part_of(element, volume), local) * R.transpose();
  };
}

Vec3 FiniteElements::torque(const double* x, const double* f) const {
  const Vec3 center = mean(x);
  Vec3 sum = Vec3::Zero();
  for (int n = 0; n < elastic_.nodes(); n++)
    sum += (node_part(x, n) - center).cross(node_part(f, n));
  return sum;
}

// About the mass centre.
Mat3 FiniteElements::inertia(const double* x) const {
  const Vec3 center = mean(x);
  Mat3 J = Mat3::Zero();
  for (int n = 0; n < elastic_.nodes(); n++) {
    const Vec3 r = node_part(x, n) - center;
    J += mass()[n] * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
  }
  return J;
}

void FiniteElements::set_angular_momentum(const double* x, const Vec3& momentum, double* v) const {
  const Vec3 center = mean(x);
  Vec3 missing = momentum;
  for (int n = 0; n < elastic_.nodes(); n++)
    missing -= mass()[n] * (node_part(x, n) - center).cross(node_part(v, n));
  const Vec3 spin = solve_semidefinite(inertia(x), missing);
  for (int n = 0; n < elastic_.nodes(); n++)
    node_part(v, n) += spin.cross(node_part(x, n) - center);
}

void FiniteElements::support(std::span<const NodeSupport> supports) {
  if (!supported_.take(supports, elastic_.nodes())) return;
  short_rows_.clear();
  coefficient_ = -1;
}

bool FiniteElements::factor(const double* x, double a, const StressStiffening& stiffening) {
  const bool same = form_ == Form::body_corotational && a == coefficient_;
  if (!same || uses_mass_) short_rows_.clear();
  uses_mass_ = stiffened_ = leaves_turns_ = false;
  if (same) return true;
  if (!analysed_) A_ = elastic_.stiffness_pattern();
  A_.coeffs().setZero();
  if (form_ == Form::body_corotational)
    A_.coeffs() += a * K0_.coeffs();
  else
    stiffened_ = elastic_.add_stiffness(x, a, stiffening, A_);
  // The diagonal comes first in the columns of a lower triangle.
  for (Eigen::Index k = 0; k < A_.outerSize(); k++)
    A_.valuePtr()[A_.outerIndexPtr()[k]] += mass()[static_cast<std::size_t>(k / 3)];
  if (!analysed_) factor_.analyse(A_);
  analysed_ = true;
  has_free_factor_ = false;
  if (!supported_.empty()) supported_.eliminate(A_, supported_A_);
  coefficient_ = factor_.factor(supported_.empty() ? A_ : supported_A_) ? a : -1;
  if (coefficient_ != a && stiffening.whole) return factor(x, a, {stiffening.factor, stiffening.x});
  if (stiffening.whole) stiffened_ = false;  // loads that turn the body are in it, and may be
  return coefficient_ == a;
}

void FiniteElements::use_mass() {
  if (!uses_mass_) short_rows_.clear();
  uses_mass_ = true;
}

void FiniteElements::leave_turns_alone(const double* x) {
  if (!stiffened_ || !supported_.empty()) return;
  const Vec3 center = mean(x);
  Mat3 J = Mat3::Zero();
  turns_.resize(arms_.size(), 3);
  basis_.resize(arms_.size(), 3);
  for (int n = 0; n < elastic_.nodes(); n++) {
    const Mat3 turn = turns_about(node_part(x, n) - center);
    J += mass()[n] * turn.transpose() * turn;
    for (int c = 0; c < 3; c++) {
      turns_.row(3 * n + c) = turn.row(c);
      basis_.row(factor_.place(3 * n + c)) = mass()[n] * turn.row(c);
    }
  }
  factor_.solve_lower(basis_);
  turns_ *= inverse_cholesky(J);
  basis_ *= inverse_cholesky(basis_.transpose() * basis_);
  leaves_turns_ = true;
}

// v <- A^-1 v by halves of the factor.
void FiniteElements::solve_but_turns(double* v) const {
  const Eigen::Index n = arms_.size();
  Eigen::Map<Vector> all(v, n);
  const Vec3 turning = turns_.transpose() * all;
  SparseCholesky::Columns Y = SparseCholesky::Columns::Zero(n, 3);
  for (int k = 0; k < n; k++) Y(factor_.place(k), 0) = all[k];
  factor_.solve_lower(Y);
  const Vec3 share = basis_.transpose() * Y.col(0);
  Vector rest = Y.col(0) - basis_ * share;
  factor_.solve_upper({rest.data(), static_cast<std::size_t>(n)});
  for (int k = 0; k < n; k++) all[k] = rest[factor_.place(k)];
  all += turns_ * turning;
}

void FiniteElements::solve(const double* q, double* v) const {
  const int nodes = elastic_.nodes();
  NodalVectors field(v, 3, nodes);
  if (uses_mass_) {
    for (int n = 0; n < nodes; n++) field.col(n) /= mass()[n];
    supported_.project(v);
    return;
  }
  const std::span<double> numbers(v, 3 * static_cast<std::size_t>(nodes));
  if (leaves_turns_) return solve_but_turns(v);
  const auto solve_in_axes = [&] {
    supported_.project(v);
    factor_.solve(numbers);
    supported_.project(v);  // what rounding has left
  };
  if (form_ == Form::total_lagrangian) return solve_in_axes();
  const auto R = rotation_of(q);
  field = (R.transpose() * field).eval();
  solve_in_axes();
  field = (R * field).eval();
}

// A v
FiniteElements::Vector FiniteElements::times_operator(const double* q, const Vector& v) const {
  if (uses_mass_) return times_mass(v);
  if (form_ == Form::total_lagrangian) return A_.selfadjointView<Eigen::Lower>() * v;
  const int nodes = elastic_.nodes();
  const auto R = rotation_of(q);
  Vector local(v.size()), result(v.size());
  NodalVectors(local.data(), 3, nodes) = R.transpose() * ConstNodalVectors(v.data(), 3, nodes);
  local = (A_.selfadjointView<Eigen::Lower>() * local).eval();
  NodalVectors(result.data(), 3, nodes) = R * ConstNodalVectors(local.data(), 3, nodes);
  return result;
}

// v <- t + P A'^-1 P (v - A t), t the part of `given` along the supports.
void FiniteElements::solve_given(const double* q, const Vector& given,
                                 std::span<const NodeSupport> supports, Vector& v) const {
  Vector t;
  for (const NodeSupport& s : supports) {
    const Vec3 held = s.held(node_part(given.data(), s.node));
    if (held.isZero(0)) continue;
    if (t.size() == 0) t = Vector::Zero(v.size());
    node_part(t.data(), s.node) = held;
  }
  if (t.size() > 0) v -= times_operator(q, t);
  solve(q, v.data());
  for (const NodeSupport& s : supports) {
    auto part = node_part(v.data(), s.node);
    part = (s.free * part + s.held(node_part(given.data(), s.node))).eval();
  }
}

void FiniteElements::solve(const double* q, const Vector& given, std::span<NodeSupport> supports,
                           Vector& v) const {
  if (supports.empty()) return solve(q, v.data());
  const Vector impulse = v;
  solve_given(q, given, supports, v);
  add_support_impulses(q, v, impulse, supports);
}

void FiniteElements::add_support_impulses(const double* q, const Vector& v, const Vector& impulse,
                                          std::span<NodeSupport> supports) const {
  if (supports.empty()) return;
  const Vector left = times_operator(q, v) - impulse;
  for (NodeSupport& s : supports) s.impulse += s.held(node_part(left.data(), s.node));
}

// E^T A^-1 E. Where A leaves turns alone A^-1 = L^-T (1 - B B^T) L^-1 + T J^-1 T^T.
Eigen::MatrixXd FiniteElements::compliance(const RowBasis::Carriers& carriers) const {
  const auto columns = RowBasis::columns(elastic_, carriers, supported_);
  if (!leaves_turns_) return factor_.inverse_between(columns);
  const auto size = static_cast<Eigen::Index>(columns.size());
  SparseCholesky::Columns share(size, 3), turning = SparseCholesky::Columns::Zero(size, 3);
  Eigen::MatrixXd C = factor_.inverse_between(columns, &basis_, &share);
  for (Eigen::Index c = 0; c < size; c++)
    for (const auto& entry : columns[static_cast<std::size_t>(c)])
      turning.row(c) += entry.value * turns_.row(entry.row);
  C += turning * turning.transpose() - share * share.transpose();
  return C;
}

void FiniteElements::prepare_rows(std::span<const ElementPoint> points) {
  // Of velocities: more carriers do not pay.
  constexpr double kFew = 0.6;
  // Nodes stay the same for longer than points of contact, and where A lasts so do rows.
  constexpr double kSlower = 1.25, kNodesOnly = std::numeric_limits<double>::infinity();
  const double most = kFew * static_cast<double>(arms_.size()) / 3;
  const bool lasts = uses_mass_ || form_ == Form::body_corotational;
  const auto pays = [&](const RowBasis::Carriers& carriers) {
    return carriers.count() > 0 && carriers.count() <= most;
  };
  if (!uses_mass_ && !factor_.in_blocks()) return short_rows_.clear();
  const double most_nodes = uses_mass_ ? kNodesOnly : lasts ? kSlower : 1;
  RowBasis::Carriers carriers = RowBasis::carriers(elastic_, points, most_nodes);
  if (!pays(carriers)) return short_rows_.clear();
  if (lasts && short_rows_.is_short() && short_rows_.present() == carriers) return;
  if (uses_mass_) return short_rows_.take_masses(std::move(carriers), mass());
  if (short_rows_.take(carriers, compliance(carriers)) || carriers.points.empty()) return;
  carriers = RowBasis::carriers(elastic_, points, kNodesOnly);
  if (pays(carriers)) short_rows_.take(carriers, compliance(carriers));
}

int FiniteElements::row_size() const {
  return short_rows_.is_short() ? short_rows_.size() : static_cast<int>(arms_.size());
}

void FiniteElements::scaled_rows(const double* q, int element, const Vec3& local, const Mat3& base,
                                 double* rows) const {
  const Eigen::Index n = arms_.size();
  const auto nodes = elastic_.element_nodes(element);
  std::array<double, 8> N;
  shape_functions(static_cast<int>(nodes.size()), local, N);
  using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Rows> G(rows, 3, n);
  const bool turned = form_ == Form::body_corotational && !uses_mass_;
  const Mat3 axes = turned ? Mat3(rotation_of(q).transpose() * base) : base;
  if (short_rows_.is_short())
    return short_rows_.rows(elastic_, {element, local}, axes, rows, supported_);
  if (uses_mass_) {
    G.setZero();
    for (std::size_t k = 0; k < nodes.size(); k++)
      G.middleCols<3>(3 * nodes[k]) = N[k] / std::sqrt(mass()[static_cast<std::size_t>(nodes[k])]) *
                                      axes.transpose() * supported_.of_rows(nodes[k]);
    return;
  }
  // L Y = P N^T base; its columns are the rows wanted.
  SparseCholesky::Columns Y = SparseCholesky::Columns::Zero(n, 3);
  for (std::size_t k = 0; k < nodes.size(); k++) {
    const Mat3 part = supported_.of_rows(nodes[k]) * axes;
    for (int c = 0; c < 3; c++) Y.row(factor_.place(3 * nodes[k] + c)) = N[k] * part.row(c);
  }
  factor_.solve_lower(Y);
  if (leaves_turns_) {
    // A^-1 = C C^T, C = L^-T (1 - B B^T) + T J^-1/2 B^T.
    Mat3 share = -Y.transpose() * basis_;
    for (std::size_t k = 0; k < nodes.size(); k++)
      share += N[k] * axes.transpose() * turns_.middleRows<3>(3 * nodes[k]);
    Y += basis_ * share.transpose();
  }
  G = Y.transpose();
}

double finite_element_critical_step(const BodyStore& bodies, const BulkMaterials& materials,
                                    int i) {
  const double omega2 = bodies.finite_elements(i, materials).frequency_bound(bodies.x(i));
  return explicit_limit(omega2, bodies[i].damping);
}

void finite_element_move(BodyStore& bodies, int i, double duration) {
  const int n = bodies.x.count(i);
  Eigen::Map<Vector>(bodies.x(i), n) += duration * Eigen::Map<const Vector>(bodies.u(i), n);
  bodies.finite_elements(i).fit(bodies.x(i), bodies.q(i));
}

void factor_stiffness(BodyStore& bodies, int i, double a, const StressStiffening& stiffening) {
  if (!bodies.finite_elements(i).factor(bodies.x(i), a, stiffening))
    throw RunError(fmt::format(
        "the stiffness of {} has a state that is not finite: the step may be too large, or a "
        "load or a material is out of range",
        bodies.name(i)));
}

namespace {

// Half way between the ends of a step whose velocity changes by this.
struct Middle {
  Vector x, u;
};

Middle middle_of_step(const BodyStore& bodies, int i, double h, const Vector& change) {
  const auto n = change.size();
  Middle at = {Eigen::Map<const Vector>(bodies.x(i), n), Eigen::Map<const Vector>(bodies.u(i), n)};
  if (bodies[i].scheme == Scheme::def_exp) return at;
  return {at.x + 0.25 * h * change, at.u + 0.5 * change};
}

// Explicit steps take forces where the body is.
Turning turning_of_step(const BodyStore& bodies, int i, double h) {
  if (bodies[i].scheme == Scheme::def_exp) return {};
  return bodies.finite_elements(i).turning(bodies.x(i), bodies.u(i), h);
}

// Changes of velocity in the step: along supports those that they prescribe. Empty without any.
Vector given_change(const BodyStore& bodies, int i) {
  const auto supports = bodies.supports(i);
  if (supports.empty()) return {};
  Vector given = Vector::Zero(bodies.dofs(i));
  for (const NodeSupport& s : supports)
    node_part(given.data(), s.node) = s.velocity - node_part(bodies.u(i), s.node);
  return given;
}

// change <- h A^-1 (change + forces of the body)
void implicit_change(BodyStore& bodies, int i, double h, const Turning& turning, Vector& change) {
  FiniteElements& fe = bodies.finite_elements(i);
  const double *q = bodies.q(i), *x = bodies.x(i), *u = bodies.u(i);
  const Scheme scheme = bodies[i].scheme;
  const LinearImplicit step = linear_implicit(scheme, bodies[i].damping, h);
  fe.subtract_force_of_step(q, x, u, turning, step, h, change.data());
  const auto n = change.size();
  const Vector start = Eigen::Map<const Vector>(x, n) - 0.5 * h * Eigen::Map<const Vector>(u, n);
  factor_stiffness(bodies, i, step.a, {linear_implicit(scheme, 0, h).a, start.data()});
  fe.leave_turns_alone(x);
  fe.add_stiffening_of_turns(x, turning, step.a, h, change.data());
  change *= h;
  fe.solve_step(q, x, u, turning, step, given_change(bodies, i), bodies.supports(i), change.data());
}

// The same for M in place of A.
void explicit_change(BodyStore& bodies, int i, double h, Vector& change) {
  FiniteElements& fe = bodies.finite_elements(i);
  const double *q = bodies.q(i), *x = bodies.x(i), *u = bodies.u(i);
  fe.subtract_internal_force(q, x, u, bodies[i].damping, change.data());
  fe.use_mass();
  change *= h;
  fe.solve(q, given_change(bodies, i), bodies.supports(i), change);
}

// b of a step without reactions. The torque of BC is not in K: implicit steps take it where the
// step with the rest of the force has its middle. In x + h/2 u vibrations that the step does not
// resolve are h omega/2 times too large, and would be driven by it. What joints will do to the
// middle is not known: of bodies that hold some it is that of the start of the step.
Vec3 balance_of_step(BodyStore& bodies, int i, double h, const Turning& turning,
                     const Vector& change, const Mat3& free) {
  FiniteElements& fe = bodies.finite_elements(i);
  const double eta = bodies[i].damping;
  if (bodies.holds(i).empty() || bodies[i].scheme == Scheme::def_exp) {
    const Middle at = middle_of_step(bodies, i, h, change);
    return fe.balance(bodies.q(i), at.x.data(), at.u.data(), eta, turning, free);
  }
  const auto n = change.size();
  const Vector start =
      Eigen::Map<const Vector>(bodies.x(i), n) - 0.5 * h * Eigen::Map<const Vector>(bodies.u(i), n);
  std::array<double, 12> q;
  fe.fit(start.data(), q.data());
  return fe.balance(q.data(), start.data(), bodies.u(i), eta, {}, free);
}

// b + h A^-1 r
Vector linear_end(const BodyStore& bodies, int i, double h, const Vector& reaction) {
  Vector change = reaction;
  if (!reaction.isZero(0)) bodies.finite_elements(i).solve(bodies.q(i), change.data());
  return Eigen::Map<const Vector>(bodies.b(i), reaction.size()) + h * change;
}

}  // namespace

bool turns_operator(const Body& body, Analysis analysis) {
  return body.form == Form::body_corotational &&
         (analysis == Analysis::quasi_static || body.scheme != Scheme::def_exp);
}

void finite_element_static_velocity(BodyStore& bodies, int i, Vector& v) {
  const auto supports = bodies.supports(i);
  Vector given = Vector::Zero(supports.empty() ? 0 : v.size());
  for (const NodeSupport& s : supports) node_part(given.data(), s.node) = s.velocity;
  bodies.finite_elements(i).solve(bodies.q(i), given, supports, v);
}

void add_balance(BodyStore& bodies, int i, const Vec3& b, double h, double* v) {
  const FiniteElements& fe = bodies.finite_elements(i);
  const auto supports = bodies.supports(i);
  if (supports.empty()) return fe.add_balance(bodies.q(i), b, h, v);
  const int n = bodies.dofs(i);
  Vector turn = Vector::Zero(n);
  fe.add_balance(bodies.q(i), b, h, turn.data());
  turn = fe.times_mass(std::move(turn));
  fe.solve(bodies.q(i), Vector::Zero(n), supports, turn);
  Eigen::Map<Vector>(v, n) += turn;
}

void finite_element_free_velocity(BodyStore& bodies, int i, double h) {
  const int n = bodies.dofs(i);
  Vector change = Eigen::Map<const Vector>(bodies.f(i), n);
  const Turning turning = turning_of_step(bodies, i, h);
  if (bodies[i].scheme == Scheme::def_exp)
    explicit_change(bodies, i, h, change);
  else
    implicit_change(bodies, i, h, turning, change);
  if (bodies[i].form == Form::body_corotational) {
    const Mat3 free = free_turns(bodies, i);
    if (!free.isZero(0))
      add_balance(bodies, i, balance_of_step(bodies, i, h, turning, change, free), h,
                  change.data());
  }
  Eigen::Map<Vector>(bodies.b(i), n) = Eigen::Map<const Vector>(bodies.u(i), n) + change;
}

bool finite_element_correction(const BodyStore& bodies, int i, double h, const double* r,
                               double* correction) {
  const int n = bodies.dofs(i);
  const Vector reaction = Eigen::Map<const Vector>(r, n);
  const Vector linear = linear_end(bodies, i, h, reaction);
  Eigen::Map<Vector> added(correction, n);
  Vector next = linear + added;
  const bool found =
      solve_conserving(bodies, i, h, Eigen::Map<const Vector>(bodies.f(i), n) + reaction, next);
  added = next - linear;
  return found;
}

void finite_element_end_step(BodyStore& bodies, int i, double h, const double* r) {
  FiniteElements& fe = bodies.finite_elements(i);
  const int n = bodies.dofs(i);
  const Eigen::Map<const Vector> reaction(r, n);
  Eigen::Map<Vector> u(bodies.u(i), n);
  Vector next = linear_end(bodies, i, h, reaction);
  const auto supports = bodies.supports(i);
  if (reaction.isZero(0) && supports.empty() && bodies[i].form == Form::body_corotational &&
      bodies[i].scheme != Scheme::def_exp) {
    // K0, which stands still in its frame, has a torque: it would turn a body that flies freely.
    Vector change = next - u;
    fe.set_angular_momentum(bodies.x(i), h * fe.torque(bodies.x(i), bodies.f(i)), change.data());
    next = u + change;
  }
  if (bodies[i].scheme == Scheme::def_imp) {
    const Vector force = Eigen::Map<const Vector>(bodies.f(i), n) + reaction;
    if (!solve_conserving(bodies, i, h, force, next))
      throw RunError(no_conserving_motion(bodies, i));
    set_conserving_impulses(bodies, i, h, force, next);
  } else if (!reaction.isZero(0)) {
    fe.add_support_impulses(bodies.q(i), next - Eigen::Map<const Vector>(bodies.b(i), n),
                            h * reaction, supports);
  }
  if (bodies[i].form == Form::body_corotational && !bodies.holds(i).empty()) {
    const Vector mean = 0.5 * (u + next);
    const Middle at = middle_of_step(bodies, i, h, next - u);
    bodies.work(i).frame +=
        h * fe.frame_power(bodies.q(i), at.x.data(), mean.data(), turning_of_step(bodies, i, h),
                           free_turns(bodies, i));
  }
  u = next;
  finite_element_move(bodies, i, 0.5 * h);
}

}  // namespace solfec
