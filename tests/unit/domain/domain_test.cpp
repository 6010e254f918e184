// The bridge from bodies to algebra: W, B, V against dense matrices made from the bodies here;
// reactions back to the bodies; deletion and checks.
#include "domain/domain.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "body/integration.hpp"
#include "body/kinematics.hpp"
#include "body/linear_implicit.hpp"
#include "body/pseudo_rigid.hpp"
#include "core/error.hpp"
#include "support/make_bodies.hpp"

namespace solfec::domain_test {
namespace {

using testing::Random;

constexpr double kStep = 1e-3;

// Bodies of all kinds crowded about the origin, at the middle of a step, with their contacts.
struct Crowd {
  Domain domain;

  explicit Crowd(std::uint64_t seed, int count = 16, bool obstacles = true) {
    Random random(seed);
    domain.bulk_materials.store({"rubber", 1e5, 0.3, 1000});
    SurfaceMaterial material;
    material.friction = 0.3;
    material.restitution = 0.5;
    domain.surface_materials.store(material);
    for (int k = 0; k < count; k++) {
      const BodyKind kinds[] = {BodyKind::rigid, BodyKind::pseudo_rigid, BodyKind::obstacle};
      const BodyKind kind = kinds[random.integer(0, obstacles ? 2 : 1)];
      const Vec3 at = random.in_box(1);
      Shape shape = {testing::random_polyhedron(random, at, 0.6)};
      if (k % 2) shape = {Ellipsoid{at, {0.3, 0.4, 0.6}, random.rotation()}};
      const int i = testing::add_body(domain.bodies, kind, shape);
      if (k % 4 == 1 && kind == BodyKind::pseudo_rigid) {
        domain.bodies[i].scheme = Scheme::def_lim;
        domain.bodies[i].damping = 1e-3;
      }
      testing::move_at_random(random, domain.bodies, i, 0.1);
    }
    domain.gravity = {{TimeSeries(1), TimeSeries(2), TimeSeries(-10)}};
    begin_step(domain.bodies, domain.bulk_materials, domain.gravity, {0, kStep});
    detect_contacts(domain, true);
  }
};

// A of a body, dense.
Eigen::MatrixXd dense_A(const Domain& domain, int i) {
  const BodyStore& bodies = domain.bodies;
  const int n = bodies.dofs(i);
  const ReferenceMass& reference = bodies[i].reference;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  if (bodies.kind(i) == BodyKind::rigid) {
    A.topLeftCorner<3, 3>() = reference.tensor;
  } else {
    for (int J = 0; J < 3; J++)
      for (int L = 0; L < 3; L++)
        A.block<3, 3>(3 * J, 3 * L) = reference.tensor(J, L) * Mat3::Identity();
    if (bodies[i].scheme == Scheme::def_lim)
      A.topLeftCorner<9, 9>() += linear_implicit(Scheme::def_lim, bodies[i].damping, kStep).a *
                                 reference.volume *
                                 material_tangent(bodies.gradient(i), domain.bulk_materials[0]);
  }
  A.bottomRightCorner<3, 3>() = reference.mass * Mat3::Identity();
  return A;
}

// H of all contacts over all bodies, obstacles included, and A^-1 with nothing for obstacles.
struct Dense {
  Eigen::MatrixXd H, inverse;
  Eigen::VectorXd u, b;

