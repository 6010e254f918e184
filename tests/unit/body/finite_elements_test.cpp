// Forces as the gradient of the stored energy by differences, steps against their equations solved
// densely, rows of W against the dense inverse, conservation in free motion, places in the mesh.
#include "body/finite_elements.hpp"

#include <gtest/gtest.h>

#include "body/integration.hpp"
#include "body/kinematics.hpp"
#include "core/error.hpp"
#include "support/make_bodies.hpp"

namespace solfec::finite_elements_test {
namespace {

using testing::Random;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;

class FiniteElementBody : public ::testing::TestWithParam<Form> {
 protected:
  explicit FiniteElementBody(int cells = 2) {
    materials.store({"rubber", 1e4, 0.3, 1000});
    Body body;
    body.id.value = 1;
    body.kind = BodyKind::finite_element;
    body.form = GetParam();
    body.material = 0;
    body.density = 1000;
    body.scheme = Scheme::def_lim;
    Shape shape = testing::meshed_box({0.1, 0.2, 0.3}, {0.5, 0.3, 0.2}, cells);
    body.reference = reference_mass(shape, 1000, body.kind);
    body.shape = std::make_shared<const Shape>(std::move(shape));
    body.nodes = (cells + 1) * (cells + 1) * (cells + 1);
    bodies.add(std::move(body));
  }

  int dofs() const { return bodies.dofs(0); }
  Eigen::Map<Vector> x() { return {bodies.x(0), dofs()}; }
  Eigen::Map<Vector> u() { return {bodies.u(0), dofs()}; }
  Eigen::Map<Vector> b() { return {bodies.b(0), dofs()}; }
  FiniteElements& elements() { return bodies.finite_elements(0, materials); }
  void fit() { elements().fit(bodies.x(0), bodies.q(0)); }

  void move(const Mat3& F, const Vec3& translation) {
    for (int k = 0; k < dofs(); k += 3) {
      const Vec3 X = x().segment<3>(k);
      x().segment<3>(k) = F * X + translation;
    }
    fit();
  }
  // Turned, stretched and bent, with some velocity.
  void deform(double strain) {
    move(random.rotation(), random.in_box(1));
    for (int k = 0; k < dofs(); k++) {
      x()[k] += strain * random.uniform(-0.1, 0.1);
      u()[k] = random.uniform(-1, 1);
    }
    fit();
  }
  // -f_int - c K u.
  Vector internal_force(double c) {
    Vector f = Vector::Zero(dofs());
    elements().subtract_internal_force(bodies.q(0), bodies.x(0), bodies.u(0), c, f.data());
    return f;
  }
  // With the part of BC that balances its torque.
  Vector balanced_force(double c) { return internal_force(c) + balancing_force(c, x(), u()); }
  Vector balancing_force(double c, const Vector& at, const Vector& rate,
                         const Turning& turning = {}) {
    Vector v = Vector::Zero(dofs());
    if (GetParam() == Form::body_corotational)
      elements().add_balance(
          bodies.q(0),
          elements().balance(bodies.q(0), at.data(), rate.data(), c, turning, Mat3::Identity()), 1,
          v.data());
    return mass() * v;
  }
  double energy_at(const Vector& at) {
    double q[12];
    elements().fit(at.data(), q);
    return elements().strain_energy(q, at.data());
  }
  // Of M + a K, column by column.
  Matrix inverse_of_operator() {
    Matrix inverse = Matrix::Identity(dofs(), dofs());
    for (int k = 0; k < dofs(); k++) elements().solve(bodies.q(0), inverse.col(k).data());
    return inverse;
  }
  // K at the present configuration; of BC R K0 R^T.
  Matrix stiffness() {
    const ElasticMesh& elastic = elements().elastic();
    const bool linear = GetParam() == Form::body_corotational;
    Eigen::SparseMatrix<double> lower = elastic.stiffness_pattern();
    elastic.add_stiffness(linear ? elastic.reference().data() : bodies.x(0), 1, lower);
    const Matrix K = lower.selfadjointView<Eigen::Lower>() * Matrix::Identity(dofs(), dofs());
    if (!linear) return K;
    Matrix R = Matrix::Zero(dofs(), dofs());
    for (int k = 0; k < dofs(); k += 3) R.block<3, 3>(k, k) = bodies.gradient(0);
    return R * K * R.transpose();
  }
  Matrix mass() {
    Vector m(dofs());
    for (int k = 0; k < dofs(); k++) m[k] = elements().mass()[k / 3];
    return m.asDiagonal();
  }
  Vec3 momentum() { return elements().total_mass() * elements().mean(bodies.u(0)); }
  // Of nodal vectors about the mass centre, and velocities of a rotation about it.
  Vec3 moment(const Vector& f) { return elements().torque(bodies.x(0), f.data()); }
  Vector turn(const Vec3& spin) {
    const Vec3 center = elements().mean(bodies.x(0));
    Vector v(dofs());
    for (int n = 0; n < dofs() / 3; n++)
      v.segment<3>(3 * n) = spin.cross(Eigen::Map<const Vec3>(bodies.x(0) + 3 * n) - center);
    return v;
  }
  Vec3 mean_of(const Vector& field) { return elements().mean(field.data()); }
  Vec3 angular_momentum() {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < dofs(); k += 3)
      sum += elements().mass()[k / 3] * Vec3(x().segment<3>(k)).cross(Vec3(u().segment<3>(k)));
    return sum;
  }
  double total_energy() {
    const Energy e = energy(bodies, materials, 0);
    return e.kinetic + e.internal;
  }
  void step(double h) {
    begin_step(bodies, materials, Gravity(), {0, h});
    end_step(bodies, materials, {0, h});
  }

