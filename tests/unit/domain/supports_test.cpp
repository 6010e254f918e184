// Supports, eliminated in the matrix of their body, against the same joints as rows: motion,
// reactions and work; what stays a row; contacts at supported nodes.
#include "domain/supports.hpp"

#include <gtest/gtest.h>

#include "body/finite_elements.hpp"
#include "body/integration.hpp"
#include "domain/domain.hpp"
#include "domain/joint_holds.hpp"
#include "domain/joints.hpp"
#include "local_dynamics/joint_law.hpp"
#include "support/make_bodies.hpp"

namespace solfec::supports_test {
namespace {

using Vector = Eigen::VectorXd;

// Row by row, until next to nothing changes.
void solve(Domain& domain) {
  const LocalDynamics& p = domain.local_dynamics;
  LocalSolution& s = domain.local_solution;
  double change = 1, size = 1;
  for (int sweep = 0; sweep < 20000 && change > 1e-14 * size; sweep++) {
    change = size = 0;
    for (int row = 0; row < p.rows(); row++) {
      Vec3 free = p.B[row];
      for (int column : p.W.neighbours(row))
        if (column != row) free += p.W.block(row, column) * s.R[column];
      const Vec3 before = s.R[row];
      s.R[row] = joint_reaction(p.law[row], p.W.diagonal(row), p.W.diagonal_inverse(row), free);
      change = std::max(change, (s.R[row] - before).norm());
      size = std::max(size, s.R[row].norm());
    }
  }
  update_velocities(p, s);
}

struct Case {
  Analysis analysis;
  Form form;
  Scheme scheme;
  double step;
};

// A bar along x that one end is held of.
struct Bar {
  Domain domain;
  Case is;
  double time = 0;

  Bar(const Case& what, bool eliminate) : is(what) {
    domain.eliminate_supports = eliminate;
    domain.analysis = is.analysis;
    domain.gravity.component = {TimeSeries(1), TimeSeries(2), TimeSeries(-10)};
    domain.bulk_materials.store({"rubber", 1e6, 0.3, 1000});
    domain.surface_materials.store({});
    const int i = testing::add_body(domain.bodies, BodyKind::finite_element,
                                    testing::meshed_box({1, 0.25, 0.25}, {1, 0.25, 0.25}, 2));
    domain.bodies[i].form = is.form;
    domain.bodies[i].scheme = is.scheme;
  }
  BodyStore& bodies() { return domain.bodies; }

  std::uint32_t add(ConstraintKind kind, const Vec3& point, const Vec3& direction = Vec3::UnitZ(),
                    double strength = std::numeric_limits<double>::infinity()) {
    Joint joint;
    joint.kind = kind;
    joint.point = point;
    joint.direction = direction;
    joint.strength = strength;
    joint.start = time;
    if (prescribes_motion(kind))
      joint.motion =
          Motion(Motion::Given::displacement, TimeSeries({0, 0.01, 1}, {0, 0.0002, 0.1}), 1e-3);
    return add_joint(domain, 0, joint);
  }
  void clamp() {
    for (double y : {0.0, 0.25, 0.5})
      for (double z : {0.0, 0.25, 0.5}) add(ConstraintKind::fixed_point, {0, y, z});
  }