  explicit Dense(const Domain& domain) {
    const BodyStore& bodies = domain.bodies;
    const int n = bodies.u.begin(bodies.total()), rows = domain.constraints.count();
    H = Eigen::MatrixXd::Zero(3 * rows, n);
    inverse = Eigen::MatrixXd::Zero(n, n);
    u.resize(n);
    b.resize(n);
    for (int i = 0; i < bodies.total(); i++) {
      const int begin = bodies.u.begin(i), size = bodies.dofs(i);
      u.segment(begin, size) = Eigen::Map<const Eigen::VectorXd>(bodies.u(i), size);
      b.segment(begin, size) = Eigen::Map<const Eigen::VectorXd>(bodies.b(i), size);
      if (bodies.kind(i) != BodyKind::obstacle)
        inverse.block(begin, begin, size, size) = dense_A(domain, i).inverse();
    }
    for (int row = 0; row < rows; row++) {
      const Constraint& c = domain.constraints.all()[row];
      for (int k : {0, 1}) {
        const int i = k == 0 ? c.body1 : c.body2;
        for (int d = 0; d < bodies.dofs(i); d++) {
          const Eigen::VectorXd unit = Eigen::VectorXd::Unit(bodies.dofs(i), d);
          H.block<3, 1>(3 * row, bodies.u.begin(i) + d) =
              (k == 0 ? 1 : -1) * c.base().transpose() *
              velocity_at(bodies, i, c.point, unit.data());
        }
      }
    }
  }
};

TEST(Domain, AssemblesWhatTheDenseMatricesSay) {
  for (DelassusForm form : {DelassusForm::assembled, DelassusForm::factored})
    for (int seed = 1; seed <= 5; seed++) {
      Crowd crowd(seed);
      Domain& domain = crowd.domain;
      domain.delassus_form = form;
      const int rows = domain.constraints.count();
      ASSERT_GT(rows, 10);
      Random random(seed);
      for (Constraint& c : domain.constraints.all()) c.R = random.in_box(1);
      domain.contact_correction = ContactCorrection::off;  // contact_motion_test.cpp
      assemble(domain, {0, kStep});
      const LocalDynamics& p = domain.local_dynamics;
      const LocalSolution& s = domain.local_solution;
      ASSERT_EQ(p.rows(), rows);
      EXPECT_EQ(p.step(), kStep);
      const Dense dense(domain);
      const Eigen::MatrixXd W = kStep * dense.H * dense.inverse * dense.H.transpose();
      const Eigen::VectorXd B = dense.H * dense.b, V = dense.H * dense.u;
      for (int row = 0; row < rows; row++) {
        EXPECT_NEAR((p.B[row] - B.segment<3>(3 * row)).norm(), 0, 1e-12 * (1 + B.norm()));
        EXPECT_NEAR((p.V[row] - V.segment<3>(3 * row)).norm(), 0, 1e-12 * (1 + V.norm()));
        EXPECT_EQ(s.R[row], domain.constraints.all()[row].R) << "the warm start";
        EXPECT_EQ(s.U[row], p.B[row]);
        EXPECT_EQ(p.law[row].friction, 0.3);
        EXPECT_EQ(p.law[row].restitution, 0.5);
        EXPECT_EQ(p.law[row].gap, domain.constraints.all()[row].gap);
        for (int column = 0; column < rows; column++)
          EXPECT_NEAR((p.W.block(row, column) - W.block<3, 3>(3 * row, 3 * column)).norm(), 0,
                      1e-11 * W.diagonal().maxCoeff());
      }
    }
}

TEST(Domain, VelocitiesAfterTheStepAreThoseOfTheSolver) {
  // u' = b + h A^-1 H^T R, so that H u' = U = B + W R. Rigid rotations take their own scheme in
  // end_step: RIG_POS keeps u'.
  for (int seed = 1; seed <= 5; seed++) {
    Crowd crowd(seed);
    Domain& domain = crowd.domain;
    domain.contact_correction = ContactCorrection::off;  // U is that of this H
    for (int i = 0; i < domain.bodies.total(); i++)
      if (domain.bodies.kind(i) == BodyKind::rigid) domain.bodies[i].scheme = Scheme::rig_pos;
    assemble(domain, {0, kStep});
    Random random(seed);
    for (Vec3& R : domain.local_solution.R) R = random.in_box(100);
    update_velocities(domain.local_dynamics, domain.local_solution);
    const Dense before(domain);
    apply_reactions(domain);
    end_step(domain.bodies, domain.bulk_materials, {0, kStep});
    const Dense after(domain);
    const Eigen::VectorXd U = before.H * after.u;
    for (int row = 0; row < domain.local_dynamics.rows(); row++) {
      EXPECT_NEAR((U.segment<3>(3 * row) - domain.local_solution.U[row]).norm(), 0,
                  1e-10 * (1 + U.norm()));
      const Constraint& c = domain.constraints.all()[row];
      EXPECT_EQ(c.R, domain.local_solution.R[row]);
      EXPECT_EQ(c.U, domain.local_solution.U[row]);
      EXPECT_EQ(c.V, domain.local_dynamics.V[row]);
    }
  }
}

// Linear momentum, and angular momentum about the origin at the present configuration.
std::pair<Vec3, Vec3> momentum(const BodyStore& bodies) {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  for (int i = 0; i < bodies.total(); i++) {
    const ReferenceMass& reference = bodies[i].reference;
    const Vec3 p = reference.mass * Eigen::Map<const Vec3>(bodies.u(i) + bodies.dofs(i) - 3);
    linear += p;
    angular += bodies.center(i).cross(p);
    if (bodies.kind(i) == BodyKind::rigid) {
      angular += bodies.gradient(i) * (reference.tensor * Eigen::Map<const Vec3>(bodies.u(i)));
    } else {
      // int rho (F xi) x (Fdot xi): axial vector of F E Fdot^T.
      const Mat3 L =
          bodies.gradient(i) * reference.tensor * Eigen::Map<const Mat3>(bodies.u(i)).transpose();
      angular += Vec3(L(1, 2) - L(2, 1), L(2, 0) - L(0, 2), L(0, 1) - L(1, 0));
    }
  }
  return {linear, angular};
}

TEST(Domain, ReactionsConserveMomentum) {
  for (int seed = 1; seed <= 5; seed++) {
    Crowd crowd(seed, 16, false);
    Domain& domain = crowd.domain;
    ASSERT_GT(domain.constraints.count(), 5);
    assemble(domain, {0, kStep});
    Random random(seed);
    for (Vec3& R : domain.local_solution.R) R = random.in_box(100);
    apply_reactions(domain);
    // Forces and torques of all reactions on all bodies vanish together.
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    const BodyStore& bodies = domain.bodies;
    for (int i = 0; i < bodies.total(); i++)
      for (const double* r : {bodies.normal_reaction(i), bodies.tangent_reaction(i)}) {
        const Vec3 f = Eigen::Map<const Vec3>(r + bodies.dofs(i) - 3);
        force += f;
        torque += bodies.center(i).cross(f);
        if (bodies.kind(i) == BodyKind::rigid) {
          torque += bodies.gradient(i) * Eigen::Map<const Vec3>(r);
        } else {
          const Mat3 T = bodies.gradient(i) * Eigen::Map<const Mat3>(r).transpose();
          torque += Vec3(T(1, 2) - T(2, 1), T(2, 0) - T(0, 2), T(0, 1) - T(1, 0));
        }
      }
    EXPECT_NEAR(force.norm(), 0, 1e-11);
    EXPECT_NEAR(torque.norm(), 0, 1e-11);
  }
}

TEST(Domain, WholeStepsWithReactionsConserveMomentum) {
  Crowd crowd(3, 16, false);
  Domain& domain = crowd.domain;
  domain.gravity = {{TimeSeries(0), TimeSeries(0), TimeSeries(0)}};
  Random random(3);
  const auto before = momentum(domain.bodies);
  for (int step = 0; step < 20; step++) {
    // Any reactions will do, also those of no law.
    begin_step(domain.bodies, domain.bulk_materials, domain.gravity, {step * kStep, kStep});
    detect_contacts(domain, false);
    assemble(domain, {0, kStep});
    for (Vec3& R : domain.local_solution.R) R = random.in_box(100);
    apply_reactions(domain);
    end_step(domain.bodies, domain.bulk_materials, {0, kStep});
  }
  const auto after = momentum(domain.bodies);
  EXPECT_GT(domain.constraints.count(), 5);
  // The crowd was left at the middle of a step by its making: momenta count from there.
  EXPECT_NEAR((after.first - before.first).norm(), 0, 1e-10);
  EXPECT_NEAR((after.second - before.second).norm(), 0, 1e-9);
}

TEST(Domain, NormalAndTangentialReactionsAreKeptApart) {
  Crowd crowd(2);
  Domain& domain = crowd.domain;
  assemble(domain, {0, kStep});
  Random random(2);
  for (Vec3& R : domain.local_solution.R) R = random.in_box(10);
  apply_reactions(domain);
  const Dense dense(domain);
  Eigen::VectorXd normal(3 * domain.constraints.count()), tangent = normal;
  for (int row = 0; row < domain.constraints.count(); row++) {
    const Vec3& R = domain.local_solution.R[row];
    normal.segment<3>(3 * row) = Vec3(0, 0, R.z());
    tangent.segment<3>(3 * row) = Vec3(R.x(), R.y(), 0);
  }
  const Eigen::VectorXd rn = dense.H.transpose() * normal, rt = dense.H.transpose() * tangent;
  for (int i = 0; i < domain.bodies.total(); i++)
    for (int k = 0; k < domain.bodies.dofs(i); k++) {
      const bool obstacle = domain.bodies.kind(i) == BodyKind::obstacle;
      const int at = domain.bodies.u.begin(i) + k;
      EXPECT_NEAR(domain.bodies.normal_reaction(i)[k], obstacle ? 0 : rn[at], 1e-11);
      EXPECT_NEAR(domain.bodies.tangent_reaction(i)[k], obstacle ? 0 : rt[at], 1e-11);
    }
}

// A box on the floor, pressed into it by `depth`; one point of contact.
void box_on_floor(Domain& domain, double depth) {
  domain.detection_settings.mode = ContactMode::one;
  testing::add_body(domain.bodies, BodyKind::obstacle,
                    testing::box_shape({0, 0, -1}, {5, 5, 1}, 1));
  testing::add_body(domain.bodies, BodyKind::rigid,
                    testing::box_shape({0, 0, 0.5 - depth}, {0.5, 0.5, 0.5}, 2));
}

TEST(Domain, ContactsKeepTheirReactionsBetweenSteps) {
  Domain domain;
  box_on_floor(domain, 1e-3);
  detect_contacts(domain, true);
  ASSERT_EQ(domain.constraints.count(), 1);
  const Constraint& c = domain.constraints.all()[0];
  EXPECT_EQ(c.key.body1, BodyId{2}) << "an obstacle is the second";
  EXPECT_EQ(c.surface1, 2);
  EXPECT_NEAR((c.normal - Vec3::UnitZ()).norm(), 0, 1e-12) << "outward of the second";
  assemble(domain, {0, kStep});
  domain.local_solution.R[0] = Vec3(1, 2, 30);
  apply_reactions(domain);
  detect_contacts(domain, false);
  assemble(domain, {0, kStep});
  EXPECT_NEAR((domain.local_solution.R[0] - Vec3(1, 2, 30)).norm(), 0, 1e-12);
}

TEST(Domain, BondsHoldAndBreak) {
  Domain domain;
  SurfaceMaterial glue;
  glue.cohesion = 100;
  domain.surface_materials.store(glue);
  box_on_floor(domain, 1e-3);
  detect_contacts(domain, true);
  assemble(domain, {0, kStep});
  const double area = domain.constraints.all()[0].area;
  EXPECT_NEAR(area, 1, 1e-5);
  EXPECT_NEAR(domain.local_dynamics.law[0].cohesion, 100 * area, 1e-9);
  domain.local_solution.R[0] = Vec3(0, 0, -0.5 * 100 * area);
  apply_reactions(domain);
  ASSERT_TRUE(domain.constraints.all()[0].bond);
  domain.local_solution.R[0] = Vec3(0, 0, -100 * area);
  domain.local_solution.U[0] = Vec3::Zero();
  apply_reactions(domain);
  ASSERT_TRUE(domain.constraints.all()[0].bond) << "others may hold it";
  domain.local_solution.U[0] = Vec3(0, 0, 1);
  apply_reactions(domain);
  EXPECT_FALSE(domain.constraints.all()[0].bond);
  assemble(domain, {0, kStep});
  EXPECT_EQ(domain.local_dynamics.law[0].cohesion, 0) << "lost for good";
}

TEST(Domain, SurfaceMaterialsBecomeLaws) {
  Domain domain;
  SurfaceMaterial spring;
  spring.surface1 = 2;
  spring.surface2 = 1;
  spring.model = ContactModel::spring_dashpot;
  spring.spring = 1e5;
  spring.dashpot = 20;
  spring.friction = 0.7;
  domain.surface_materials.store(spring);
  box_on_floor(domain, 1e-3);
  detect_contacts(domain, true);
  assemble(domain, {0, kStep});
  const RowLaw& law = domain.local_dynamics.law[0];
  EXPECT_EQ(law.kind, LawKind::spring_dashpot);
  EXPECT_EQ(law.spring, 1e5);
  EXPECT_EQ(law.dashpot, 20);
  EXPECT_EQ(law.friction, 0.7);
  EXPECT_NEAR(law.gap, -1e-3, 1e-12);
}

TEST(Domain, AllContactsAreSpringsToSomeSolvers) {
  Domain domain;
  SurfaceMaterial material;
  material.restitution = 0.5;
  material.spring = 1e5;
  domain.surface_materials.store(material);
  domain.detection_settings.epsilon = 1e-3;
  box_on_floor(domain, -5e-4);  // a gap, which a quasi-static step closes
  detect_contacts(domain, true);
  ASSERT_EQ(domain.constraints.count(), 1);
  for (auto [laws, kind] : {std::pair(ContactLaws::by_model, LawKind::signorini_coulomb),
                            std::pair(ContactLaws::springs, LawKind::spring_dashpot),
                            std::pair(ContactLaws::convex, LawKind::convex_coulomb)}) {
    assemble(domain, {0, kStep, Analysis::quasi_static}, laws);
    const RowLaw& law = domain.local_dynamics.law[0];
    EXPECT_EQ(law.kind, kind);
    EXPECT_NEAR(law.target.z(), laws == ContactLaws::springs ? 0 : -5e-4 / kStep, 1e-9);
  }
}

TEST(Domain, UnphysicalPenetrationNamesItsBodies) {
  Domain domain;
  box_on_floor(domain, 0.02);
  detect_contacts(domain, true);
  EXPECT_NO_THROW(check_penetration(domain, 1.5)) << "no bound unless set";
  domain.unphysical_penetration = 0.03;
  EXPECT_NO_THROW(check_penetration(domain, 1.5));
  domain.unphysical_penetration = 0.01;
  try {
    check_penetration(domain, 1.5);
    FAIL() << "nothing was thrown";
  } catch (const RunError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("bodies 2 and 1 overlap by 0.02"), std::string::npos) << message;
    EXPECT_NE(message.find("time 1.5"), std::string::npos) << message;
  }
}

TEST(Domain, DeletingBodiesTakesTheirContacts) {
  Crowd crowd(4);
  Domain& domain = crowd.domain;
  const int count = domain.bodies.total();
  const BodyId gone = domain.constraints.all()[5].key.body1;
  std::set<ContactKey> expected;
  for (const Constraint& c : domain.constraints.all())
    if (c.key.body1 != gone && c.key.body2 != gone) expected.insert(c.key);
  delete_bodies(domain, std::array{gone});
  EXPECT_EQ(domain.bodies.total(), count - 1);
  std::set<ContactKey> found;
  for (const Constraint& c : domain.constraints.all()) {
    found.insert(c.key);
    EXPECT_EQ(domain.bodies.id(c.body1), c.key.body1);
    EXPECT_EQ(domain.bodies.id(c.body2), c.key.body2);
  }
  EXPECT_EQ(found, expected);
  detect_contacts(domain, false);
  found.clear();
  for (const Constraint& c : domain.constraints.all()) found.insert(c.key);
  EXPECT_EQ(found, expected) << "and detection agrees";
}

TEST(Domain, BodiesWhollyOutsideOfTheExtentsGo) {
  Domain domain;
  for (double x : {0.0, 0.9, 1.5, 3.0})
    testing::add_body(domain.bodies, BodyKind::rigid, testing::ball_shape({x, 0, 0}, 1));
  EXPECT_TRUE(delete_outside(domain).empty()) << "no extents, no outside";
  domain.extents = Box{Vec3::Constant(-1), Vec3::Constant(1)};
  EXPECT_EQ(delete_outside(domain).size(), 1u);
  ASSERT_EQ(domain.bodies.total(), 3);
  EXPECT_EQ(domain.bodies.find(BodyId{4}), -1);
  EXPECT_EQ(domain.bodies.find(BodyId{3}), 2) << "half in stays";
  const Box box = body_box(domain, 0);
  EXPECT_NEAR((box.upper - Vec3(1, 1, 1)).norm(), 0, 1e-5);
}

TEST(Domain, ContactNamesDependOnKeysOnly) {
  Crowd crowd(5);
  const std::vector<std::string> names = row_names(crowd.domain);
  ASSERT_EQ(static_cast<int>(names.size()), crowd.domain.constraints.count());
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  const ContactKey& k = crowd.domain.constraints.all()[0].key;
  EXPECT_EQ(names[0], fmt::format("{}.{}-{}.{}.{}", k.body1.value, k.feature1, k.body2.value,
                                  k.feature2, k.point));
}

}  // namespace
}  // namespace solfec::domain_test