  BodyStore bodies;
  BulkMaterials materials;
  Random random{7};
};

TEST_P(FiniteElementBody, RigidMotionStoresNothing) {
  const Mat3 R = random.rotation();
  move(R, {1, 2, 3});
  EXPECT_NEAR((bodies.gradient(0) - R).norm(), 0, 1e-13);
  EXPECT_NEAR((bodies.center(0) - (R * Vec3(0.1, 0.2, 0.3) + Vec3(1, 2, 3))).norm(), 0, 1e-13);
  EXPECT_NEAR(internal_force(0).norm(), 0, 1e-10);
  EXPECT_NEAR(energy(bodies, materials, 0).internal, 0, 1e-20);
  EXPECT_NEAR(cauchy_stress(bodies, materials, 0, {0.2, 0.1, 0.3}).norm(), 0, 1e-9);
}

TEST_P(FiniteElementBody, ForceIsTheGradientOfTheEnergyAndTurnsNothing) {
  deform(0.5);
  const Vector f = balanced_force(0);
  for (int k = 0; k < dofs(); k += 7) {
    Vector plus = x(), minus = x();
    plus[k] += 1e-6;
    minus[k] -= 1e-6;
    EXPECT_NEAR(-f[k], (energy_at(plus) - energy_at(minus)) / 2e-6, 1e-5 * f.norm()) << k;
  }
  for (double c : {0.0, 0.01}) {
    const Vector all = balanced_force(c);
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (int k = 0; k < dofs(); k += 3) {
      force += all.segment<3>(k);
      torque += Vec3(x().segment<3>(k)).cross(Vec3(all.segment<3>(k)));
    }
    EXPECT_NEAR(force.norm(), 0, 1e-12 * all.norm());
    EXPECT_NEAR(torque.norm(), 0, 1e-12 * all.norm());
  }
}

class CorotationalBody : public FiniteElementBody {};
class TotalLagrangianBody : public FiniteElementBody {};

// f = -R K0 d; its torque is of second order in d.
TEST_P(CorotationalBody, ForceOfSmallStrain) {
  const Vector X = x();
  deform(0.1);
  const Mat3 R = bodies.gradient(0);
  Vector d(dofs());
  for (int k = 0; k < dofs(); k += 3)
    d.segment<3>(k) = Vec3(x().segment<3>(k)) - R * (X.segment<3>(k) - Vec3(0.1, 0.2, 0.3));
  const Vector f = internal_force(0), expected = -stiffness() * d;
  EXPECT_NEAR((f - expected).norm(), 0, 1e-11 * expected.norm());
  const double torque = moment(f).norm();
  ASSERT_GT(torque, 1e-6);
  const Vec3 center = bodies.center(0);
  for (int k = 0; k < dofs(); k += 3)
    x().segment<3>(k) = center + R * (X.segment<3>(k) - Vec3(0.1, 0.2, 0.3)) +
                        0.5 * (d.segment<3>(k) - (center - R * Vec3::Zero()));
  fit();
  EXPECT_LT(moment(internal_force(0)).norm(), 0.3 * torque);
}

TEST_P(FiniteElementBody, StressOfAUniformStrain) {
  const double strain = 1e-6;
  const Mat3 R = random.rotation();
  move(R * Vec3(1 + strain, 1, 1).asDiagonal(), Vec3::Zero());
  const BulkMaterial& m = materials[0];
  const Mat3 expected = R *
                        Vec3(m.lambda() + 2 * m.mu(), m.lambda(), m.lambda())
                            .cwiseProduct(strain * Vec3::Ones())
                            .asDiagonal()
                            .toDenseMatrix() *
                        R.transpose();
  // Inside of an element, on the edge between elements and at a node.
  for (const Vec3& X : {Vec3(0.25, 0.1, 0.31), Vec3(0.1, 0.2, 0.15), Vec3(0.1, 0.2, 0.3)})
    EXPECT_NEAR((cauchy_stress(bodies, materials, 0, X) - expected).norm(), 0,
                1e-5 * expected.norm());
}

TEST_P(FiniteElementBody, StepsFollowTheirEquations) {
  const double h = 0.02, eta = 0.005;
  for (Scheme scheme : {Scheme::def_exp, Scheme::def_lim, Scheme::def_lim2}) {
    deform(0.1);
    bodies[0].scheme = scheme;
    bodies[0].damping = eta;
    const LinearImplicit step = linear_implicit(scheme, eta, h);
    const Turning turning = elements().turning(bodies.x(0), bodies.u(0), h);
    const double a = scheme == Scheme::def_exp ? 0 : step.a;
    const Matrix A = mass() + a * stiffness();
    Vector f = Vector::Zero(dofs());
    for (int k = 0; k < dofs(); k++) f[k] = bodies.f(0)[k] = random.uniform(-10, 10);
    const Vector before = u();
    if (scheme == Scheme::def_exp) {
      f += internal_force(eta);
    } else {
      elements().subtract_force_of_step(bodies.q(0), bodies.x(0), bodies.u(0), turning, step, h,
                                        f.data());
      Vector v = before;
      for (int k = 0; k < dofs(); k += 3)
        v.segment<3>(k) -= turning.before() * (x().segment<3>(k) - Vec3(bodies.center(0)));
      for (int k = 0; k < step.sharpness; k++) v = (v - A.inverse() * mass() * v).eval();
      f -= step.decay / h * (A - mass()) * v;
    }
    // Where the step with this force has its middle.
    Vector at = x(), rate = u();
    if (scheme != Scheme::def_exp) {
      const Vector change = h * A.inverse() * f;
      at += h / 4 * change;
      rate += change / 2;
    }
    f += balancing_force(eta, at, rate, scheme == Scheme::def_exp ? Turning() : turning);
    finite_element_free_velocity(bodies, 0, h);
    EXPECT_NEAR((A * (b() - before) - h * f).norm(), 0, 1e-10 * h * f.norm());
    const Vector start = x();
    Vector r(dofs());
    for (int k = 0; k < dofs(); k++) r[k] = random.uniform(-10, 10);
    const Vector free = b(), expected = free + h * inverse_of_operator() * r;
    finite_element_end_step(bodies, 0, h, r.data());
    EXPECT_NEAR((u() - expected).norm(), 0, 1e-12 * expected.norm());
    EXPECT_NEAR((x() - start - 0.5 * h * expected).norm(), 0, 1e-14);
  }
}

// By large angles, about a principal axis, slowly: implicit steps find no strain, but for that of
// centrifugal forces.
TEST_P(FiniteElementBody, TurningBodiesHaveNoStrain) {
  for (Scheme scheme : {Scheme::def_lim, Scheme::def_lim2, Scheme::def_imp})
    for (double damping : {0.0, 10.0})
      for (double angle : {0.05, GetParam() == Form::total_lagrangian ? 0.5 : 0.2}) {
        const double h = 100;
        if (scheme == Scheme::def_imp && GetParam() == Form::body_corotational) continue;
        bodies[0].scheme = scheme;
        bodies[0].damping = damping;
        x() = Eigen::Map<const Vector>(elements().elastic().reference().data(), dofs());
        fit();
        u() = turn({0, 0, angle / h});
        const double kinetic = 0.5 * u().dot(mass() * u());
        for (int k = 0; k < 3; k++) step(h);
        EXPECT_LT(energy_at(x()), 1e-5 * kinetic);
        // Linear motion in both halves: tan t = angle / 2, six times t in three steps.
        const double t = std::atan(angle / 2);
        EXPECT_NEAR(bodies.gradient(0)(1, 0), std::sin(6 * t), 1e-5);
      }
}

// Without reactions the forces turn a body as much as they should: by a rotation that is added.
TEST_P(FiniteElementBody, FreeStepsKeepAngularMomentum) {
  const double h = 0.02;
  for (Scheme scheme : {Scheme::def_exp, Scheme::def_lim, Scheme::def_lim2}) {
    deform(0.1);
    bodies[0].scheme = scheme;
    Vector f(dofs());
    for (int k = 0; k < dofs(); k++) f[k] = bodies.f(0)[k] = random.uniform(-10, 10);
    const Vector before = u(), r = Vector::Zero(dofs());
    finite_element_free_velocity(bodies, 0, h);
    const Vector free = b();
    const Vec3 torque = moment(f);
    Matrix turns(dofs(), 3);
    for (int k = 0; k < 3; k++) turns.col(k) = turn(Vec3::Unit(k));
    const Vector there = x();
    const bool turned = GetParam() == Form::body_corotational && scheme != Scheme::def_exp;
    finite_element_end_step(bodies, 0, h, r.data());
    const Vector change = u() - before;
    Vec3 L = Vec3::Zero();
    for (int k = 0; k < dofs(); k += 3)
      L += elements().mass()[k / 3] *
           Vec3(there.segment<3>(k)).cross(Vec3(change.segment<3>(k) - mean_of(change)));
    EXPECT_NEAR((L - h * torque).norm(), 0, 1e-10 * h * torque.norm());
    const Vector added = u() - free;
    const Vec3 spin = turns.colPivHouseholderQr().solve(added);
    EXPECT_NEAR((added - turns * spin).norm(), 0, 1e-12 * change.norm());
    EXPECT_EQ(spin.norm() > 1e-6, turned);
  }
}

// Drawn out, in a step far above the explicit limit: the operator has what the geometric part has
// above 3/4 M, so that the step is stable, and leaves rotations to M.
TEST_P(TotalLagrangianBody, OperatorOfTension) {
  const double h = 1, a = linear_implicit(Scheme::def_lim, 0, h).a;
  move(random.rotation() * Vec3(1.4, 1.2, 1).asDiagonal(), Vec3::Zero());
  finite_element_free_velocity(bodies, 0, h);
  const Matrix inverse = inverse_of_operator(), A = inverse.inverse(), M = mass();
  Matrix T(dofs(), 3);
  for (int k = 0; k < 3; k++) T.col(k) = turn(Vec3::Unit(k));
  EXPECT_NEAR((A * T - M * T).norm(), 0, 1e-6 * (M * T).norm());
  const Matrix added = A - M - a * stiffness();
  EXPECT_GT(added.norm(), 10 * M.norm());
  Matrix K(dofs(), dofs());
  for (int k = 0; k < dofs(); k++) {
    const double at = x()[k];
    x()[k] = at + 1e-5;
    const Vector plus = internal_force(0);
    x()[k] = at - 1e-5;
    K.col(k) = (internal_force(0) - plus) / 2e-5;
    x()[k] = at;
  }
  const Matrix P =
      Matrix::Identity(dofs(), dofs()) - T * (T.transpose() * M * T).inverse() * T.transpose() * M;
  const Matrix root = M.inverse().cwiseSqrt();
  const Matrix left_out = root * P.transpose() * (M + a * K - A) * P * root;
  const Eigen::SelfAdjointEigenSolver<Matrix> modes(0.5 * (left_out + left_out.transpose()),
                                                    Eigen::EigenvaluesOnly);
  EXPECT_LE(modes.eigenvalues().maxCoeff(), 0.751);
}

TEST_P(FiniteElementBody, ScaledRowsAreTheRootOfW) {
  for (double tension : {0.0, 0.4})
    for (Scheme scheme : {Scheme::def_exp, Scheme::def_lim}) {
      bodies[0].scheme = scheme;
      deform(0.1);
      x() *= 1 + tension;
      finite_element_free_velocity(bodies, 0, tension > 0 ? 0.2 : 0.02);
      const Place one = place_of(bodies, 0, {0.55, 0.15, 0.47}),
                  two = place_of(bodies, 0, {-0.4, 0.5, 0.1});
      const Mat3 base1 = random.rotation(), base2 = random.rotation();
      using Rows = Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>;
      Rows G1(3, dofs()), G2(3, dofs()), H1(3, dofs()), H2(3, dofs());
      scaled_rows(bodies, 0, one, base1, G1.data());
      scaled_rows(bodies, 0, two, base2, G2.data());
      for (int k = 0; k < dofs(); k++) {
        const Vector unit = Vector::Unit(dofs(), k);
        H1.col(k) = base1.transpose() * velocity_at(bodies, 0, one, unit.data());
        H2.col(k) = base2.transpose() * velocity_at(bodies, 0, two, unit.data());
      }
      const Matrix inverse = inverse_of_operator();
      const Mat3 W11 = H1 * inverse * H1.transpose(), W12 = H1 * inverse * H2.transpose();
      EXPECT_NEAR((G1 * G1.transpose() - W11).norm(), 0, 1e-12 * W11.norm());
      EXPECT_NEAR((G1 * G2.transpose() - W12).norm(), 0, 1e-12 * W11.norm());
    }
}

class LargeFiniteElementBody : public FiniteElementBody {
 protected:
  LargeFiniteElementBody() : FiniteElementBody(7) {}
};

// At nodes, and at points that are more or fewer than the nodes around them; with and without the
// turns that are left alone; of three times as many points rows are as long as there are
// velocities.
TEST_P(LargeFiniteElementBody, ShortRowsHaveTheProductsOfLongOnes) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const FiniteElements& fe = elements();
  const auto rows_at = [&](const std::vector<Place>& places, const std::vector<Mat3>& bases) {
    Rows G(3 * static_cast<int>(places.size()), fe.row_size());
    for (std::size_t k = 0; k < places.size(); k++)
      scaled_rows(bodies, 0, places[k], bases[k], &G(static_cast<Eigen::Index>(3 * k), 0));
    return G;
  };
  for (auto [scheme, tension] :
       {std::pair(Scheme::def_exp, 0.0), {Scheme::def_lim, 0.0}, {Scheme::def_lim, 0.4}}) {
    bodies[0].scheme = scheme;
    deform(0.01);
    x() *= 1 + tension;
    for (auto [count, at_nodes] :
         {std::pair(1, true), {40, true}, {12, false}, {90, false}, {400, false}}) {
      std::vector<Place> places;
      std::vector<ElementPoint> points;
      std::vector<Mat3> bases;
      const Mesh& mesh = mesh_of(bodies[0]);
      for (int k = 0; k < count; k++) {
        // Of many points all lie in one element, but for the last case.
        const int element = count == 90 ? 5 : k * 37 % static_cast<int>(mesh.elements.size());
        const Vec3 local = at_nodes ? Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)
                                    : Vec3(random.in_box(0.9));
        places.push_back({Vec3::Zero(), element, local});
        points.push_back({element, local});
        bases.push_back(random.rotation());
      }
      finite_element_free_velocity(bodies, 0, tension > 0 ? 0.2 : 0.02);
      elements().prepare_rows({});
      ASSERT_EQ(fe.row_size(), dofs());
      const Rows whole = rows_at(places, bases);
      elements().prepare_rows(points);
      EXPECT_EQ(fe.row_size() < dofs(), count < 400);
      const Rows few = rows_at(places, bases);
      const Matrix W = whole * whole.transpose();
      EXPECT_NEAR((few * few.transpose() - W).norm(), 0, 1e-11 * W.norm()) << count;
    }
  }
}