  void step() {
    const TimeStep step{time, is.step, is.analysis};
    domain.supports.choose(domain);
    domain.constraints.save();
    const bool rows = has_joints(domain);
    domain.supports.begin(domain, step);
    domain.bodies.holds.clear();
    if (rows) find_holds(domain);
    if (rows && step.dynamic()) domain.joint_closure.start(domain, step);
    domain.supports.add_holds(domain.bodies);
    begin_step(bodies(), domain.bulk_materials, domain.gravity, step);
    domain.supports.place(bodies());
    detect_contacts(domain, false);
    assemble(domain, step);
    if (rows) {
      for (int k = 0; k < 5 && (domain.joint_closure.middle(domain, step, k == 0) || k == 0); k++)
        solve(domain);
      forget_motion(domain);
    }
    apply_reactions(domain);
    end_step(bodies(), domain.bulk_materials, step);
    if (step.dynamic()) domain.supports.close_end(domain, step);
    if (rows && step.dynamic()) domain.joint_closure.end(domain, step);
    domain.supports.finish(domain, step);
    time += is.step;
  }
  Vector x() { return Eigen::Map<Vector>(bodies().x(0), bodies().dofs(0)); }
  Vector u() { return Eigen::Map<Vector>(bodies().u(0), bodies().dofs(0)); }
  Vec3 reaction() const {
    Vec3 sum = Vec3::Zero();
    for (const Constraint& c : domain.constraints.all()) sum += c.base() * c.R;
    return sum;
  }
};

void expect_same(Bar& rows, Bar& eliminated, double tolerance) {
  EXPECT_EQ(rows.domain.local_dynamics.rows(), rows.domain.constraints.count());
  EXPECT_LT(eliminated.domain.local_dynamics.rows(), rows.domain.local_dynamics.rows());
  if (!turns_operator(rows.bodies()[0], rows.is.analysis)) {
    EXPECT_EQ(eliminated.domain.local_dynamics.rows(), 0);
  }
  const double moved = (rows.x() - Vector::Constant(rows.x().size(), 0)).norm();
  EXPECT_LT((rows.x() - eliminated.x()).norm(), tolerance * moved);
  EXPECT_LT((rows.u() - eliminated.u()).norm(), 100 * tolerance * (rows.u().norm() + 1e-6));
  ASSERT_EQ(rows.domain.constraints.count(), eliminated.domain.constraints.count());
  double largest = 0;
  for (const Constraint& c : rows.domain.constraints.all()) largest = std::max(largest, c.R.norm());
  for (int k = 0; k < rows.domain.constraints.count(); k++) {
    const Constraint &a = rows.domain.constraints.all()[k],
                     &b = eliminated.domain.constraints.all()[k];
    EXPECT_LT((a.R - b.R).norm(), 1e3 * tolerance * largest) << "constraint " << k;
    EXPECT_LT((a.point - b.point).norm(), tolerance);
    EXPECT_LT((a.base() - b.base()).norm(), 1e-14);
  }
  const Energy one = energy(rows.bodies(), rows.domain.bulk_materials, 0),
               two = energy(eliminated.bodies(), eliminated.domain.bulk_materials, 0);
  const double scale = std::abs(one.external) + one.internal + one.kinetic;
  EXPECT_NEAR(one.kinetic, two.kinetic, 1e3 * tolerance * scale);
  EXPECT_NEAR(one.internal, two.internal, 1e3 * tolerance * scale);
  EXPECT_NEAR(one.external, two.external, 1e3 * tolerance * scale);
}

class SupportsOf : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Schemes, SupportsOf,
    ::testing::Values(

        Case{Analysis::dynamic, Form::total_lagrangian, Scheme::def_lim2, 1e-3},
        Case{Analysis::dynamic, Form::total_lagrangian, Scheme::def_exp, 2e-4},
        Case{Analysis::dynamic, Form::total_lagrangian, Scheme::def_imp, 1e-3},
        Case{Analysis::dynamic, Form::body_corotational, Scheme::def_lim2, 1e-3},
        Case{Analysis::dynamic, Form::body_corotational, Scheme::def_exp, 2e-4},
        Case{Analysis::quasi_static, Form::total_lagrangian, Scheme::def_lim, 2e-3},
        Case{Analysis::quasi_static, Form::body_corotational, Scheme::def_lim, 2e-3}));

TEST_P(SupportsOf, ClampIsThatOfRows) {
  Bar rows(GetParam(), false), eliminated(GetParam(), true);
  for (Bar* bar : {&rows, &eliminated}) {
    bar->clamp();
    for (int k = 0; k < 12; k++) bar->step();
  }
  expect_same(rows, eliminated, 1e-9);
}

TEST_P(SupportsOf, DirectionsAndMotionsAreThoseOfRows) {
  Bar rows(GetParam(), false), eliminated(GetParam(), true);
  for (Bar* bar : {&rows, &eliminated}) {
    bar->add(ConstraintKind::fixed_point, {0, 0, 0});
    bar->add(ConstraintKind::fixed_direction, {0, 0.5, 0}, Vec3(1, 1, 0).normalized());
    bar->add(ConstraintKind::fixed_direction, {0, 0.5, 0.5}, Vec3(1, 0, -1).normalized());
    bar->add(ConstraintKind::fixed_direction, {0, 0, 0.5}, Vec3::UnitY());
    bar->add(ConstraintKind::prescribed_motion, {0, 0, 0.5}, Vec3(1, 0, 3).normalized());
    bar->add(ConstraintKind::prescribed_motion, {2, 0.5, 0}, Vec3::UnitY());
    for (int k = 0; k < 12; k++) bar->step();
  }
  expect_same(rows, eliminated, 1e-9);
}

TEST_P(SupportsOf, StayWhereTheyAreAndFollowTheirFunction) {
  Bar bar(GetParam(), true);
  bar.clamp();
  const std::uint32_t number = bar.add(ConstraintKind::prescribed_motion, {2, 0, 0}, Vec3::UnitY());
  const Vector start = bar.x();
  for (int k = 0; k < 50; k++) bar.step();
  const Joint& joint = bar.bodies()[0].joints.back();
  ASSERT_EQ(joint.number, number);
  const Vector moved = bar.x() - start;
  const Mesh& mesh = mesh_of(bar.bodies()[0]);
  for (std::size_t n = 0; n < mesh.nodes.size(); n++) {
    const Vec3 d = moved.segment<3>(static_cast<Eigen::Index>(3 * n));
    if (mesh.nodes[n].x() == 0) {
      EXPECT_LT(d.norm(), 1e-15);
    }
    if (mesh.nodes[n] == Vec3(2, 0, 0)) {
      EXPECT_NEAR(d.y(), joint.motion.displacement(bar.time), 1e-14);
    }
  }
}

TEST(Supports, RedundantOnesShareTheReaction) {
  const Case is{Analysis::quasi_static, Form::total_lagrangian, Scheme::def_lim, 10};
  Bar once(is, true), twice(is, true);
  once.clamp();
  twice.clamp();
  twice.clamp();
  for (int k = 0; k < 10; k++) {
    once.step();
    twice.step();
  }
  const double mass = once.bodies()[0].reference.mass;
  const Vec3 weight = mass * Vec3(1, 2, -10);
  EXPECT_LT((once.reaction() + weight).norm(), 1e-8 * weight.norm());
  EXPECT_LT((twice.reaction() + weight).norm(), 1e-8 * weight.norm());
  EXPECT_LT((once.x() - twice.x()).norm(), 1e-12);
}

TEST(Supports, ContradictionsAreErrors) {
  Bar bar({Analysis::quasi_static, Form::total_lagrangian, Scheme::def_lim, 0.01}, true);
  bar.clamp();
  bar.add(ConstraintKind::prescribed_motion, {0, 0, 0}, Vec3::UnitX());
  bar.domain.supports.choose(bar.domain);
  const TimeStep step{0, 0.01, Analysis::quasi_static};
  EXPECT_THROW(bar.domain.supports.begin(bar.domain, step), RunError);
  EXPECT_EQ(bar.domain.constraints.count(), 0);
  bar.domain.supports.restore(bar.domain);
  EXPECT_EQ(bar.domain.constraints.count(), 10);
}

TEST(Supports, JointsThatMayBreakPointsBetweenNodesAndHingesStayRows) {
  const Case is{Analysis::dynamic, Form::total_lagrangian, Scheme::def_lim2, 1e-3};
  Bar bar(is, true);
  const auto rows = [&] {
    bar.domain.supports.choose(bar.domain);
    return row_constraints(bar.domain).size();
  };
  bar.add(ConstraintKind::fixed_point, {0, 0, 0});
  bar.add(ConstraintKind::fixed_point, {0, 0.5, 0});
  EXPECT_EQ(rows(), 2u) << "it turns about an edge";
  bar.bodies()[0].form = Form::body_corotational;
  EXPECT_EQ(rows(), 0u) << "the A of this form leaves no rotation to M";
  bar.bodies()[0].form = Form::total_lagrangian;
  bar.add(ConstraintKind::fixed_point, {0, 0, 0.5});
  EXPECT_EQ(rows(), 0u);
  bar.add(ConstraintKind::fixed_point, {0, 0.1, 0.2});
  EXPECT_EQ(rows(), 1u) << "between nodes";
  bar.add(ConstraintKind::fixed_point, {0, 0.5, 0.5}, Vec3::UnitZ(), 1e9);
  EXPECT_EQ(rows(), 2u) << "it may break";
  bar.bodies()[0].scheme = Scheme::def_lim;
  EXPECT_EQ(rows(), 5u) << "its filter is that of the free body";
}

TEST(Supports, SingleDirectionsOfTurningOperatorsStayRows) {
  Bar bar({Analysis::dynamic, Form::body_corotational, Scheme::def_lim2, 1e-3}, true);
  const auto rows = [&] {
    bar.domain.supports.choose(bar.domain);
    return row_constraints(bar.domain).size();
  };
  bar.add(ConstraintKind::fixed_direction, {0, 0, 0}, Vec3::UnitX());
  bar.add(ConstraintKind::fixed_direction, {0, 0, 0}, Vec3(1, 2, 0).normalized());
  EXPECT_EQ(rows(), 2u);
  bar.add(ConstraintKind::prescribed_motion, {0, 0, 0}, Vec3::UnitZ());
  EXPECT_EQ(rows(), 0u) << "all directions of the node";
  bar.add(ConstraintKind::fixed_direction, {0, 0.5, 0}, Vec3::UnitX());
  EXPECT_EQ(rows(), 1u);
  bar.bodies()[0].scheme = Scheme::def_exp;
  EXPECT_EQ(rows(), 0u) << "M does not turn";
}

TEST(Supports, RemovingOneFreesItsNode) {
  for (Form form : {Form::total_lagrangian, Form::body_corotational}) {
    Bar bar({Analysis::quasi_static, form, Scheme::def_lim, 10}, true);
    bar.clamp();
    for (int k = 0; k < 10; k++) bar.step();
    ContactKey at;
    for (const Constraint& c : bar.domain.constraints.all())
      if (c.point.y() > 0.4 && c.point.z() > 0.4) at = c.key;
    remove_constraint(bar.domain, at);
    const Vec3 before = bar.reaction();
    for (int k = 0; k < 20; k++) bar.step();
    EXPECT_EQ(bar.domain.constraints.count(), 8);
    EXPECT_EQ(bar.bodies().supports(0).size(), 8u);
    const Vec3 weight = bar.bodies()[0].reference.mass * Vec3(1, 2, -10);
    EXPECT_LT((bar.reaction() + weight).norm(), 1e-6 * weight.norm()) << before.transpose();
    const Mesh& mesh = mesh_of(bar.bodies()[0]);
    for (std::size_t n = 0; n < mesh.nodes.size(); n++)
      if (mesh.nodes[n] == Vec3(0, 0.5, 0.5)) {
        EXPECT_GT((node_part(bar.bodies().x(0), n) - mesh.nodes[n]).norm(), 1e-6);
      }
  }
}

}  // namespace
}  // namespace solfec::supports_test