TEST_P(FiniteElementBody, FreeMotionKeepsMomenta) {
  for (Scheme scheme : {Scheme::def_exp, Scheme::def_lim, Scheme::def_lim2, Scheme::def_imp}) {
    if (scheme == Scheme::def_imp && GetParam() == Form::body_corotational) continue;
    bodies[0].scheme = scheme;
    bodies[0].damping = scheme == Scheme::def_imp ? 0 : 1e-4;
    deform(0.05);
    const Vec3 p = momentum(), L = angular_momentum();
    const double e = total_energy();
    for (int k = 0; k < 100; k++) step(0.002);
    EXPECT_NEAR((momentum() - p).norm(), 0, 1e-11 * p.norm());
    EXPECT_NEAR((angular_momentum() - L).norm(), 0, 1e-11 * L.norm());
    if (scheme == Scheme::def_imp) {
      EXPECT_NEAR(total_energy(), e, 1e-10 * e);
    }
  }
}

TEST_P(FiniteElementBody, TheCriticalStepIsStable) {
  bodies[0].scheme = Scheme::def_exp;
  deform(1e-4);
  u() *= 1e-4;
  const double critical = finite_element_critical_step(bodies, materials, 0), e = total_energy();
  EXPECT_DOUBLE_EQ(stable_step(bodies, materials), 0.5 * critical);
  for (int k = 0; k < 2000; k++) step(0.99 * critical);
  EXPECT_LT(total_energy(), 100 * e);  // modes at the limit swing far, and no farther
  for (int k = 0; k < 200; k++) step(2.5 * critical);
  EXPECT_FALSE(total_energy() < 1e6 * e);
}

TEST_P(FiniteElementBody, PlacesInTheMesh) {
  deform(0.2);
  for (int repeat = 0; repeat < 20; repeat++) {
    const Vec3 X = Vec3(0.1, 0.2, 0.3) + Vec3(0.5, 0.3, 0.2).cwiseProduct(random.in_box(1));
    const Place place = place_of(bodies, 0, X);
    EXPECT_NEAR((material_offset(bodies, 0, place) + Vec3(0.1, 0.2, 0.3) - X).norm(), 0, 1e-12);
    const Place again = place_at(bodies, 0, place.x, place.element);
    EXPECT_NEAR((again.local - place.local).norm(), 0, 1e-10);
    Vector r = Vector::Zero(dofs());
    const Vec3 F = random.in_box(1);
    add_force_at(bodies, 0, place, F, r.data());
    EXPECT_NEAR(r.dot(u()), F.dot(velocity_at(bodies, 0, place, bodies.u(0))), 1e-13);
    EXPECT_NEAR((displacement_with(bodies, 0, place, bodies.u(0), 0.5) -
                 0.5 * velocity_at(bodies, 0, place, bodies.u(0)))
                    .norm(),
                0, 1e-14);
  }
  // Outside of the body: the nearest element.
  EXPECT_EQ(element_at(bodies[0], {9, 9, 9}), element_at(bodies[0], {0.59, 0.49, 0.49}));
}

const auto kForms = ::testing::Values(Form::total_lagrangian, Form::body_corotational);

std::string form_name(const ::testing::TestParamInfo<Form>& info) {
  return info.param == Form::total_lagrangian ? "TL" : "BC";
}

INSTANTIATE_TEST_SUITE_P(Forms, FiniteElementBody, kForms, form_name);
INSTANTIATE_TEST_SUITE_P(Forms, LargeFiniteElementBody, kForms, form_name);
INSTANTIATE_TEST_SUITE_P(Forms, CorotationalBody, ::testing::Values(Form::body_corotational),
                         form_name);
INSTANTIATE_TEST_SUITE_P(Forms, TotalLagrangianBody, ::testing::Values(Form::total_lagrangian),
                         form_name);

}  // namespace
}  // namespace solfec::finite_elements_test
